// SPDX-License-Identifier: Apache-2.0
#include "agent/admin/decisions.h"
#include "tests/admin/world.h"

#include <nlohmann/json.hpp>

#include <QTest>

using namespace weir;
using namespace weir::admin;

class TestRecentDecisions final : public QObject
{
    Q_OBJECT

private slots:
    void oneLineARequest();
    void detail();
    void theOldestGo();
    void aHugeBatchIsCut();
    void masksSpeakOfTheirConfiguration();
};

namespace {

CallRecord attempt(const std::string& request, int number, const char* provider, Outcome outcome)
{
    CallRecord record = call(provider, outcome);
    record.requestId = request;
    record.attempt = number;
    return record;
}

} // namespace

void TestRecentDecisions::oneLineARequest()
{
    World world;
    RecentDecisions decisions;
    // Attempts of concurrent requests interleave.
    const std::vector<CallRecord> records{
        attempt("a", 1, "fireworks", Outcome::Reset),
        attempt("b", 1, "fireworks", Outcome::Ok),
        attempt("a", 2, "baseten", Outcome::Ok)};
    decisions.add(records, world.config);
    const auto json = nlohmann::json::parse(decisionListJson(decisions.newest(10)));
    const auto& list = json.at("decisions");
    QCOMPARE(list.size(), 2U);
    QCOMPARE(list[0].at("request_id").get<std::string>(), std::string("a"));
    QCOMPARE(list[0].at("attempts").get<int>(), 2);
    QCOMPARE(list[0].at("provider").get<std::string>(), std::string("baseten"));
    QCOMPARE(list[0].at("outcome").get<std::string>(), std::string("ok"));
    QCOMPARE(list[1].at("request_id").get<std::string>(), std::string("b"));
    QCOMPARE(decisions.newest(1).size(), 1U);
    QCOMPARE(decisions.newest(1)[0].size(), 2U);
}

void TestRecentDecisions::detail()
{
    World world;
    RecentDecisions decisions;
    std::vector<CallRecord> records{
        attempt("a", 2, "baseten", Outcome::Ok), attempt("a", 1, "fireworks", Outcome::Reset)};
    records[1].heldMask = 0b01;
    records[1].eligibleMask = 0b10;
    decisions.add(records, world.config);
    QVERIFY(decisions.find("b").empty());
    const auto json = nlohmann::json::parse(decisionJson(decisions.find("a")));
    QCOMPARE(json.at("complete").get<bool>(), true);
    QCOMPARE(json.at("attempts").size(), 2U);
    QCOMPARE(json.at("attempts")[0].at("outcome").get<std::string>(), std::string("reset"));
    const auto& candidates = json.at("candidates");
    QCOMPARE(candidates.size(), 2U);
    QCOMPARE(candidates[0].at("provider").get<std::string>(), std::string("baseten"));
    QCOMPARE(candidates[0].at("eligible").get<bool>(), false);
    QCOMPARE(candidates[0].at("held").get<bool>(), true);
    QVERIFY(candidates[0].at("attempts") == nlohmann::json({2}));
    QCOMPARE(candidates[1].at("eligible").get<bool>(), true);
    QVERIFY(candidates[1].at("attempts") == nlohmann::json({1}));
}

void TestRecentDecisions::theOldestGo()
{
    World world;
    RecentDecisions decisions;
    const CallRecord first = attempt("old", 1, "fireworks", Outcome::Reset);
    const CallRecord second = attempt("old", 2, "baseten", Outcome::Ok);
    decisions.add(std::span(&first, 1), world.config);
    decisions.add(std::span(&second, 1), world.config);
    for (std::size_t i = 0; i + 1 < RecentDecisions::kAttemptsMax; ++i) {
        const CallRecord record = attempt("n" + std::to_string(i), 1, "baseten", Outcome::Ok);
        decisions.add(std::span(&record, 1), world.config);
    }
    const auto json = nlohmann::json::parse(decisionJson(decisions.find("old")));
    QCOMPARE(json.at("complete").get<bool>(), false);
    QCOMPARE(json.at("attempts").size(), 1U);
    const CallRecord last = attempt("last", 1, "baseten", Outcome::Ok);
    decisions.add(std::span(&last, 1), world.config);
    QVERIFY(decisions.find("old").empty());
    QCOMPARE(decisions.newest(5000).size(), RecentDecisions::kAttemptsMax);
}

void TestRecentDecisions::aHugeBatchIsCut()
{
    World world;
    RecentDecisions decisions;
    std::vector<CallRecord> records;
    for (std::size_t i = 0; i < 3 * RecentDecisions::kAttemptsMax; ++i) {
        records.push_back(attempt(std::to_string(i), 1, "baseten", Outcome::Ok));
    }
    decisions.add(records, world.config);
    QCOMPARE(decisions.newest(5000).size(), RecentDecisions::kAttemptsMax);
    QCOMPARE(decisions.newest(1)[0][0].record.requestId, records.back().requestId);
}

void TestRecentDecisions::masksSpeakOfTheirConfiguration()
{
    World before;
    World after;
    after.config->models.at("glm").routes.erase(after.config->models.at("glm").routes.begin());
    RecentDecisions decisions;
    const CallRecord record = attempt("a", 1, "baseten", Outcome::Ok);
    decisions.add(std::span(&record, 1), before.config);
    const CallRecord later = attempt("b", 1, "fireworks", Outcome::Ok);
    decisions.add(std::span(&later, 1), after.config);
    const auto old = nlohmann::json::parse(decisionJson(decisions.find("a")));
    QCOMPARE(old.at("candidates").size(), 2U);
    const auto fresh = nlohmann::json::parse(decisionJson(decisions.find("b")));
    QCOMPARE(fresh.at("candidates").size(), 1U);
}

QTEST_APPLESS_MAIN(TestRecentDecisions)
#include "tst_recent_decisions.moc"
