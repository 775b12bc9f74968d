// SPDX-License-Identifier: Apache-2.0
#include "agent/admin/status.h"
#include "common/model/route_config_json.h"
#include "common/model/status_json.h"
#include "common/routing/fixed_order.h"
#include "tests/admin/world.h"

#include <nlohmann/json.hpp>

#include <QTest>

using namespace weir;
using namespace weir::admin;

class TestStatus final : public QObject
{
    Q_OBJECT

private slots:
    void golden();
    void showsWhatWasLearned();
    void unknownIsAbsent();
    void sharesOfAModel();
    void errorRate_data();
    void errorRate();
    void fixedOrder_data();
    void fixedOrder();
    void benchesEnd();
    void troublesBecomeAlerts();
    void aFloorAsksForScores();
    void whatIsShortForUsersIsAnAlert();
    void withoutControl();
    void adaptiveRanksAreNotGuessed();
};

namespace {

void add(LiveStats& stats, const CallRecord& record, double seconds)
{
    stats.add(std::span(&record, 1), at(seconds).instant);
}

const RouteStatus& route(const AgentStatus& status, std::string_view provider)
{
    for (const RouteStatus& candidate : status.models.at(0).routes) {
        if (candidate.provider == provider) return candidate;
    }
    throw std::out_of_range(std::string(provider));
}

QStringList lines(const nlohmann::ordered_json& json)
{
    return QString::fromStdString(json.dump(2)).split('\n');
}

constexpr const char* kGolden = R"({
  "agent_id": "agent-1", "version": "0.1.0", "service": "code-review", "host": "host-1",
  "at": "2026-11-30T10:00:30.000Z", "mode": "fixed", "effective_mode": "fixed",
  "mode_reason": "switch", "switch_reason": "first start", "switch_by": "weir-agent",
  "switch_at": "2026-11-30T09:59:00.000Z", "switch_version": 3, "settings_version": 7,
  "store": "ok", "redis": "none", "gates_local": false, "ledger_backlog_rows": 12, "draining": false,
  "client_connections": 4, "requests_per_s_1m": 0.05, "levels": {
    "last_minute": {"requests": 2, "shed": 0, "L0": {"requests": 2, "share": 1.0},
      "L1": {"requests": 0, "share": 0.0}, "L2": {"requests": 0, "share": 0.0},
      "L3": {"requests": 0, "share": 0.0}, "L4": {"requests": 0, "share": 0.0}},
    "last_hour": {"requests": 2, "shed": 0, "L0": {"requests": 2, "share": 1.0},
      "L1": {"requests": 0, "share": 0.0}, "L2": {"requests": 0, "share": 0.0},
      "L3": {"requests": 0, "share": 0.0}, "L4": {"requests": 0, "share": 0.0}}},
  "summary": null, "agents": [],
  "models": [{"name": "glm", "leader": {"default": "fireworks"}, "routes": [
    {"provider": "baseten", "route": "baseten/zai/GLM@us", "enabled": true, "rank": 2,
     "score": null, "cost_index": null, "speed_index": null, "share_1m": 0.25, "rps_1m": 0.025,
     "permitted_rps": null, "cap_rps": null, "gate": null, "breaker": null, "benched_until": null,
     "bench_reason": null, "error_rate_1m": 0.0, "rate_limited_1m": 0,
     "ttft_ms": {"p50": 502.0, "p95": 502.0}, "tokens_per_s": {"p50": 199.68, "p95": null},
     "in_flight": 0, "waiting": 0, "outcomes_1m": {"ok": 1}, "cost_micro_usd_1m": 822,
     "quality": [], "token_bound": null},
    {"provider": "fireworks", "route": "fireworks/zai/GLM@us", "enabled": true, "rank": 1,
     "score": null, "cost_index": null, "speed_index": null, "share_1m": 0.75, "rps_1m": 0.075,
     "permitted_rps": null, "cap_rps": null, "gate": null, "breaker": null,
     "benched_until": "2026-11-30T10:01:30.000Z", "bench_reason": "no_credit",
     "error_rate_1m": 0.3333333333333333, "rate_limited_1m": 1,
     "ttft_ms": {"p50": 502.0, "p95": 502.0}, "tokens_per_s": {"p50": 199.68, "p95": null},
     "in_flight": 3, "waiting": 2,
     "outcomes_1m": {"client_cancelled": 1, "ok": 1, "rate_limited": 1},
     "cost_micro_usd_1m": 822, "quality": [], "token_bound": null}],
     "failover": []}],
  "alerts": [{"kind": "spool_full", "route": "", "since": "2026-11-30T10:00:20.000Z",
              "text": "the spool is full"}],
  "drills": []})";

} // namespace

void TestStatus::golden()
{
    World world;
    world.ledger.backlogRows = 12;
    world.routes = {{"glm", "fireworks", 3, at(90).utc, "no_credit"}};
    world.routes[0].waiting = 2;
    world.alerts = {{"spool_full", "", at(20).utc, "the spool is full"}};
    LiveStats stats(at(-10).instant);
    CallRecord second = call("baseten");
    second.attempt = 2;
    add(stats, call("fireworks", Outcome::RateLimited), 1);
    add(stats, second, 1);
    add(stats, call("fireworks", Outcome::ClientCancelled), 2);
    CallRecord other = call("fireworks");
    other.attempt = 2;
    add(stats, other, 3);
    const AgentStatus status = buildStatus(world.sources(), stats, at(30));
    const nlohmann::ordered_json json = toJson(status);
    auto golden = nlohmann::ordered_json::parse(kGolden);
    for (auto& route : golden["models"][0]["routes"])
        route["config"] = toJson(world.config->models.at("glm").routes[route["rank"] == 2 ? 0 : 1]);
    QCOMPARE(lines(json), lines(golden));
    QVERIFY(statusFromJson(json.dump()) == status);
}

/// In adaptive mode ranks and leaders are the summary's; scores are shown in every mode.
void TestStatus::showsWhatWasLearned()
{
    World world;
    Summary summary;
    summary.id = "00ff";
    summary.computedAtMs = epochMs(at(10).utc);
    PoolSummary pool;
    pool.model = "glm";
    pool.taskType = "default";
    pool.leader = "baseten";
    pool.routes.resize(2);
    pool.routes[0].provider = "fireworks";
    pool.routes[0].rank = 2;
    pool.routes[0].score = 640'000'000;
    pool.routes[0].costNanoUsd = 2000;
    pool.routes[0].timeUs = 500'000;
    pool.routes[1].provider = "baseten";
    pool.routes[1].rank = 1;
    pool.routes[1].score = 850'000'000;
    pool.routes[1].costNanoUsd = 1000;
    pool.routes[1].timeUs = 1'000'000;
    pool.routes[0].tokens = {0, 1'200'000, 30, 1};
    pool.routes[1].tokens = {1'400'000, 1'100'000, 60, 0};
    PoolSummary other = pool;
    other.taskType = "review";
    other.leader.clear();
    other.routes[1].tokens = {1'500'000, 1'250'000, 90, 2};
    summary.pools = {pool, other};
    world.summary = std::make_shared<const Summary>(summary);
    RouteGauge gauge;
    gauge.model = "glm";
    gauge.provider = "baseten";
    gauge.gate = "cut";
    gauge.breaker = "half_open";
    gauge.permittedMilliRps = 1500;
    gauge.capMilliRps = 1700;
    world.routes = {gauge};
    LiveStats stats(at(-600).instant);
    const AgentStatus fixed = buildStatus(world.sources(), stats, at(30));
    QCOMPARE(fixed.summary->id, std::string{"00ff"});
    QCOMPARE(fixed.summary->ageS, 20.0);
    QCOMPARE(*fixed.models[0].routes[0].score, 0.85);
    QCOMPARE(*fixed.models[0].routes[0].costIndex, 1.0);
    QCOMPARE(*fixed.models[0].routes[0].speedIndex, 0.5);
    QCOMPARE(*fixed.models[0].routes[0].permittedRps, 1.5);
    QCOMPARE(*fixed.models[0].routes[0].capRps, 1.7);
    QCOMPARE(*fixed.models[0].routes[0].gate, std::string{"cut"});
    QCOMPARE(*fixed.models[0].routes[0].breaker, std::string{"half_open"});
    // Of the task type with more prompts; where nothing is learned, the constant that holds.
    QCOMPARE(*fixed.models[0].routes[0].tokenBound, (TokenBoundStatus{1.5, 1.25, 90, 2}));
    QCOMPARE(*fixed.models[0].routes[1].tokenBound, (TokenBoundStatus{2.0, 1.2, 30, 1}));
    QCOMPARE(*fixed.models[0].routes[1].costIndex, 0.5);
    QCOMPARE(*fixed.models[0].routes[1].rank, 1); // by the configured order
    world.control->effectiveMode = EffectiveMode::Adaptive;
    const AgentStatus learned = buildStatus(world.sources(), stats, at(30));
    QCOMPARE(*learned.models[0].routes[0].rank, 1);
    QCOMPARE(learned.models[0].leader.at("default"), std::string{"baseten"});
}

void TestStatus::unknownIsAbsent()
{
    World world;
    LiveStats stats(at(-600).instant);
    const AgentStatus status = buildStatus(world.sources(), stats, at(0));
    for (const RouteStatus& quiet : status.models.at(0).routes) {
        QVERIFY(!quiet.share1m);
        QVERIFY(!quiet.errorRate1m);
        QVERIFY(!quiet.ttftMs.p50 && !quiet.ttftMs.p95 && !quiet.tokensPerS.p50);
        QVERIFY(!quiet.costMicroUsd1m);
        QVERIFY(!quiet.score && !quiet.permittedRps && !quiet.gate && !quiet.breaker);
        QVERIFY(quiet.outcomes1m.empty());
        QCOMPARE(quiet.rps1m, 0.0);
    }
}

void TestStatus::sharesOfAModel()
{
    World world;
    LiveStats stats(at(-600).instant);
    add(stats, call("fireworks"), 0);
    const AgentStatus status = buildStatus(world.sources(), stats, at(0));
    QCOMPARE(route(status, "fireworks").share1m, std::optional<double>(1.0));
    // Traffic went elsewhere: that is a zero which is known.
    QCOMPARE(route(status, "baseten").share1m, std::optional<double>(0.0));
    QVERIFY(!route(status, "baseten").errorRate1m);
}

void TestStatus::errorRate_data()
{
    QTest::addColumn<QList<Outcome>>("outcomes");
    QTest::addColumn<double>("rate");

    QTest::newRow("all well") << QList<Outcome>{Outcome::Ok, Outcome::Length} << 0.0;
    QTest::newRow("neutral alone")
        << QList<Outcome>{Outcome::Refused, Outcome::BadRequest, Outcome::ContextOverflow} << 0.0;
    QTest::newRow("one of two") << QList<Outcome>{Outcome::Ok, Outcome::StreamBroken} << 0.5;
    QTest::newRow("a neutral one is an attempt")
        << QList<Outcome>{Outcome::ClientCancelled, Outcome::Reset} << 0.5;
    QTest::newRow("rate limits are failures") << QList<Outcome>{Outcome::RateLimited} << 1.0;
}

void TestStatus::errorRate()
{
    QFETCH(QList<Outcome>, outcomes);
    QFETCH(double, rate);
    World world;
    LiveStats stats(at(-600).instant);
    for (const Outcome outcome : outcomes)
        add(stats, call("baseten", outcome), 0);
    const AgentStatus status = buildStatus(world.sources(), stats, at(0));
    QCOMPARE(route(status, "baseten").errorRate1m, std::optional<double>(rate));
}

void TestStatus::fixedOrder_data()
{
    QTest::addColumn<QString>("settings");
    QTest::addColumn<QString>("order");

    // provider:position, "-" for switched off.
    QTest::newRow("as configured") << ""
                                   << "a b c";
    QTest::newRow("last to front") << "c:1"
                                   << "c a b";
    QTest::newRow("first to the end") << "a:9"
                                      << "b c a";
    QTest::newRow("two moved") << "a:3 c:1"
                               << "c b a";
    QTest::newRow("off") << "b:-"
                         << "a c";
    QTest::newRow("another model's settings") << "c:1@other"
                                              << "a b c";
}

void TestStatus::fixedOrder()
{
    QFETCH(QString, settings);
    QFETCH(QString, order);
    ModelConfig model;
    model.name = "glm";
    model.fixedOrder = {"a", "b", "c"};
    std::vector<RouteSettings> rows;
    for (const QString& part : settings.split(' ', Qt::SkipEmptyParts)) {
        RouteSettings row;
        row.model = part.endsWith("@other") ? "other" : "glm";
        row.provider = part.left(1).toStdString();
        if (part.at(2) == '-') {
            row.enabled = false;
        } else {
            row.fixedPosition = part.at(2).digitValue();
        }
        rows.push_back(row);
    }
    QStringList found;
    for (const std::string& provider : routing::fixedOrder(model, rows)) {
        found += QString::fromStdString(provider);
    }
    QCOMPARE(found.join(' '), order);
}

void TestStatus::benchesEnd()
{
    World world;
    world.routes = {{"glm", "baseten", 1, at(10).utc, "rate_limited"}, {"gone", "x", 5, {}, ""}};
    LiveStats stats(at(-600).instant);
    AgentStatus status = buildStatus(world.sources(), stats, at(9));
    QCOMPARE(route(status, "baseten").benchedUntil, std::optional(at(10).utc));
    QCOMPARE(route(status, "baseten").benchReason, std::optional<std::string>("rate_limited"));
    status = buildStatus(world.sources(), stats, at(10));
    QVERIFY(!route(status, "baseten").benchedUntil);
    QVERIFY(!route(status, "baseten").benchReason);
    QCOMPARE(route(status, "baseten").inFlight, 1);
}

void TestStatus::troublesBecomeAlerts()
{
    World world;
    LiveStats stats(at(-600).instant);
    add(stats, call("baseten", Outcome::ModelUnavailable), 0);
    CallRecord gone = call("removed", Outcome::Auth);
    add(stats, gone, 0);
    AgentStatus status = buildStatus(world.sources(), stats, at(5));
    QCOMPARE(status.alerts.size(), 1U);
    QCOMPARE(status.alerts[0].kind, std::string("model_unavailable"));
    QCOMPARE(status.alerts[0].route, std::string("baseten/zai/GLM@us"));
    QCOMPARE(toIso(status.alerts[0].since), std::string("2026-11-30T10:00:01.000Z"));
    QVERIFY(!status.alerts[0].text.empty());

    RouteSettings off;
    off.model = "glm";
    off.provider = "baseten";
    off.enabled = false;
    world.control->decisions->routes = {off};
    status = buildStatus(world.sources(), stats, at(6));
    QVERIFY(status.alerts.empty());
    QVERIFY(!route(status, "baseten").enabled);
    QVERIFY(!route(status, "baseten").rank);
    QCOMPARE(route(status, "fireworks").rank, std::optional<int>(1));
}

/// Whoever sets a floor is told which routes nobody has scored, and which do not reach it.
void TestStatus::aFloorAsksForScores()
{
    World world;
    LiveStats stats(at(-600).instant);
    QVERIFY(buildStatus(world.sources(), stats, at(5)).alerts.empty());
    TaskConfig task;
    task.name = "review";
    task.models = {"glm"};
    task.qualityFloor = 0.5;
    world.config->tasks["review"] = task;
    QualityScore score;
    score.model = "glm";
    score.provider = "baseten";
    score.taskType = "review";
    score.scorePpm = 400'000;
    score.cases = 10;
    score.scoredAt = at(1).utc;
    world.control->decisions->scores = {score};
    AgentStatus status = buildStatus(world.sources(), stats, at(5));
    QVERIFY(route(status, "baseten").quality == std::vector{score});
    QVERIFY(route(status, "fireworks").quality.empty());
    QCOMPARE(status.alerts.size(), 2U);
    QCOMPARE(status.alerts[0].kind, std::string("quality_below_floor"));
    QCOMPARE(status.alerts[0].route, std::string("baseten/zai/GLM@us"));
    QVERIFY(status.alerts[0].since == at(1).utc);
    QVERIFY(status.alerts[0].text.find("scored 0.4 for task type review") != std::string::npos);
    QCOMPARE(status.alerts[1].kind, std::string("quality_unscored"));
    QCOMPARE(status.alerts[1].route, std::string("fireworks/zai/GLM@us"));
}

void TestStatus::whatIsShortForUsersIsAnAlert()
{
    World world;
    FailoverStatus failover;
    failover.provider = "baseten";
    failover.others = {"fireworks"};
    failover.ratio = 2.7;
    failover.interactiveRatio = 0.9;
    world.failover = std::make_shared<FailoverReport>();
    world.failover->emplace("glm", std::vector{failover});
    LiveStats stats(at(-600).instant);
    AgentStatus status = buildStatus(world.sources(), stats, at(5));
    QCOMPARE(status.models[0].failover, std::vector{failover});
    QVERIFY(status.alerts.empty());

    failover.interactiveRatio = 1.8;
    failover.shortSince = at(3).utc;
    world.failover->at("glm") = {failover};
    status = buildStatus(world.sources(), stats, at(5));
    QCOMPARE(status.alerts.size(), 1U);
    QCOMPARE(status.alerts[0].kind, std::string("failover_capacity"));
    QCOMPARE(status.alerts[0].route, std::string("baseten/zai/GLM@us"));
    QCOMPARE(status.alerts[0].since, at(3).utc);
    QVERIFY(status.alerts[0].text.find("baseten needs 1.8 times") != std::string::npos);
}

void TestStatus::withoutControl()
{
    World world;
    world.control.reset();
    LiveStats stats(at(-600).instant);
    const AgentStatus status = buildStatus(world.sources(), stats, at(0));
    QVERIFY(!status.mode);
    QCOMPARE(status.effectiveMode, EffectiveMode::Failsafe);
    QCOMPARE(status.modeReason, std::string("settings_unreadable"));
    QCOMPARE(status.store, std::string("down"));
    QCOMPARE(route(status, "fireworks").rank, std::optional<int>(1));
}

void TestStatus::adaptiveRanksAreNotGuessed()
{
    World world;
    world.control->effectiveMode = EffectiveMode::Adaptive;
    LiveStats stats(at(-600).instant);
    const AgentStatus status = buildStatus(world.sources(), stats, at(0));
    QVERIFY(!route(status, "fireworks").rank);
    QVERIFY(status.models.at(0).leader.empty());
}

QTEST_APPLESS_MAIN(TestStatus)
#include "tst_status.moc"
