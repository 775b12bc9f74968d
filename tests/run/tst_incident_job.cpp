// SPDX-License-Identifier: Apache-2.0
#include "agent/run/incident_job.h"
#include "agent/store/sqlite_store.h"

#include <QTemporaryDir>
#include <QTest>

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
        auto opened = store::SqliteStore::open(options);
        if (!opened) qFatal("%s", opened.error().text().c_str());
        m_store = std::move(*opened);
    }

    void cleanup() { m_store.reset(); }

    /// A minute of 429s at the leader: what spilled, what it cost, and who was told of a failure.
    void aBurstIsKeptWithWhatItDid()
    {
        IncidentJob job(*m_store);
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

    /// A restart in the middle: the same incident goes on, under the same id.
    void anOpenIncidentOutlivesARestart()
    {
        std::string id;
        {
            IncidentJob job(*m_store);
            QVERIFY(job.restore(kStartMs));
            for (int i = 0; i < 30; ++i) {
                add(job,
                    row("r" + std::to_string(i), 1, "cheap", Outcome::RateLimited),
                    kStartMs + i * 1000);
            }
            QVERIFY(job.advance(kStartMs + 2 * kMinuteMs, 0));
            id = m_store->incidents({}).value().at(0).id;
        }
        IncidentJob job(*m_store);
        QVERIFY(job.restore(kStartMs + 3 * kMinuteMs));
        QVERIFY(job.advance(kStartMs + 30 * kMinuteMs, 0));
        const std::vector<Incident> incidents = m_store->incidents({}).value();
        QCOMPARE(incidents.size(), 1U);
        QCOMPARE(incidents[0].id, id);
        QVERIFY(incidents[0].endMs);
    }

private:
    static void add(IncidentJob& job, store::FactRow row, std::int64_t endedMs)
    {
        row.fact.endedMs = row.fact.startedMs = endedMs;
        job.add(row);
    }

    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<store::SqliteStore> m_store;
};

QTEST_APPLESS_MAIN(TestIncidentJob)
#include "tst_incident_job.moc"
