// SPDX-License-Identifier: Apache-2.0
#include "agent/run/incident_job.h"
#include "agent/store/sqlite_store.h"

#include <QTemporaryDir>
#include <QTest>

#include <set>

using namespace weir;
using namespace weir::run;

namespace {

constexpr std::int64_t kStartMs = 1'796'032'800'000;
constexpr std::int64_t kMinuteMs = 60'000;

/// Cheap leads; a task costs half there of what it costs at dear.
Summary cheapLeads()
{
    Summary summary;
    PoolSummary& pool = summary.pools.emplace_back();
    pool.model = "m";
    pool.taskType = "default";
    pool.leader = "cheap";
    for (const char* provider : {"cheap", "dear"}) {
        RouteFigures& route = pool.routes.emplace_back();
        route.provider = provider;
        route.costNanoUsd = std::string_view{provider} == "cheap" ? 1'000'000 : 2'000'000;
    }
    return summary;
}

store::FactRow row(const std::string& id, int attempt, const std::string& provider, Outcome outcome)
{
    store::FactRow row;
    row.requestId = id;
    row.attempt = attempt;
    row.model = "m";
    row.taskType = "default";
    row.provider = provider;
    row.fact.outcome = outcome;
    row.fact.costMicroUsd = outcome == Outcome::Ok ? 1000 : 0;
    return row;
}

} // namespace

class TestIncidentJob final : public QObject
{
    Q_OBJECT

private slots:

    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        store::SqliteOptions options;
        options.path = std::filesystem::path{m_dir->path().toStdString()} / "weir.db";
        options.host = "here";
        options.now = fromEpochMs(kStartMs);
        auto opened = store::openSqlite(options);
        if (!opened) qFatal("%s", opened.error().text().c_str());
        m_store = std::move(*opened);
        m_lease = m_store->takeLease("summary", "agent-1", std::chrono::hours{1}).value().value();
    }

    void cleanup() { m_store.reset(); }

    /// A minute of 429s at the leader: what spilled, what it cost, and who was told of a failure.
    void aBurstIsKeptWithWhatItDid()
    {
        IncidentJob job(*m_store, m_lease);
        QVERIFY(job.restore(kStartMs));
        job.note({}, cheapLeads());
        for (int i = 0; i < 30; ++i) {
            const std::string id = "r" + std::to_string(i);
            add(job, row(id, 1, "cheap", Outcome::RateLimited), kStartMs + i * 1000);
            if (i > 0) add(job, row(id, 2, "dear", Outcome::Ok), kStartMs + i * 1000 + 500);
            store::FactRow spilled = row("s" + std::to_string(i), 1, "dear", Outcome::Ok);
            spilled.reason = Reason::Spill;
            add(job, spilled, kStartMs + i * 1000);
        }
        QVERIFY(job.advance(kStartMs + 2 * kMinuteMs, 0));
        const std::vector<Incident> incidents = m_store->incidents({}).value();
        QCOMPARE(incidents.size(), 1U);
        QCOMPARE(incidents[0].kind, IncidentKind::RateLimitBurst);
        QCOMPARE(incidents[0].key, std::string{"m/cheap"});
        QCOMPARE(incidents[0].onsetMs, kStartMs);
        QCOMPARE(incidents[0].divertedCalls, 30);
        // Half of each of the 30 calls' 1000 micro-dollars.
        QCOMPARE(incidents[0].extraCostMicroUsd, 15'000);
        QCOMPARE(incidents[0].userFailures, 1);
        QVERIFY(!incidents[0].endMs);
    }

    /// What befalls Redis: agents that go by themselves, and gates that learn anew.
    void aFleetWithoutItsMemoryIsAnIncident()
    {
        IncidentJob job(*m_store, m_lease);
        QVERIFY(job.restore(kStartMs));
        // Before this agent was elected: its predecessor has told of it.
        job.look({}, {.agents = 5, .localAgents = 0, .emptied = 3}, kStartMs + 1'000);
        job.look({}, {.agents = 5, .localAgents = 1, .emptied = 3}, kStartMs + 6'000);
        job.look({}, {.agents = 5, .localAgents = 1, .emptied = 3}, kStartMs + 11'000);
        QVERIFY(job.advance(kStartMs + 2 * kMinuteMs, 0));
        QVERIFY(m_store->incidents({}).value().empty());
        const std::int64_t later = kStartMs + 2 * kMinuteMs;
        job.look({}, {.agents = 5, .localAgents = 2, .emptied = 3}, later + 1'000);
        job.look({}, {.agents = 5, .localAgents = 2, .emptied = 4}, later + 6'000);
        QVERIFY(job.advance(later + 2 * kMinuteMs, 0));
        std::set<IncidentKind> kinds;
        const std::vector<Incident> incidents = m_store->incidents({}).value();
        for (const Incident& incident : incidents)
            kinds.insert(incident.kind);
        QCOMPARE(kinds, (std::set{IncidentKind::GateLocal, IncidentKind::RedisEmpty}));
    }

    /// Who reads of it must not take what was meant for trouble.
    void whatADrillBroughtSaysSo_data()
    {
        QTest::addColumn<QString>("provider");
        QTest::addColumn<qint64>("startMs");
        QTest::addColumn<bool>("marked");
        QTest::newRow("its route, then") << "cheap" << qint64{10'000} << true;
        QTest::newRow("another route") << "dear" << qint64{10'000} << false;
        QTest::newRow("over before") << "cheap" << qint64{-120'000} << false;
        QTest::newRow("later") << "cheap" << qint64{60'000} << false;
    }

    void whatADrillBroughtSaysSo()
    {
        QFETCH(QString, provider);
        QFETCH(qint64, startMs);
        QFETCH(bool, marked);
        Drill drill;
        drill.id = "drill-1";
        drill.model = "m";
        drill.provider = provider.toStdString();
        drill.startsAt = fromEpochMs(kStartMs + startMs);
        drill.endsAt = drill.startsAt + std::chrono::minutes{1};
        IncidentJob job(*m_store, m_lease);
        job.drills = [&drill] { return std::vector<Drill>{drill}; };
        QVERIFY(job.restore(kStartMs));
        for (int i = 0; i < 30; ++i) {
            add(job,
                row("r" + std::to_string(i), 1, "cheap", Outcome::RateLimited),
                kStartMs + i * 1000);
        }
        // Saved twice, when it opens and when it closes: the mark stands there once, and stays.
        QVERIFY(job.advance(kStartMs + 2 * kMinuteMs, 0));
        QVERIFY(job.advance(kStartMs + 30 * kMinuteMs, 0));
        const Incident incident = m_store->incidents({}).value().at(0);
        QVERIFY(incident.endMs);
        QString details;
        for (const IncidentEvent& event : incident.events)
            details += QString::fromStdString(event.detail) + '\n';
        QCOMPARE(details.count("during drill drill-1"), marked ? 1 : 0);
    }

    /// A restart in the middle: the same incident goes on, under the same id.
    void anOpenIncidentOutlivesARestart()
    {
        std::string id;
        {
            IncidentJob job(*m_store, m_lease);
            QVERIFY(job.restore(kStartMs));
            for (int i = 0; i < 30; ++i) {
                add(job,
                    row("r" + std::to_string(i), 1, "cheap", Outcome::RateLimited),
                    kStartMs + i * 1000);
            }
            QVERIFY(job.advance(kStartMs + 2 * kMinuteMs, 0));
            id = m_store->incidents({}).value().at(0).id;
        }
        IncidentJob job(*m_store, m_lease);
        QVERIFY(job.restore(kStartMs + 3 * kMinuteMs));
        QVERIFY(job.advance(kStartMs + 30 * kMinuteMs, 0));
        const std::vector<Incident> incidents = m_store->incidents({}).value();
        QCOMPARE(incidents.size(), 1U);
        QCOMPARE(incidents[0].id, id);
        QVERIFY(incidents[0].endMs);
    }

    /// A third of the calls fail for an hour: a trouble of its own, with what is left of the month.
    void aBurningBudgetIsAnIncident()
    {
        IncidentJob job(*m_store, m_lease);
        QVERIFY(job.restore(kStartMs));
        fail(job, kStartMs, 60);
        QVERIFY(job.advance(kStartMs + 61 * kMinuteMs, 0));
        const Incident burn = burning();
        QCOMPARE(burn.key, std::string{"m/cheap"});
        QVERIFY(!burn.endMs);
        QVERIFY2(
            burn.events[1].detail.starts_with("availability burns x33.3 over 1 h, x33.3 over "),
            burn.events[1].detail.c_str());
        QVERIFY(burn.events[1].detail.ends_with("nothing of 28 d left"));
        QCOMPARE(job.budgets().at(0).level, routing::BurnLevel::Page);
        // Quiet for 12 hours, for the ticket's window is of six: over.
        QVERIFY(job.advance(kStartMs + 20 * 60 * kMinuteMs, 0));
        QVERIFY(burning().endMs);
        QCOMPARE(job.budgets().at(0).level, routing::BurnLevel::None);
    }

    /// What the history of the ledger says counts as if the program had run all the time.
    void budgetsOutliveARestart()
    {
        std::vector<CallRecord> records;
        for (int i = 0; i < 600; ++i) {
            // Ten a minute for an hour up to the restart, and as many twenty days before.
            for (const std::int64_t before : {0LL, 20LL * 24 * 60 * kMinuteMs}) {
                CallRecord record;
                record.requestId = std::to_string(before) + "-" + std::to_string(i);
                record.model = "m";
                record.taskType = "default";
                record.provider = "cheap";
                record.startedAt = fromEpochMs(kStartMs - 60 * kMinuteMs - before + i * 6000);
                const bool isBad = before == 0 && i % 4 == 0;
                record.outcome = isBad ? Outcome::ServerError : Outcome::Ok;
                if (!isBad) record.ttftMs = i % 10 == 1 && before == 0 ? 5000 : 1000;
                records.push_back(record);
            }
        }
        QVERIFY(m_store->ingest(records, "agent", {}));
        IncidentJob job(*m_store, m_lease);
        QVERIFY(job.restore(kStartMs));
        QVERIFY(job.advance(kStartMs, 0));
        const std::vector<routing::BudgetStatus> budgets = job.budgets();
        QCOMPARE(budgets.size(), 3U);
        QCOMPARE(budgets[0].slo, routing::Slo::Availability);
        QCOMPARE(budgets[0].level, routing::BurnLevel::Page);
        // 150 of 600 in the hour, of 1200 in the month; 12 of them were allowed.
        QCOMPARE(budgets[0].burnMilli[2], 25'000);
        QCOMPARE(budgets[0].leftPpm.value(), 1'000'000 - 12'500'000);
        // Of 450 answers, every tenth call came five times as late as usual.
        QCOMPARE(budgets[2].slo, routing::Slo::Latency);
        QCOMPARE(budgets[2].burnMilli[2], 60LL * 1000 * 20 / 450);
        // Going on, its first minute opens the incident at once.
        QVERIFY(job.advance(kStartMs + 2 * kMinuteMs, 0));
        QVERIFY(!burning().endMs);
    }

private:
    /// Nine calls a minute, of which three fail.
    static void fail(IncidentJob& job, std::int64_t fromMs, int minutes)
    {
        for (int i = 0; i < minutes * 9; ++i) {
            const Outcome outcome = i % 3 == 0 ? Outcome::ServerError : Outcome::Ok;
            add(job, row("b" + std::to_string(i), 1, "cheap", outcome), fromMs + i * kMinuteMs / 9);
        }
    }

    [[nodiscard]] Incident burning() const
    {
        const std::vector<Incident> all = m_store->incidents({}).value();
        for (const Incident& incident : all) {
            if (incident.kind == IncidentKind::BudgetBurn) return incident;
        }
        qFatal("no budget_burn");
    }

    static void add(IncidentJob& job, store::FactRow row, std::int64_t endedMs)
    {
        row.fact.endedMs = row.fact.startedMs = endedMs;
        job.add(row);
    }

    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<store::Database> m_store;
    store::Lease m_lease;
};

QTEST_APPLESS_MAIN(TestIncidentJob)
#include "tst_incident_job.moc"
