// SPDX-License-Identifier: Apache-2.0
#include "tests/store/foreign_client.h"
#include "tests/store/samples.h"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace weir;
using namespace weir::store;
using namespace weir::tests;
using std::chrono::minutes;
using std::chrono::seconds;

namespace {

Authorship ann(UtcTime at = kNoon)
{
    return {"ann", "desk", "to see it", "", at};
}

Drill sampleDrill(const std::string& id, const std::string& provider = "a")
{
    Drill drill;
    drill.id = id;
    drill.kind = DrillKind::Delay;
    drill.model = "m";
    drill.provider = provider;
    drill.sharePpm = 300'000;
    drill.delayMs = 700;
    drill.startsAt = kNoon;
    drill.endsAt = kNoon + minutes{5};
    drill.abortFailurePpm = 20'000;
    return drill;
}

const QString kInsert =
    "INSERT INTO drill (id, kind, model, provider, share_ppm, delay_ms, starts_at_ms, ends_at_ms, "
    "abort_failure_ppm, started_by, reason) VALUES ";

} // namespace

/// The rows of drills: what may stand there, who is told of them, and how they end.
class TestDrillStore : public QObject
{
    Q_OBJECT

private slots:

    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        const std::filesystem::path path{m_dir->path().toStdString() + "/weir.db"};
        m_store = openStore(path);
        m_shell = std::make_unique<ForeignClient>(path);
    }

    void cleanup()
    {
        m_shell.reset();
        m_store.reset();
    }

    /// Everybody reads it until somebody ends it, and the end is written once.
    void startAndEnd()
    {
        const Result<Drill> started = m_store->startDrill(sampleDrill("d1"), ann());
        QVERIFY2(started, started ? "" : started.error().text().c_str());
        QCOMPARE(started->startedBy, "ann");
        QCOMPARE(started->reason, "to see it");
        QCOMPARE(m_store->readDecisions()->drills, std::vector<Drill>{*started});

        const DrillEnd end{"d1", "stopped", {"bob", "desk", "seen", "", kNoon + seconds{9}}};
        const Result<StoredDrill> ended = m_store->endDrill(end);
        QVERIFY(ended);
        QCOMPARE(ended->drill.endReason, "stopped");
        QCOMPARE(ended->drill.endedAt, std::optional{kNoon + seconds{9}});
        QCOMPARE(ended->endedBy, "bob");
        QVERIFY(m_store->readDecisions()->drills.empty());

        DrillEnd late = end;
        late.reason = "aborted";
        QCOMPARE(m_store->endDrill(late)->drill.endReason, "stopped");
        late.id = "d2";
        QCOMPARE(m_store->endDrill(late).error().code, "no_drill");
    }

    void oneAModelAtATime()
    {
        QVERIFY(m_store->startDrill(sampleDrill("d1"), ann()));
        const Result<Drill> second = m_store->startDrill(sampleDrill("d2", "b"), ann());
        QCOMPARE(second.error().code, "drill_running");
        QCOMPARE(second.error().where, "d1");
        // Whose time is over is over, though no agent was there to say so.
        QVERIFY(m_store->startDrill(sampleDrill("d2", "b"), ann(kNoon + minutes{5})));
        const auto first = m_store->drill("d1");
        QCOMPARE((*first)->drill.endReason, "time");
        QCOMPARE((*first)->drill.endedAt, std::optional{kNoon + minutes{5}});
        QCOMPARE(m_store->drills(10)->size(), std::size_t{2});
    }

    void refuses_data()
    {
        QTest::addColumn<QString>("sql");
        QTest::addColumn<QString>("complaint");
        const auto insert = [](const char* name, const QString& values, const char* complaint) {
            QTest::newRow(name) << kInsert + values << complaint;
        };
        insert("kind", "('d', 'fire', 'm', 'a', 1, 0, 0, 9, 0, 'ann', 'x')", "known_kind");
        insert("no reason", "('d', 'error', 'm', 'a', 1, 0, 0, 9, 0, 'ann', ' ')", "reason_given");
        insert("nobody", "('d', 'error', 'm', 'a', 1, 0, 0, 9, 0, '', 'x')", "starter_named");
        insert("no share", "('d', 'error', 'm', 'a', 0, 0, 0, 9, 0, 'ann', 'x')", "share_range");
        insert(
            "above all",
            "('d', 'error', 'm', 'a', 1000001, 0, 0, 9, 0, 'ann', 'x')",
            "share_range");
        insert("no delay", "('d', 'delay', 'm', 'a', 1, 0, 0, 9, 0, 'ann', 'x')", "delay_range");
        insert(
            "endless delay",
            "('d', 'delay', 'm', 'a', 1, 60001, 0, 9, 0, 'ann', 'x')",
            "delay_range");
        insert(
            "delayed error", "('d', 'error', 'm', 'a', 1, 5, 0, 9, 0, 'ann', 'x')", "delay_range");
        insert(
            "over an hour", "('d', 'error', 'm', 'a', 1, 0, 0, 3600001, 0, 'ann', 'x')", "an_hour");
        insert("backwards", "('d', 'error', 'm', 'a', 1, 0, 9, 9, 0, 'ann', 'x')", "an_hour");
        insert("abort", "('d', 'error', 'm', 'a', 1, 0, 0, 9, -1, 'ann', 'x')", "abort_range");
        insert(
            "same route",
            "('d', 'error', 'm', 'run', 1, 0, 0, 9, 0, 'ann', 'x')",
            "drill.model|drill_one_a_route");
        insert(
            "same id",
            "('r', 'error', 'n', 'a', 1, 0, 0, 9, 0, 'ann', 'x')",
            "row exists|drill_pkey");
        const auto row = [](const char* name, const char* sql, const char* complaint) {
            QTest::newRow(name) << QString{sql} << complaint;
        };
        row("longer",
            "UPDATE drill SET ends_at_ms = ends_at_ms + 1 WHERE id = 'r'",
            "only its end");
        row("other kind", "UPDATE drill SET kind = 'breaker' WHERE id = 'r'", "only its end");
        row("end without a word", "UPDATE drill SET ended_at_ms = 5 WHERE id = 'r'", "whole_end");
        row("word of no end",
            "UPDATE drill SET ended_at_ms = 5, end_reason = 'luck', end_text = 'x', ended_by = 'x' "
            "WHERE id = 'r'",
            "known_end");
        row("back again",
            "UPDATE drill SET ended_at_ms = NULL, end_reason = '', end_text = '', ended_by = '' "
            "WHERE id = 'e'",
            "it has ended");
        row("deleted", "DELETE FROM drill WHERE id = 'e'", "rows stay");
    }

    void refuses()
    {
        QFETCH(QString, sql);
        QFETCH(QString, complaint);
        QCOMPARE(
            m_shell->run(
                kInsert + "('r', 'error', 'm', 'run', 1, 0, 0, 9, 0, 'ann', 'x'), "
                          "('e', 'error', 'm', 'end', 1, 0, 0, 9, 0, 'ann', 'x')"),
            "");
        QCOMPARE(
            m_shell->run("UPDATE drill SET ended_at_ms = 5, end_reason = 'time', end_text = 'x', "
                         "ended_by = 'x' WHERE id = 'e'"),
            "");
        const QString before = m_shell->rows("SELECT * FROM drill");
        const QString said = m_shell->run(sql);
        QVERIFY2(said.contains(QRegularExpression(complaint)), qPrintable(said));
        QCOMPARE(m_shell->rows("SELECT * FROM drill"), before);
    }

    void audited()
    {
        QVERIFY(m_store->startDrill(sampleDrill("d1"), ann()));
        QVERIFY(m_store->endDrill({"d1", "stopped", {"bob", "lab", "seen", "", kNoon}}));
        QCOMPARE(
            m_shell->rows("SELECT who, host, row_key, reason, version, "
                          "new_value ->> 'kind', new_value ->> 'end_reason' FROM settings_audit "
                          "WHERE table_name = 'drill' ORDER BY id"),
            "ann|desk|d1|to see it|1|delay|\nbob|lab|d1|seen|2||stopped");
    }

    void countsOfAllAgents()
    {
        QVERIFY(m_store->saveDrillCounts("d1", "one", {10, 1, 5, 2}));
        QVERIFY(m_store->saveDrillCounts("d1", "two", {1, 0, 1, 0}));
        QVERIFY(m_store->saveDrillCounts("d1", "one", {20, 1, 9, 3}));
        QCOMPARE(*m_store->drillCounts("d1"), (DrillCounts{21, 1, 10, 3}));
        QCOMPARE(*m_store->drillCounts("none"), DrillCounts{});
    }

private:
    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<Database> m_store;
    std::unique_ptr<ForeignClient> m_shell;
};

QTEST_APPLESS_MAIN(TestDrillStore)
#include "tst_drill_store.moc"
