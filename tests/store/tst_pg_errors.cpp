// SPDX-License-Identifier: Apache-2.0
#include "agent/store/pg.h"
#include "agent/store/pg_store.h"
#include "tests/store/foreign_client.h"
#include "tests/store/samples.h"

#include <QTemporaryDir>
#include <QTest>

using namespace weir;
using namespace weir::store;
using namespace weir::tests;

/// What a Postgres says no to, and what a person gets to read of it.
class TestPgErrors : public QObject
{
    Q_OBJECT

private slots:

    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        m_path = std::filesystem::path{m_dir->path().toStdString()} / "weir.db";
        m_url = postgresUrl(m_path);
        m_db = connection();
        QCOMPARE(ForeignClient(m_path).run("CREATE TABLE t (n bigint, s text, r float8)"), "");
    }

    void cleanup() { m_db.reset(); }

    void errorsHaveTheirCodes_data()
    {
        QTest::addColumn<QString>("sql");
        QTest::addColumn<QString>("code");
        const auto raise = [](const char* state) {
            return QString("DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '%1'; END $$")
                .arg(state);
        };
        QTest::newRow("serialization") << raise("40001") << "busy";
        QTest::newRow("deadlock") << raise("40P01") << "busy";
        QTest::newRow("lock") << raise("55P03") << "busy";
        QTest::newRow("disk full") << raise("53100") << "store_full";
        QTest::newRow("memory") << raise("53200") << "store_full";
        QTest::newRow("constraint") << raise("23514") << "refused";
        QTest::newRow("raised") << raise("P0001") << "refused";
        QTest::newRow("no number") << "SELECT 'a'::bigint"
                                   << "refused";
        QTest::newRow("read only") << raise("25006") << "read_only";
        QTest::newRow("not allowed") << raise("42501") << "forbidden";
        QTest::newRow("shutting down") << raise("57P01") << "unreachable";
        QTest::newRow("syntax") << "SELEKT"
                                << "store";
        QTest::newRow("no table") << "SELECT * FROM nowhere"
                                  << "store";
    }

    void errorsHaveTheirCodes()
    {
        QFETCH(QString, sql);
        QFETCH(QString, code);
        const Status<> failed = m_db->script(sql.toStdString());
        QCOMPARE(QString::fromStdString(failed.error().code), code);
        QVERIFY(failed.error().where.starts_with("postgresql://postgres@127.0.0.1:"));
        QVERIFY(m_db->script("SELECT 1"));
    }

    /// The row itself may be about anything.
    void anErrorDoesNotShowTheRow()
    {
        QVERIFY(m_db->script("ALTER TABLE t ADD CONSTRAINT short CHECK (length(s) < 5)"));
        const std::string text = "confidential";
        const Status<> failed = Statement(*m_db, "INSERT INTO t (s) VALUES (?)").bind(text).run();
        QVERIFY(failed.error().detail.find("short") != std::string::npos);
        QCOMPARE(failed.error().detail.find("confidential"), std::string::npos);
    }

    void aServerForReadersIsRead()
    {
        QCOMPARE(
            ForeignClient(m_path).run(
                "ALTER DATABASE " + database() + " SET default_transaction_read_only = on"),
            "");
        const auto db = connection();
        QVERIFY(db->script("SELECT * FROM t"));
        QCOMPARE(db->script("INSERT INTO t (n) VALUES (1)").error().code, std::string{"read_only"});
    }

    void tellsWhyItIsNotLetIn_data()
    {
        QTest::addColumn<QString>("url");
        QTest::addColumn<QString>("code");
        QTest::newRow("password") << url("locked:hunter2", "weir") << "forbidden";
        QTest::newRow("no password") << url("locked", "weir") << "forbidden";
        QTest::newRow("nobody") << url("nobody:hunter2", "weir") << "forbidden";
        QTest::newRow("database") << url("postgres:hunter2", "hunter3") << "store_missing";
        QTest::newRow("port") << "postgresql://u:hunter2@127.0.0.1:1/weir"
                              << "unreachable";
        QTest::newRow("name") << "postgresql://u:hunter2@nowhere.invalid/weir"
                              << "unreachable";
        QTest::newRow("option") << "postgresql://h/weir?password=hunter2&luck=1"
                                << "bad_store_url";
        QTest::newRow("percent") << "postgresql://u:hunter2%@h/weir"
                                 << "bad_store_url";
        QTest::newRow("slash") << "postgresql://u:hunter2/a@h/weir"
                               << "bad_store_url";
        QTest::newRow("digits, slash") << "postgresql://u:1/hunter2@h/weir"
                                       << "bad_store_url";
        QTest::newRow("at") << "postgresql://u:a@hunter2@h/weir"
                            << "bad_store_url";
        QTest::newRow("question") << "postgresql://u:hunter2?b@h/weir"
                                  << "bad_store_url";
        QTest::newRow("digits, question") << "postgresql://u:1?password=hunter2@h/weir"
                                          << "bad_store_url";
    }

    /// And never what the password was.
    void tellsWhyItIsNotLetIn()
    {
        QFETCH(QString, url);
        QFETCH(QString, code);
        lockOut();
        const auto opened =
            openPostgres({.url = url.toStdString(), .application = "t", .host = "h"});
        const Error error = opened ? (*opened)->spoolPosition("nobody").error() : opened.error();
        QCOMPARE(QString::fromStdString(error.code), code);
        QVERIFY2(!error.text().empty(), "");
        QCOMPARE(error.text().find("hunter2"), std::string::npos);
    }

private:
    [[nodiscard]] std::unique_ptr<PgConnection> connection() const
    {
        return std::make_unique<PgConnection>(
            pgTarget(m_url, "tst_pg", std::chrono::seconds{5}).value(),
            [](PgConnection&) -> Status<> { return {}; });
    }

    [[nodiscard]] QString database() const
    {
        const QString url = QString::fromStdString(m_url);
        return url.mid(url.lastIndexOf('/') + 1);
    }

    /// The tests' server as somebody else.
    [[nodiscard]] static QString url(const QString& user, const QString& database)
    {
        QString server = qEnvironmentVariable("WEIR_TEST_POSTGRES");
        server = server.mid(server.indexOf('@') + 1);
        return "postgresql://" + user + '@' + server.left(server.indexOf('/') + 1) + database;
    }

    /// The user `locked` needs a password from now on.
    void lockOut() const
    {
        ForeignClient shell(m_path);
        shell.run("CREATE ROLE locked LOGIN PASSWORD 'another'");
        QCOMPARE(
            shell.run("DO $$ BEGIN EXECUTE format('COPY (VALUES (%L), (%L)) TO %L', "
                      "'host all locked 127.0.0.1/32 scram-sha-256', "
                      "'host all all 127.0.0.1/32 trust', "
                      "current_setting('hba_file')); END $$; SELECT pg_reload_conf()"),
            "");
        QTRY_COMPARE(
            shell.rows("SELECT count(*) FROM pg_hba_file_rules WHERE auth_method LIKE 'scram%'"),
            "1");
    }

    std::unique_ptr<QTemporaryDir> m_dir;
    std::filesystem::path m_path;
    std::string m_url;
    std::unique_ptr<PgConnection> m_db;
};

QTEST_APPLESS_MAIN(TestPgErrors)
#include "tst_pg_errors.moc"
