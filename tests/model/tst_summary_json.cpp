// SPDX-License-Identifier: Apache-2.0
#include "common/model/summary_id.h"
#include "common/model/summary_json.h"

#include <nlohmann/json.hpp>

#include <QTest>

using namespace weir;

namespace {

Summary sample()
{
    Summary summary;
    summary.computedAtMs = 1'790'000'000'123;
    summary.settingsVersion = 7;
    summary.originMs = 1'789'999'999'999;
    PoolSummary pool;
    pool.model = "glm-5.2";
    pool.taskType = "search";
    pool.leader = "b";
    pool.leaderCause = LeaderCause::Slow;
    pool.leaderChangesMs = {1, -2, 3};
    RouteFigures route;
    route.provider = "b";
    route.costNanoUsd = 9'007'199'254'740'993;
    route.ttftUs = {5'000'000, WindowState::Lowered, 12, 8, false};
    route.hit.steadyPpm = 0;
    route.sampleOk = true;
    route.rank = 1;
    pool.routes = {route, RouteFigures{}};
    summary.pools = {pool};
    summary.id = summaryId(summary);
    return summary;
}

QString refusal(const nlohmann::ordered_json& json)
{
    const Result<Summary> summary = summaryFromJson(json.dump());
    return summary ? QStringLiteral("taken") : QString::fromStdString(summary.error().text());
}

} // namespace

class TestSummaryJson final : public QObject
{
    Q_OBJECT

private slots:
    void readsBackWhatItWrote();
    void namesTheFault();
    void theIdNamesTheContents();
};

void TestSummaryJson::readsBackWhatItWrote()
{
    const Summary before = sample();
    const std::string text = toJson(before).dump();
    const Result<Summary> after = summaryFromJson(text);
    QVERIFY2(after.has_value(), after ? "" : after.error().text().c_str());
    QVERIFY(*after == before);
    QCOMPARE(toJson(*after).dump(), text);
    QCOMPARE(summaryId(*after), before.id);
}

void TestSummaryJson::namesTheFault()
{
    nlohmann::ordered_json json = toJson(sample());
    json["pools"][0]["routes"][1]["hit"].erase("used_ppm");
    QCOMPARE(refusal(json), "summary.pools[0].routes[1].hit.used_ppm: is missing");
    json = toJson(sample());
    json["pools"][0]["mood"] = 1;
    QCOMPARE(refusal(json), "summary.pools[0].mood: is not known");
    json = toJson(sample());
    json["origin_ms"] = 1.5;
    QCOMPARE(refusal(json), "summary.origin_ms: must be an integer");
    json = toJson(sample());
    json["pools"][0]["routes"][0]["score"] = 9'223'372'036'854'775'808U;
    QCOMPARE(refusal(json), "summary.pools[0].routes[0].score: must be an integer");
    json = toJson(sample());
    json["pools"][0]["leader_cause"] = "whim";
    QCOMPARE(refusal(json), "summary.pools[0].leader_cause: is no known word");
    json = toJson(sample());
    json.erase("id");
    QCOMPARE(refusal(json), "summary.id: is missing");
    QCOMPARE(refusal("no"), "summary: must be a JSON object");
    QVERIFY(!summaryFromJson("{"));
}

void TestSummaryJson::theIdNamesTheContents()
{
    Summary summary = sample();
    const std::string id = summary.id;
    QCOMPARE(id.size(), std::size_t{16});
    summary.id = "another";
    QCOMPARE(summaryId(summary), id);
    summary.pools[0].routes[1].hit.observedPpm = 0;
    QVERIFY(summaryId(summary) != id);
    summary.pools[0].routes[1].hit.observedPpm.reset();
    summary.pools[0].routes[0].ttftUs.unverified = true;
    QVERIFY(summaryId(summary) != id);
}

QTEST_APPLESS_MAIN(TestSummaryJson)
#include "tst_summary_json.moc"
