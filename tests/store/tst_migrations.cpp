// SPDX-License-Identifier: Apache-2.0
#include "agent/store/migrations.h"
#include "agent/store/sqlite.h"
#include "tests/store/foreign_client.h"
#include "tests/store/samples.h"

#include <QTemporaryDir>
#include <QTest>

using namespace weir;
using namespace weir::store;
using namespace weir::tests;

namespace {

const WriteRows nothing = [](SqlConnection&, std::int64_t) { return Status<>{}; };

} // namespace

class TestMigrations : public QObject
{
    Q_OBJECT

private slots:

    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        m_path = std::filesystem::path{m_dir->path().toStdString()} / "weir.db";
    }

    void makesTheSchemaAndTheFirstRowsOnce()
    {
        {
            const auto store = openStore(m_path);
            const Decisions decisions = store->readDecisions().value();
            QVERIFY(decisions.routingSwitch.mode == Mode::Fixed);
            QCOMPARE(decisions.routingSwitch.version, 1);
            QCOMPARE(decisions.routingSwitch.updatedHost, std::string{"host-a"});
            QCOMPARE(decisions.routingSwitch.updatedAt, kNoon);
            QCOMPARE(decisions.settings.numbers, standardSettings().numbers);
            QCOMPARE(decisions.settings.objective, std::string{"score"});
            QVERIFY(decisions.routes.empty());
        }
        const auto again = openStore(m_path);
        QCOMPARE(again->readDecisions().value().routingSwitch.version, 1);
        QCOMPARE(again->audit(100).value().size(), 2U);
        ForeignClient shell(m_path);
        QCOMPARE(
            shell.rows("SELECT version, name FROM schema_version"),
            "1|0001_decisions\n2|0002_audit\n3|0003_ledger\n4|0004_history\n5|0005_agent_state\n"
            "6|0006_learned\n7|0007_requests\n8|0008_quality\n9|0009_drills\n10|0010_mirror\n11|"
            "0011_fleet\n12|0012_notes");
        QCOMPARE(shell.rows("PRAGMA journal_mode"), "wal");
    }

    void refusesANewerDatabase()
    {
        static_cast<void>(openStore(m_path));
        ForeignClient(m_path).run("INSERT INTO schema_version VALUES (99, 'later', 'then', 0)");
        const auto opened = openSqlite({.path = m_path, .host = "h", .now = kNoon});
        QCOMPARE(opened.error().code, std::string{"store_newer"});
        QCOMPARE(opened.error().where, m_path.string());
        QVERIFY(opened.error().detail.find("99") != std::string::npos);
    }

    void toolsNeitherCreateNorUpgrade()
    {
        const SqliteOptions tool{
            .path = m_path, .mode = OpenMode::Existing, .host = "h", .now = kNoon};
        QCOMPARE(openSqlite(tool).error().code, std::string{"store_missing"});
        QVERIFY(!std::filesystem::exists(m_path));
        static_cast<void>(openStore(m_path));
        QVERIFY(openSqlite(tool));
        ForeignClient(m_path).run("DELETE FROM schema_version WHERE version > 5");
        QCOMPARE(openSqlite(tool).error().code, std::string{"store_older"});
    }

    /// Of a request's rows from before, its last attempt is the final one.
    void oldRequestsGetTheirLastAttempt()
    {
        {
            const auto db =
                SqliteDb::open(m_path, SqliteDb::Open::Create, std::chrono::seconds{1}).value();
            QVERIFY(migrate(*db, sqliteMigrations().first(6), kNoon, nothing));
        }
        ForeignClient shell(m_path);
        for (const char* key : {"'a', 1", "'a', 2", "'b', 1"}) {
            shell.run(QString("INSERT INTO call_ledger VALUES (%1, 'g', 's', 't', 'x', '', 'm', "
                              "'p', 'r', 'openai', 0, 0, NULL, 5, 'ok', 200, '', NULL, NULL, NULL, "
                              "NULL, NULL, 0, NULL, 0, 0, 0, 0, 0, 0, 0, 'fixed', 'fixed', 0, '', "
                              "1, 1, 0, 1, 0, NULL)")
                          .arg(key));
        }
        static_cast<void>(openStore(m_path));
        QCOMPARE(
            shell.rows("SELECT request_id, attempt, final FROM call_ledger ORDER BY 1, 2"),
            "a|1|0\na|2|1\nb|1|1");
    }

    void leavesNothingOfAFailedMigration()
    {
        const auto db =
            SqliteDb::open(m_path, SqliteDb::Open::Create, std::chrono::seconds{1}).value();
        const std::array<Migration, 2> broken{{
            {"0001_good", "CREATE TABLE good (x)"},
            {"0002_bad", "CREATE TABLE half (x); CREATE TABLE"},
        }};
        const Status<> migrated = migrate(*db, broken, kNoon, nothing);
        QVERIFY(migrated.error().where.find("0002_bad") != std::string::npos);
        QCOMPARE(schemaVersion(*db).value(), 0);
        QCOMPARE(ForeignClient(m_path).rows("SELECT name FROM sqlite_schema"), "");
    }

    void appliesOnlyWhatIsMissing()
    {
        const auto db =
            SqliteDb::open(m_path, SqliteDb::Open::Create, std::chrono::seconds{1}).value();
        const std::array<Migration, 2> both{{
            {"0001_a", "CREATE TABLE a (x)"},
            {"0002_b", "CREATE TABLE b (x)"},
        }};
        std::vector<std::int64_t> found;
        const auto note = [&found](SqlConnection&, std::int64_t from) {
            found.push_back(from);
            return Status<>{};
        };
        QVERIFY(migrate(*db, std::span{both}.first(1), kNoon, note));
        QVERIFY(migrate(*db, both, kNoon, note));
        QVERIFY(migrate(*db, both, kNoon, note));
        QCOMPARE(schemaVersion(*db).value(), 2);
        QCOMPARE(found, (std::vector<std::int64_t>{0, 1}));
    }

    void saysThatAFileIsNoDatabase()
    {
        QFile file(QString::fromStdString(m_path.string()));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray(4096, 'x'));
        file.close();
        const auto opened = openSqlite({.path = m_path, .host = "h", .now = kNoon});
        QCOMPARE(opened.error().code, std::string{"store"});
        QVERIFY(opened.error().detail.find("not a database") != std::string::npos);
    }

private:
    std::unique_ptr<QTemporaryDir> m_dir;
    std::filesystem::path m_path;
};

QTEST_APPLESS_MAIN(TestMigrations)
#include "tst_migrations.moc"
