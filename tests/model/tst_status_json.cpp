// SPDX-License-Identifier: Apache-2.0
#include "common/model/status_json.h"

#include <nlohmann/json.hpp>

#include <QTest>

using namespace weir;

namespace {

constexpr UtcTime kNoon = fromEpochMs(1'796'032'800'000);

/// Every field differs from its default.
Drill sampleDrill()
{
    Drill drill;
    drill.id = "drill-1";
    drill.kind = DrillKind::Delay;
    drill.model = "glm-5.2";
    drill.provider = "baseten";
    drill.sharePpm = 300'000;
    drill.delayMs = 700;
    drill.startsAt = kNoon;
    drill.endsAt = kNoon + std::chrono::minutes{5};
    drill.abortFailurePpm = 20'000;
    drill.startedBy = "ann";
    drill.host = "desk";
    drill.reason = "to see it";
    drill.endedAt = kNoon + std::chrono::minutes{1};
    drill.endReason = "stopped";
    return drill;
}

FailoverStatus sampleFailover()
{
    FailoverStatus failover;
    failover.provider = "baseten";
    failover.moves = {48.0, 4'320'000.0};
    failover.needs = {60.0, 5'400'000.0};
    failover.interactiveNeeds = {36.0, 3'240'000.0};
    failover.capacityRps = 22.0;
    failover.ratio = 2.7;
    failover.interactiveRatio = 1.6;
    failover.others = {"fireworks"};
    failover.unknown = {"coreweave"};
    failover.shortSince = kNoon;
    return failover;
}

QualityScore sampleQuality()
{
    QualityScore quality;
    quality.model = "glm-5.2";
    quality.provider = "baseten";
    quality.taskType = "search";
    quality.scorePpm = 987'654;
    quality.schemaValidPpm = 1'000'000;
    quality.refusedPpm = 0;
    quality.cases = 40;
    quality.unanswered = 1;
    quality.evalSet = "search.jsonl";
    quality.evalSetHash = "0123456789abcdef";
    quality.scoredAt = kNoon;
    return quality;
}

RouteConfig sampleConfig()
{
    RouteConfig config;
    config.provider = "baseten";
    config.upstreamModel = "zai-org/GLM-5.2";
    config.region = "us";
    config.price = Price{600'000, 110'000, 600'001, 2'200'000};
    config.contextTokens = 200'000;
    config.maxOutputTokens = 32'768;
    config.capabilities = {"stream", "tools"};
    config.terms = {"no_training"};
    config.quota = {20'500, 2'000'000};
    config.capacity = {8, 16};
    config.tokenizer = "/etc/weir/glm.model";
    return config;
}

RouteStatus sampleRoute()
{
    RouteStatus route;
    route.provider = "baseten";
    route.route = "baseten/zai-org/GLM-5.2@us";
    route.enabled = false;
    route.rank = 1;
    route.score = 0.93;
    route.costIndex = 1.0;
    route.speedIndex = 0.77;
    route.share1m = 0.5;
    route.rps1m = 41.0;
    route.permittedRps = 120.0;
    route.gate = "open";
    route.breaker = "half_open";
    route.benchedUntil = kNoon + std::chrono::minutes{5};
    route.benchReason = "no_credit";
    route.errorRate1m = 0.01;
    route.rateLimited1m = 2;
    route.ttftMs = {640.0, 1200.0};
    route.tokensPerS = {71.0, 80.0};
    route.inFlight = 17;
    route.quality.push_back(sampleQuality());
    route.waiting = 3;
    route.outcomes1m = {{"ok", 99}, {"reset", 1}};
    route.costMicroUsd1m = 2265;
    route.tokenBound = TokenBoundStatus{1.5, 1.25, 90, 2};
    route.capRps = 140.0;
    route.config = sampleConfig();
    return route;
}

AgentStatus fullStatus()
{
    AgentStatus status;
    status.agentId = "agent-1";
    status.version = "0.1.0";
    status.service = "code-review";
    status.host = "host-a";
    status.at = kNoon;
    status.mode = Mode::Adaptive;
    status.effectiveMode = EffectiveMode::Fixed;
    status.modeReason = "settings_unreadable";
    status.switchReason = "launch";
    status.switchBy = "ann";
    status.switchAt = kNoon - std::chrono::hours{1};
    status.switchVersion = 42;
    status.settingsVersion = 7;
    status.store = "down";
    status.redis = "ok";
    status.gatesLocal = true;
    status.ledgerBacklogRows = 12;
    status.draining = true;
    status.clientConnections = 3;
    status.requestsPerS1m = 41.5;
    status.summary = SummaryStatus{"s-1", kNoon, 12.25};
    status.agents.push_back(
        {"agent-2",
         "search",
         "host-b",
         "0.1.1",
         "shadow",
         "switch",
         41,
         6,
         0.4,
         kNoon - std::chrono::minutes{1},
         "down",
         "ok",
         17,
         3.5,
         -250});
    status.models.push_back({"glm-5.2", {{"default", "baseten"}}, {sampleRoute(), RouteStatus{}}});
    status.models[0].failover = {sampleFailover(), FailoverStatus{}};
    status.alerts.push_back({"auth", "baseten/x", kNoon, "the key is refused"});
    status.drills.push_back({sampleDrill(), 12.5, {40, 1, 20, 3}});
    return status;
}

} // namespace

class TestStatusJson : public QObject
{
    Q_OBJECT

private slots:

    void returnsEveryField()
    {
        const auto back = statusFromJson(toJson(fullStatus()).dump());
        QVERIFY(back);
        QVERIFY(*back == fullStatus());
        // Field by field once more, so that a field forgotten on both ways is not overlooked.
        QCOMPARE(toJson(*back).dump(), toJson(fullStatus()).dump());
        QVERIFY(statusFromJson(toJson(AgentStatus{}).dump()) == AgentStatus{});
    }

    /// What is not known is null, never 0.
    void unknownIsNull()
    {
        AgentStatus status;
        status.models.push_back({"m", {}, {RouteStatus{}}});
        const auto json = nlohmann::json::parse(toJson(status).dump());
        QVERIFY(json["mode"].is_null());
        QVERIFY(json["summary"].is_null());
        const auto& route = json["models"][0]["routes"][0];
        for (const char* key :
             {"rank",
              "score",
              "cost_index",
              "speed_index",
              "share_1m",
              "permitted_rps",
              "cap_rps",
              "config",
              "gate",
              "breaker",
              "benched_until",
              "error_rate_1m"}) {
            QVERIFY2(route.contains(key) && route[key].is_null(), key);
        }
        QVERIFY(route["ttft_ms"]["p50"].is_null());
    }

    /// The keys of contract section 7.
    void hasTheKeysOfTheContract()
    {
        const auto json = nlohmann::json::parse(toJson(fullStatus()).dump());
        for (const char* key :
             {"agent_id",
              "version",
              "mode",
              "effective_mode",
              "mode_reason",
              "settings_version",
              "store",
              "redis",
              "ledger_backlog_rows",
              "summary",
              "agents",
              "models",
              "alerts",
              "drills"}) {
            QVERIFY2(json.contains(key), key);
        }
        QCOMPARE(json["summary"]["age_s"].get<double>(), 12.25);
        QCOMPARE(json["agents"][0]["last_seen_s"].get<double>(), 0.4);
        QCOMPARE(json["models"][0]["leader"]["default"].get<std::string>(), std::string{"baseten"});
    }

    void toleratesWhatItDoesNotKnow()
    {
        const auto status =
            statusFromJson(R"({"agent_id": "a", "later": {"x": [1]}, "store": "down"})");
        QVERIFY(status);
        QCOMPARE(status->agentId, std::string{"a"});
        QCOMPARE(status->store, std::string{"down"});
        QCOMPARE(status->redis, std::string{"none"});
    }

    void refusesOtherDocuments_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("nothing") << "";
        QTest::newRow("a page") << "<html>";
        QTest::newRow("a list") << "[]";
        QTest::newRow("another object") << "{\"error\": 1}";
        QTest::newRow("cut") << R"({"agent_id": "a")";
        QTest::newRow("wrong type") << R"({"agent_id": 5})";
        QTest::newRow("a model that is a number") << R"({"agent_id": "a", "models": [5]})";
    }

    void refusesOtherDocuments()
    {
        QFETCH(QString, text);
        QCOMPARE(statusFromJson(text.toStdString()).error().code, std::string{"bad_status"});
    }
};

QTEST_APPLESS_MAIN(TestStatusJson)
#include "tst_status_json.moc"
