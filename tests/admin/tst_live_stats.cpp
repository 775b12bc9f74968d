// SPDX-License-Identifier: Apache-2.0
#include "agent/admin/live_stats.h"
#include "tests/admin/world.h"

#include <QTest>

using namespace weir;
using namespace weir::admin;

class TestLiveStats final : public QObject
{
    Q_OBJECT

private slots:
    void countsByOutcome();
    void forgetsAfterAMinute();
    void bucketsAreReused();
    void aYoungAgentIsNotDiluted();
    void ttftQuantiles();
    void throughput_data();
    void throughput();
    void costIsUnknownUntilKnown();
    void requestsAreLastAttempts();
    void whatStandsAsideIsNobodysRequest();
    void totalsOnlyGrow();
    void troubleUntilSuccess();
    void aClockThatStepsBackHarmsNothing();
};

namespace {

const RouteKey kBaseten("glm", "baseten");

void add(LiveStats& stats, const CallRecord& record, double seconds)
{
    stats.add(std::span(&record, 1), at(seconds).instant);
}

WindowSum sumAt(const LiveStats& stats, double seconds)
{
    return stats.minute(at(seconds).instant).routes.at(kBaseten);
}

std::int64_t count(const WindowSum& sum, Outcome outcome)
{
    return sum.outcomes[static_cast<std::size_t>(outcome)];
}

} // namespace

void TestLiveStats::countsByOutcome()
{
    LiveStats stats(at(-600).instant);
    QVERIFY(stats.minute(at(0).instant).routes.empty());
    add(stats, call("baseten"), 0);
    add(stats, call("baseten", Outcome::RateLimited), 0.5);
    add(stats, call("baseten", Outcome::RateLimited), 1);
    add(stats, call("fireworks"), 1);
    const LiveStats::Minute minute = stats.minute(at(1).instant);
    const WindowSum& sum = minute.routes.at(kBaseten);
    QCOMPARE(sum.attempts, 3);
    QCOMPARE(count(sum, Outcome::Ok), 1);
    QCOMPARE(count(sum, Outcome::RateLimited), 2);
    QCOMPARE(minute.attempts.at("glm"), 4);
    QCOMPARE(minute.seconds, 60.0);
}

void TestLiveStats::forgetsAfterAMinute()
{
    LiveStats stats(at(-600).instant);
    add(stats, call("baseten"), 0);
    QCOMPARE(sumAt(stats, 59.9).attempts, 1);
    QCOMPARE(sumAt(stats, 60).attempts, 0);
    // Histograms stand in buckets of five seconds.
    QCOMPARE(sumAt(stats, 60).ttftUs.count(), 1U);
    QCOMPARE(sumAt(stats, 65).ttftUs.count(), 0U);
}

void TestLiveStats::bucketsAreReused()
{
    LiveStats stats(at(-600).instant);
    for (int second = 0; second < 1000; ++second) {
        add(stats, call("baseten"), second);
        const WindowSum sum = sumAt(stats, second);
        QCOMPARE(sum.attempts, std::min(second + 1, 60));
        QVERIFY(sum.ttftUs.count() <= 65);
    }
}

void TestLiveStats::aYoungAgentIsNotDiluted()
{
    LiveStats stats(at(0).instant);
    QCOMPARE(stats.minute(at(0).instant).seconds, 1.0);
    QCOMPARE(stats.minute(at(12.5).instant).seconds, 12.5);
    QCOMPARE(stats.minute(at(3600).instant).seconds, 60.0);
}

void TestLiveStats::ttftQuantiles()
{
    LiveStats stats(at(-600).instant);
    for (int i = 1; i <= 100; ++i) {
        CallRecord record = call("baseten");
        record.ttftMs = i * 10;
        add(stats, record, 0);
    }
    const WindowSum sum = sumAt(stats, 0);
    QVERIFY(std::abs(*sum.ttftUs.quantile(0.5) / 1000 - 500) <= 8);
    QVERIFY(std::abs(*sum.ttftUs.quantile(0.95) / 1000 - 950) <= 15);
}

void TestLiveStats::throughput_data()
{
    QTest::addColumn<Outcome>("outcome");
    QTest::addColumn<qint64>("tokens");
    QTest::addColumn<qint64>("durationMs");
    QTest::addColumn<qint64>("milliPerS");

    // The first output comes after 500 ms in each; -1 means that the answer does not count.
    QTest::newRow("100 tokens after the first in half a second")
        << Outcome::Ok << qint64{101} << qint64{1000} << qint64{200'000};
    QTest::newRow("cut by the budget")
        << Outcome::Length << qint64{16} << qint64{2000} << qint64{10'000};
    QTest::newRow("too short to tell") << Outcome::Ok << qint64{15} << qint64{1000} << qint64{-1};
    QTest::newRow("all at once") << Outcome::Ok << qint64{500} << qint64{500} << qint64{-1};
    QTest::newRow("a failure") << Outcome::StreamBroken << qint64{101} << qint64{1000}
                               << qint64{-1};
}

void TestLiveStats::throughput()
{
    QFETCH(Outcome, outcome);
    QFETCH(qint64, tokens);
    QFETCH(qint64, durationMs);
    QFETCH(qint64, milliPerS);
    LiveStats stats(at(-600).instant);
    CallRecord record = call("baseten");
    record.outcome = outcome;
    record.usage.output = tokens;
    record.durationMs = durationMs;
    add(stats, record, 0);
    const auto median = sumAt(stats, 0).milliTokensPerS.quantile(0.5);
    QCOMPARE(median.has_value(), milliPerS >= 0);
    if (median) QVERIFY(std::abs(*median - milliPerS) <= milliPerS * 16 / 1000 + 1);
}

void TestLiveStats::costIsUnknownUntilKnown()
{
    LiveStats stats(at(-600).instant);
    add(stats, call("baseten", Outcome::Reset), 0);
    QVERIFY(!sumAt(stats, 0).costMicroUsd);
    CallRecord gratis = call("baseten");
    gratis.costMicroUsd = 0;
    add(stats, gratis, 1);
    QCOMPARE(sumAt(stats, 1).costMicroUsd, std::optional<std::int64_t>(0));
    add(stats, call("baseten"), 2);
    QCOMPARE(sumAt(stats, 2).costMicroUsd, std::optional<std::int64_t>(822));
}

void TestLiveStats::requestsAreLastAttempts()
{
    LiveStats stats(at(-600).instant);
    CallRecord first = call("fireworks", Outcome::ServerError);
    CallRecord second = call("baseten");
    second.attempt = 2;
    const std::array<CallRecord, 2> failover{first, second};
    stats.add(failover, at(0).instant);
    CallRecord exhausted = call("fireworks", Outcome::ConnectFailed);
    exhausted.last = true;
    add(stats, exhausted, 0);

    QCOMPARE(stats.minute(at(0).instant).requests, 2);
    const auto totals = stats.totals();
    const auto requests = [&totals](const char* provider, Outcome outcome) {
        const RouteTotals& route = totals.at(RouteKey("glm", provider));
        return route.requests[static_cast<std::size_t>(outcome)];
    };
    QCOMPARE(requests("baseten", Outcome::Ok), 1);
    QCOMPARE(requests("fireworks", Outcome::ServerError), 0);
    QCOMPARE(requests("fireworks", Outcome::ConnectFailed), 1);
}

/// The money was spent and the provider was asked, but no client waited.
void TestLiveStats::whatStandsAsideIsNobodysRequest()
{
    LiveStats stats(at(-600).instant);
    for (const CallFlag flag : {CallFlag::Eval, CallFlag::Mirror}) {
        CallRecord record = call("baseten");
        record.last = true;
        record.flags = static_cast<std::uint16_t>(flag);
        add(stats, record, 0);
    }
    QCOMPARE(stats.minute(at(0).instant).requests, 0);
    QCOMPARE(sumAt(stats, 0).attempts, 0);
    const RouteTotals totals = stats.totals().at(kBaseten);
    QCOMPARE(totals.requests[0], 0);
    QCOMPARE(totals.attempts[0], 2);
    QVERIFY(totals.costMicroUsd > 0);
}

void TestLiveStats::totalsOnlyGrow()
{
    LiveStats stats(at(-600).instant);
    add(stats, call("baseten"), 0);
    CallRecord negative = call("baseten");
    negative.costMicroUsd = -5;
    add(stats, negative, 500);
    const RouteTotals totals = stats.totals().at(kBaseten);
    QCOMPARE(totals.attempts[0], 2);
    QCOMPARE(totals.costMicroUsd, 822);
    QCOMPARE(totals.ttft.sum, 1000);
    QCOMPARE(totals.ttft.counts[3], 2U);
    QCOMPARE(totals.inputTokens.sum, 2000);
    QCOMPARE(totals.durations.at(Outcome::Ok).counts[7], 2U);
}

void TestLiveStats::troubleUntilSuccess()
{
    LiveStats stats(at(-600).instant);
    add(stats, call("baseten", Outcome::Auth), 0);
    CallRecord later = call("baseten", Outcome::Auth);
    later.startedAt += std::chrono::minutes(5);
    add(stats, later, 300);
    add(stats, call("baseten", Outcome::ClientCancelled), 301);
    add(stats, call("baseten", Outcome::ServerError), 302);
    const auto troubles = stats.troubles();
    QCOMPARE(troubles.size(), 1U);
    QCOMPARE(troubles.at(kBaseten).size(), 1U);
    QCOMPARE(troubles.at(kBaseten)[0].kind, Outcome::Auth);
    // One second after the first refused attempt began.
    QCOMPARE(toIso(troubles.at(kBaseten)[0].since), std::string("2026-11-30T10:00:01.000Z"));
    add(stats, call("baseten", Outcome::Length), 400);
    QVERIFY(stats.troubles().empty());
}

void TestLiveStats::aClockThatStepsBackHarmsNothing()
{
    LiveStats stats(at(-600).instant);
    add(stats, call("baseten"), 100);
    add(stats, call("baseten"), 99);
    QCOMPARE(sumAt(stats, 100).attempts, 2);
    // Read by a thread whose look at the clock was a little earlier.
    QCOMPARE(sumAt(stats, 99).attempts, 2);
    add(stats, call("baseten"), 36);
    QCOMPARE(sumAt(stats, 100).attempts, 2);
}

QTEST_APPLESS_MAIN(TestLiveStats)
#include "tst_live_stats.moc"
