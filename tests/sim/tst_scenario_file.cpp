// SPDX-License-Identifier: Apache-2.0
#include "common/sim/scenario_json.h"
#include "tests/sim/sample.h"

#include <QTest>

using namespace weir;
using namespace weir::sim;

/// What a scenario file may hold, and how a fault in it is named.
class TstScenarioFile : public QObject
{
    Q_OBJECT

private slots:
    void readsTheContractsExample();
    void refuses_data();
    void refuses();
    void refusesLadders_data();
    void refusesLadders();
    void refusesEvents_data();
    void refusesEvents();
    void changesBuildOnEachOtherByTime();
    void defaultsAreThoseOfTheContract();
    void routesOutsideTheOrderComeLast();
    void rulesAreOnButThoseItIsWithout();
    void laddersAreThoseOfTheAgent_data();
    void laddersAreThoseOfTheAgent();
    void demandsOfTraffic();
};

void TstScenarioFile::readsTheContractsExample()
{
    const std::string text =
        R"({"name": "leader-buckles", "seed": 7, "duration_s": 86400, "agents": 4,
 "policy": "adaptive", "settings": {"exploration_share": 0.05},
 "models": [{"name": "glm-5.2", "fixed_order": ["b", "f"], "routes": [
   {"provider": "b", "price": {"input": 0.6, "cached_input": 0.11, "output": 2.2},
    "ttft_s": {"median": 5.0, "sigma": 0.35}, "ttft_cached_factor": 0.6,
    "tokens_per_s": {"median": 80, "sigma": 0.2}, "cache": {"hit_warm": 0.9, "ttl_s": 300},
    "capacity_rps": 50, "success": 0.995, "enabled_from_s": 0},
   {"provider": "f", "price": {"input": 0.6, "output": 2.2}, "ttft_s": {"median": 5.0},
    "tokens_per_s": {"median": 80}}]}],
 "traffic": [{"task_type": "search", "model": "glm-5.2", "tasks_per_s": {"base": 2.0, "diurnal": 0.4},
   "calls_per_task": [4, 6], "input_tokens": {"median": 12000, "sigma": 0.5},
   "output_tokens": {"median": 600, "sigma": 0.6}, "gap_s": 2.0, "single_shot_share": 0.1}],
 "events": [{"at_s": 36000, "provider": "b", "set": {"ttft_s": {"median": 80, "sigma": 0.4}, "success": 0.5}},
   {"at_s": 70000, "provider": "b", "burst_429_s": 120}, {"at_s": 72000, "provider": "b", "set": {"status": 402}},
   {"at_s": 40000, "agent_restart": 1}, {"at_s": 41000, "redis": "down"}, {"at_s": 41600, "redis": "up"},
   {"at_s": 43000, "summary_job": "stopped"}]})";
    const Scenario scenario = scenarioOf(text);
    QCOMPARE(scenario.name, std::string{"leader-buckles"});
    QCOMPARE(scenario.duration, 86400 * kSecond);
    QCOMPARE(scenario.agents, 4U);
    QCOMPARE(scenario.models[0].routes[0].shape.price.cachedInput, 110'000);
    QCOMPARE(scenario.models[0].routes[0].shape.capacityRps, std::optional{50.0});
    QCOMPARE(scenario.traffic[0].callsMax, 6U);
    QCOMPARE(scenario.events.size(), std::size_t{7});
    QCOMPARE(scenario.events[1].agentRestart, std::optional{std::size_t{1}});
    QCOMPARE(scenario.events[6].changes[0].shape.status, 402);
}

void TstScenarioFile::refuses_data()
{
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("where");
    const auto row = [](const char* name, const char* from, const char* to, const char* where) {
        QTest::newRow(name) << QString(from) << QString(to) << QString(where);
    };
    row("unknown key at the top", R"("seed": 7)", R"("sead": 7)", "sample.json: sead:");
    row("unknown key of a route", R"("success")", R"("succes")", "models[0].routes[0].succes:");
    row("unknown key of a price", R"("output": 2.2)", R"("output": 2.2, "out": 1)", ".price.out:");
    row("unknown key of a cache", R"("ttl_s")", R"("ttl")", ".cache.ttl:");
    row("unknown key of a distribution", R"("sigma": 0.3)", R"("sd": 0.3)", ".ttft_s.sd:");
    row("unknown key of traffic", R"("gap_s")", R"("gap")", "traffic[0].gap:");
    row("another type", R"("duration_s": 3600)", R"("duration_s": "3600")", "duration_s:");
    row("a fraction of an agent", R"("agents": 2)", R"("agents": 1.5)", "agents:");
    row("no agents", R"("agents": 2)", R"("agents": 0)", "agents:");
    row("missing price",
        R"("price": {"input": 0.6, "cached_input": 0.11, "output": 2.2},)",
        "",
        "models[0].routes[0].price: is missing");
    row("missing median", R"("median": 12000, )", "", "traffic[0].input_tokens.median: is missing");
    row("share above one", R"("success": 1.0)", R"("success": 1.5)", ".success: must be between");
    row("unknown policy", R"("fixed",)", R"("best",)", "policy: must be adaptive");
    row("unknown model", R"("model": "glm")", R"("model": "gml")", "traffic[0].model:");
    row("provider twice",
        R"("provider": "f")",
        R"("provider": "b")",
        "models[0].routes[1].provider");
    row("order names a stranger", R"(["b", "f"])", R"(["b", "x"])", "models[0].fixed_order[1]");
    row("calls the wrong way round", "[4, 6]", "[6, 4]", "calls_per_task:");
    row("unknown setting",
        R"("seed": 7)",
        R"("seed": 7, "settings": {"explore": 1})",
        "settings.explore:");
    row("weights that do not sum",
        R"("seed": 7)",
        R"("seed": 7, "settings": {"cost_weight": 0.5})",
        "settings.cost_weight:");
    row("rule that is none",
        R"("seed": 7)",
        R"("seed": 7, "without": ["rate_floor", "margin"])",
        "without[1]: must be rate_floor, cache_neutral");
    row("start that is no time", R"("seed": 7)", R"("seed": 7, "start": "noon")", "start:");
    row("no JSON", R"("seed": 7)", R"("seed": 7,,)", "sample.json: is not JSON");
}

void TstScenarioFile::refusesLadders_data()
{
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("where");
    const auto row = [](const char* name, const char* from, const char* to, const char* where) {
        QTest::newRow(name) << QString(from) << QString(to) << QString(where);
    };
    row("nothing to ask for", R"("model": "glm", )", "", "traffic[0].model: is missing");
    row("unknown rung", R"("model": "glm")", R"("ladder": ["gml"])", "traffic[0].ladder:");
    row("a rung twice",
        R"("model": "glm")",
        R"("ladder": ["glm", "glm"])",
        "traffic[0].ladder[1]:");
    row("a rung that is no text", R"("model": "glm")", R"("ladder": [1])", "traffic[0].ladder[0]:");
    row("unknown answer", R"("model": "glm")", R"("model": "glm", "answer": "faq")", ".answer:");
    row("answer on the ladder",
        R"("model": "glm")",
        R"("model": "glm", "answer": "glm")",
        ".answer:");
    row("no such level",
        R"("model": "glm")",
        R"("model": "glm", "lowest_level": "L5")",
        "traffic[0].lowest_level: must be L0, L1");
    row("no such priority", R"("gap_s")", R"("priority": "low", "gap_s")", "traffic[0].priority:");
    row("no quota at all",
        R"("success": 1.0)",
        R"("success": 1.0, "quota_rps": 0)",
        "models[0].routes[0].quota_rps: must be between");
    row("a region of nobody", R"("gap_s")", R"("regions": ["eu"], "gap_s")", "traffic[0].regions:");
    row("a term of nobody", R"("gap_s")", R"("terms": ["zdr"], "gap_s")", "traffic[0].terms:");
    row("a region that is no text",
        R"("provider": "b")",
        R"("provider": "b", "region": 1)",
        ".region:");
}

void TstScenarioFile::refusesLadders()
{
    refuses();
}

void TstScenarioFile::refusesEvents_data()
{
    QTest::addColumn<QString>("event");
    QTest::addColumn<QString>("where");
    const auto row = [](const char* name, const char* event, const char* where) {
        QTest::newRow(name) << QString(event) << QString(where);
    };
    row("event without action", R"({"at_s": 1})", "events[0]:");
    row("event of two kinds", R"({"at_s": 1, "redis": "up", "agent_restart": 0})", "events[0]:");
    row("event of a stranger",
        R"({"at_s": 1, "provider": "x", "set": {"success": 1}})",
        "events[0].provider:");
    row("event sets what is no field",
        R"({"at_s": 1, "provider": "b", "set": {"speed": 1}})",
        "events[0].set.speed:");
    row("event without time", R"({"redis": "up"})", "events[0].at_s: is missing");
    row("no such agent", R"({"at_s": 1, "agent_restart": 2})", "events[0].agent_restart:");
    row("status that is no answer",
        R"({"at_s": 1, "provider": "b", "set": {"status": 302}})",
        "set.status:");
    row("word of redis",
        R"({"at_s": 1, "redis": "gone"})",
        "events[0].redis: must be down, up or empty");
}

void TstScenarioFile::refuses()
{
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, where);
    const std::string text = sampleWith(from.toStdString(), to.toStdString());
    const Result<Scenario> scenario = readScenario(text, "sample.json");
    QVERIFY(!scenario);
    const QString fault = QString::fromStdString(scenario.error().text());
    QVERIFY2(fault.startsWith("sample.json: ") && fault.contains(where), qPrintable(fault));
}

void TstScenarioFile::refusesEvents()
{
    QFETCH(QString, event);
    QFETCH(QString, where);
    const std::string text =
        sampleWith(R"("events": [])", R"("events": [)" + event.toStdString() + "]");
    const Result<Scenario> scenario = readScenario(text, "sample.json");
    QVERIFY(!scenario);
    const QString fault = QString::fromStdString(scenario.error().text());
    QVERIFY2(fault.startsWith("sample.json: ") && fault.contains(where), qPrintable(fault));
}

void TstScenarioFile::changesBuildOnEachOtherByTime()
{
    const Scenario scenario = scenarioOf(sampleWith(
        R"("events": [])",
        R"("events": [{"at_s": 20, "provider": "b", "set": {"success": 0.5}},
                      {"at_s": 10, "provider": "b", "set": {"ttft_s": {"median": 9}, "status": 500}},
                      {"at_s": 30, "provider": "b", "set": {"status": 200, "capacity_rps": 4}}])"));
    QCOMPARE(scenario.events[0].at, 10 * kSecond);
    const RouteShape& last = scenario.events[2].changes[0].shape;
    QCOMPARE(last.ttftS.median, 9.0);
    QCOMPARE(last.ttftS.sigma, 0.3);
    QCOMPARE(last.success, 0.5);
    QCOMPARE(last.status, 200);
    QCOMPARE(last.capacityRps, std::optional{4.0});
    QCOMPARE(last.price.output, 2'200'000);
    QCOMPARE(scenario.events[1].changes[0].shape.status, 500);
}

void TstScenarioFile::defaultsAreThoseOfTheContract()
{
    const Scenario scenario = scenarioOf(sampleText());
    QCOMPARE(scenario.models[0].routes[0].shape.cache.sharedPrefix, 0.4);
    QCOMPARE(scenario.startEpochMs % 86'400'000, 0);
    QVERIFY(!scenario.isWarm);
    QCOMPARE(scenario.settings.number("exploration_share"), 0.05);
}

void TstScenarioFile::routesOutsideTheOrderComeLast()
{
    const Scenario scenario = scenarioOf(sampleWith(R"(["b", "f"])", R"(["f"])"));
    QCOMPARE(scenario.models[0].fixedOrder, (std::vector<std::size_t>{1, 0}));
}

void TstScenarioFile::rulesAreOnButThoseItIsWithout()
{
    QCOMPARE(scenarioOf(sampleText()).rules, GuardingRules{});
    const Scenario scenario = scenarioOf(
        sampleWith(R"("seed": 7)", R"("seed": 7, "without": ["keeps_history", "rate_floor"])"));
    QCOMPARE(scenario.rules, (GuardingRules{.rateFloor = false, .keepsHistory = false}));
}

namespace {

/// Four models of one route each, and one stream with these keys.
std::string gradedText(const char* streamKeys)
{
    std::string models;
    for (const char* name : {"large", "equal", "small", "faq"}) {
        models += models.empty() ? "" : ", ";
        models += std::string{R"({"name": ")"} + name + R"(", "routes": [{"provider": ")" + name;
        models += R"(", "region": "eu", "terms": ["zdr"], "price": {"input": 1, "output": 1},
            "ttft_s": {"median": 1}, "tokens_per_s": {"median": 50}}]})";
    }
    return R"({"duration_s": 60, "models": [)" + models + R"(], "traffic": [{)" + streamKeys +
           R"(, "tasks_per_s": {"base": 1}, "input_tokens": {"median": 10},
            "output_tokens": {"median": 10}}]})";
}

} // namespace

void TstScenarioFile::laddersAreThoseOfTheAgent_data()
{
    QTest::addColumn<QString>("keys");
    QTest::addColumn<QString>("ladder");
    QTest::newRow("one model") << R"("model": "equal")"
                               << "10";
    QTest::newRow("all") << R"("ladder": ["large", "equal", "small"], "answer": "faq")"
                         << "00 11 22 33";
    QTest::newRow("from the middle") << R"("model": "equal", "ladder": ["large", "equal", "small"])"
                                     << "10 21";
    QTest::newRow("nothing worse than L1")
        << R"("ladder": ["large", "equal", "small"], "answer": "faq", "lowest_level": "L1")"
        << "00 11";
    QTest::newRow("one model and an answer") << R"("model": "large", "answer": "faq")"
                                             << "00 33";
}

void TstScenarioFile::laddersAreThoseOfTheAgent()
{
    QFETCH(const QString, keys);
    const Scenario scenario = scenarioOf(gradedText(keys.toUtf8().constData()));
    QStringList ladder;
    for (const ScenarioRung& rung : scenario.traffic[0].ladder)
        ladder << QString::number(rung.model) + QString::number(rung.level);
    QTEST(ladder.join(' '), "ladder");
}

void TstScenarioFile::demandsOfTraffic()
{
    const Scenario plain = scenarioOf(gradedText(R"("model": "large")"));
    QVERIFY(!plain.isGraded());
    const Scenario scenario = scenarioOf(gradedText(
        R"("model": "large", "regions": ["eu"], "terms": ["zdr"], "priority": "batch")"));
    QVERIFY(scenario.isGraded());
    QCOMPARE(scenario.models[0].routes[0].region, std::string{"eu"});
    QCOMPARE(scenario.traffic[0].regions, std::vector<std::string>{"eu"});
    QCOMPARE(scenario.traffic[0].terms, std::vector<std::string>{"zdr"});
    QVERIFY(scenario.traffic[0].batch);
}

QTEST_APPLESS_MAIN(TstScenarioFile)
#include "tst_scenario_file.moc"
