// SPDX-License-Identifier: Apache-2.0
#include "agent/run/summary_job.h"
#include "agent/store/sqlite_store.h"

#include <QTemporaryDir>
#include <QTest>

using namespace weir;
using namespace weir::run;

namespace {

constexpr UtcTime kStart = fromEpochMs(1'796'032'800'000);
constexpr std::int64_t kStartMs = epochMs(kStart);

std::shared_ptr<const Config> configOf(const std::vector<std::string>& providers)
{
    auto config = std::make_shared<Config>();
    ModelConfig model;
    model.name = "m";
    for (const std::string& provider : providers) {
        RouteConfig route;
        route.provider = provider;
        // "cheap" costs half of the others.
        const std::int64_t price = provider == "cheap" ? 500'000 : 1'000'000;
        route.price = Price{price, price, price, 4 * price};
        model.routes.push_back(route);
        model.fixedOrder.push_back(provider);
    }
    config->models["m"] = model;
    return config;
}

CallRecord call(int number, const std::string& provider, const std::string& taskType, int second)
{
    CallRecord record;
    record.requestId = provider + std::to_string(number);
    record.taskId = record.requestId;
    record.agentId = "agent-1";
    record.model = "m";
    record.taskType = taskType;
    record.provider = provider;
    record.route = provider + "/x";
    record.stream = true;
    record.startedAt = kStart + std::chrono::seconds{second};
    record.ttftMs = 500;
    record.durationMs = 1500;
    record.usage.inputUncached = 1000;
    record.usage.inputCached = 0;
    record.usage.output = 100;
    record.mode = EffectiveMode::Adaptive;
    return record;
}

} // namespace

class TestSummaryJob final : public QObject
{
    Q_OBJECT

private slots:

    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        store::SqliteOptions options;
        options.path = std::filesystem::path{m_dir->path().toStdString()} / "weir.db";
        options.host = "here";
        options.now = kStart;
        auto opened = store::openSqlite(options);
        if (!opened) qFatal("%s", opened.error().text().c_str());
        m_store = std::move(*opened);
        m_lease = m_store->takeLease("summary", "agent-1", std::chrono::hours{1}).value().value();
        m_number = 0;
    }

    void cleanup() { m_store.reset(); }

    void knowsEveryModelBeforeTheFirstCall()
    {
        SummaryJob job(*m_store, m_lease);
        QVERIFY(!job.restore().value());
        const Summary summary = job.run(inputs({"a", "cheap"}, 0)).value();
        QCOMPARE(summary.pools.size(), 1U);
        QCOMPARE(summary.pools[0].taskType, std::string{"default"});
        QCOMPARE(summary.pools[0].routes.size(), 2U);
        QVERIFY(summary.pools[0].leader.empty());
        QVERIFY(m_store->summary(summary.id).value());
    }

    void findsTheCheaperRouteAsCallsComeIn()
    {
        SummaryJob job(*m_store, m_lease);
        QVERIFY(job.run(inputs({"a", "cheap"}, 0)));
        addCalls("a", "default", 100, 10);
        addCalls("cheap", "default", 5, 10);
        QCOMPARE(job.run(inputs({"a", "cheap"}, 120)).value().pools[0].leader, std::string{"a"});
        addCalls("cheap", "default", 60, 130);
        const Summary found = job.run(inputs({"a", "cheap"}, 240)).value();
        QCOMPARE(found.pools[0].leader, std::string{"cheap"});
        QCOMPARE(found.pools[0].routes[1].calls48h, 65);
        // After a restart all of it is read again, and what was decided before is known.
        SummaryJob restarted(*m_store, m_lease);
        QVERIFY(*restarted.restore().value() == found);
        const Summary again = restarted.run(inputs({"a", "cheap"}, 300)).value();
        QCOMPARE(again.pools[0].leader, std::string{"cheap"});
        QCOMPARE(again.pools[0].routes[1].calls48h, 65);
        QCOMPARE(again.originMs, found.originMs);
    }

    void givesEachTaskTypeAPoolOfItsOwn()
    {
        SummaryJob job(*m_store, m_lease);
        addCalls("a", "search", 40, 10);
        const Summary summary = job.run(inputs({"a", "cheap"}, 120)).value();
        QCOMPARE(summary.pools.size(), 2U);
        QCOMPARE(summary.pools[1].taskType, std::string{"search"});
        QCOMPARE(summary.pools[1].routes[0].calls48h, 40);
        QCOMPARE(summary.pools[0].routes[0].calls48h, 0);
    }

    /// Copies and eval runs are nobody's traffic: no pool, no figures, no incident.
    void leavesOutWhatStandsAside()
    {
        SummaryJob job(*m_store, m_lease);
        int seen = 0;
        job.observe = [&seen](const store::FactRow&) { ++seen; };
        std::vector<CallRecord> records;
        for (const CallFlag flag : {CallFlag::Eval, CallFlag::Mirror}) {
            CallRecord& record = records.emplace_back(call(m_number++, "a", "search", 10));
            record.flags = static_cast<std::uint16_t>(flag);
        }
        QVERIFY(m_store->ingest(records, "agent-1", {1, 2, 3}));
        QCOMPARE(job.run(inputs({"a", "cheap"}, 120)).value().pools.size(), 1U);
        QCOMPARE(seen, 0);
        addCalls("a", "search", 1, 130);
        const Summary summary = job.run(inputs({"a", "cheap"}, 240)).value();
        QCOMPARE(summary.pools[1].routes[0].calls48h, 1);
        QCOMPARE(seen, 1);
    }

    void readsAgainWhereTheRoutesAreOthers()
    {
        SummaryJob job(*m_store, m_lease);
        addCalls("a", "default", 40, 10);
        addCalls("gone", "default", 40, 10);
        QCOMPARE(job.run(inputs({"a"}, 120)).value().pools[0].routes[0].calls48h, 40);
        const Summary more = job.run(inputs({"gone", "a"}, 180)).value();
        QCOMPARE(more.pools[0].routes.size(), 2U);
        QCOMPARE(more.pools[0].routes[0].provider, std::string{"gone"});
        QCOMPARE(more.pools[0].routes[0].calls48h, 40);
        QCOMPARE(more.pools[0].routes[1].calls48h, 40);
    }

    /// What the gates say of a route keeps it from leading.
    void aHeldRouteDoesNotLead()
    {
        SummaryJob job(*m_store, m_lease);
        addCalls("a", "default", 60, 10);
        addCalls("cheap", "default", 60, 10);
        SummaryInputs in = inputs({"a", "cheap"}, 120);
        in.gate = [](const std::string& model, routing::RouteSetup& route) {
            if (model == "m" && route.provider == "cheap") route.hold = HoldKind::Credit;
        };
        QCOMPARE(job.run(in).value().pools[0].leader, std::string{"a"});
    }

private:
    static SummaryInputs inputs(const std::vector<std::string>& providers, int second)
    {
        SummaryInputs in;
        in.config = configOf(providers);
        in.gate = [](const std::string&, routing::RouteSetup&) {};
        in.demand = [](const std::string&) { return std::int64_t{1000}; };
        in.nowMs = kStartMs + std::int64_t{second} * 1000;
        return in;
    }

    void addCalls(const std::string& provider, const std::string& taskType, int count, int second)
    {
        std::vector<CallRecord> records;
        for (int i = 0; i < count; ++i)
            records.push_back(call(m_number++, provider, taskType, second));
        QVERIFY(m_store->ingest(records, "agent-1", {1, 2, 3}));
    }

    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<store::Database> m_store;
    store::Lease m_lease;
    int m_number = 0;
};

QTEST_APPLESS_MAIN(TestSummaryJob)
#include "tst_summary_job.moc"
