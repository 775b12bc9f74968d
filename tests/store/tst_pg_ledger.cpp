// SPDX-License-Identifier: Apache-2.0
#include "agent/store/pg_store.h"
#include "tests/store/foreign_client.h"
#include "tests/store/samples.h"

#include <QTemporaryDir>
#include <QTest>

using namespace weir;
using namespace weir::store;
using namespace weir::tests;

/// A batch for the ledger that the Postgres does not take as it is: what becomes of its rows.
class TestPgLedger : public QObject
{
    Q_OBJECT

private slots:

    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        m_path = std::filesystem::path{m_dir->path().toStdString()} / "weir.db";
    }

    /// Whatever a row is refused for harms that row alone.
    void aBadRowStandsAlone()
    {
        const auto store = openStore(m_path);
        ForeignClient shell(m_path);
        QCOMPARE(
            shell.run("ALTER TABLE call_ledger DROP CONSTRAINT known_reason, "
                      "ADD CONSTRAINT known_reason CHECK (task_type <> 'bad')"),
            "");
        std::vector<CallRecord> batch;
        for (int i = 0; i < 100; ++i)
            batch.push_back(sampleRecord(i));
        for (const std::size_t bad : {0U, 37U, 38U, 99U})
            batch[bad].taskType = "bad";
        batch.push_back(sampleRecord(50));
        batch.push_back(sampleRecord(200));
        batch.back().startedAt = fromEpochMs(-1);
        const Ingested done = store->ingest(batch, "agent-1", {1, 2, 3}).value();
        QCOMPARE(done.refused, 5);
        QCOMPARE(done.repeated, 1);
        QCOMPARE(done.inserted, 96);
        QCOMPARE(shell.rows("SELECT count(*) FROM call_ledger"), "96");
        QCOMPARE(shell.rows("SELECT sum(calls) FROM route_minute"), "96");
    }

    /// Rows that could go in if somebody had not changed the database are not given up.
    void noRowIsLostToAChangedDatabase_data()
    {
        QTest::addColumn<QString>("change");
        QTest::addColumn<QString>("undo");
        QTest::addColumn<QString>("says");
        QTest::newRow("a rule of somebody's")
            << "ALTER TABLE call_ledger ADD CONSTRAINT odd CHECK (attempt > 9) NOT VALID"
            << "ALTER TABLE call_ledger DROP CONSTRAINT odd"
            << "\"odd\"";
        QTest::newRow("a rule for other requests")
            << "ALTER TABLE unserved_request ADD CONSTRAINT odd CHECK (length(why) > 99)"
            << "ALTER TABLE unserved_request DROP CONSTRAINT odd"
            << "\"odd\"";
        QTest::newRow("a trigger of somebody's")
            << "CREATE FUNCTION no() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION "
               "'not today'; END $$; CREATE TRIGGER no BEFORE INSERT ON call_ledger "
               "FOR EACH ROW EXECUTE FUNCTION no()"
            << "DROP TRIGGER no ON call_ledger"
            << "not today";
        QTest::newRow("another key") << "CREATE UNIQUE INDEX odd ON call_ledger_20261130 (service)"
                                     << "DROP INDEX odd"
                                     << "\"odd\"";
        QTest::newRow("another column") << "ALTER TABLE call_ledger ADD COLUMN team text NOT NULL"
                                        << "ALTER TABLE call_ledger DROP COLUMN team"
                                        << "team";
        QTest::newRow("a narrower column")
            << "ALTER TABLE call_ledger ALTER COLUMN service TYPE varchar(2)"
            << "ALTER TABLE call_ledger ALTER COLUMN service TYPE text"
            << "too long";
        QTest::newRow("a day taken away")
            << "ALTER TABLE call_ledger DETACH PARTITION call_ledger_20261130"
            << "ALTER TABLE call_ledger ATTACH PARTITION call_ledger_20261130 "
               "FOR VALUES FROM (1795996800000) TO (1796083200000)"
            << "call_ledger_20261130 is there, but is no partition of it (attach it again";
        QTest::newRow("a day taken away and renamed")
            << "ALTER TABLE call_ledger RENAME TO was_ledger"
            << "ALTER TABLE was_ledger RENAME TO call_ledger"
            << "call_ledger";
    }

    void noRowIsLostToAChangedDatabase()
    {
        QFETCH(QString, change);
        QFETCH(QString, undo);
        QFETCH(QString, says);
        const auto store = openStore(m_path);
        ForeignClient shell(m_path);
        QCOMPARE(shell.run("SELECT weir_ledger_ensure_day(1796032800000)"), "");
        QCOMPARE(shell.run(change), "");
        std::vector<CallRecord> batch;
        for (int i = 0; i < 20; ++i)
            batch.push_back(sampleRecord(i));
        batch.back().unserved = Unserved::Shed;
        const Result<Ingested> failed = store->ingest(batch, "agent-1", {1, 2, 3});
        QVERIFY(!failed);
        const QString text = QString::fromStdString(failed.error().text());
        QVERIFY2(text.contains(says), qPrintable(text));
        QVERIFY(!store->spoolPosition("agent-1").value());
        QCOMPARE(shell.run(undo), "");
        QCOMPARE(store->ingest(batch, "agent-1", {1, 2, 3}).value().inserted, 20);
    }

    /// The server ends one of two transactions that wait for each other: none of its batch is
    /// there, and all of it the next time.
    void aDeadlockCostsNothing_data()
    {
        QTest::addColumn<QString>("state");
        QTest::newRow("deadlock") << "40P01";
        QTest::newRow("serialization") << "40001";
    }

    void aDeadlockCostsNothing()
    {
        QFETCH(QString, state);
        const auto store = openStore(m_path);
        ForeignClient shell(m_path);
        QCOMPARE(
            shell.run(
                "CREATE FUNCTION clash() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
                "RAISE EXCEPTION 'clash' USING ERRCODE = '" +
                state +
                "'; END $$; CREATE TRIGGER clash BEFORE INSERT ON spool_position "
                "FOR EACH ROW EXECUTE FUNCTION clash()"),
            "");
        const std::vector<CallRecord> batch{sampleRecord(1), sampleRecord(2)};
        QCOMPARE(store->ingest(batch, "agent-1", {1, 2, 3}).error().code, std::string{"busy"});
        QCOMPARE(shell.rows("SELECT count(*) FROM call_ledger"), "0");
        QCOMPARE(shell.rows("SELECT count(*) FROM route_10s"), "0");
        QCOMPARE(shell.run("DROP TRIGGER clash ON spool_position"), "");
        QCOMPARE(store->ingest(batch, "agent-1", {1, 2, 3}).value().inserted, 2);
        QCOMPARE(shell.rows("SELECT sum(calls) FROM route_10s"), "2");
    }

    /// Rows that come in for days that there are not: long ago, and over midnight.
    void makesTheDaysThatItNeeds()
    {
        const auto store = openStore(m_path);
        std::vector<CallRecord> batch;
        for (int i = 0; i < 4; ++i) {
            batch.push_back(sampleRecord(i));
            batch.back().startedAt = fromEpochMs(1'500'000'000'000 + 86'400'000LL * 40 * i);
        }
        QCOMPARE(store->ingest(batch, "agent-1", {1, 2, 3}).value().inserted, 4);
        QCOMPARE(store->ingest(batch, "agent-1", {1, 2, 3}).value().repeated, 4);
        ForeignClient shell(m_path);
        QCOMPARE(shell.rows("SELECT count(*) FROM call_ledger_20170714"), "1");
        QCOMPARE(shell.run("DROP TABLE call_ledger_20170714"), "");
        QCOMPARE(store->ingest(batch, "agent-1", {1, 2, 3}).value().inserted, 1);
    }

private:
    std::unique_ptr<QTemporaryDir> m_dir;
    std::filesystem::path m_path;
};

QTEST_APPLESS_MAIN(TestPgLedger)
#include "tst_pg_ledger.moc"
