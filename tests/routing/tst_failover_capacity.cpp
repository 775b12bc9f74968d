// SPDX-License-Identifier: Apache-2.0
#include "common/routing/failover_capacity.h"

#include <QTest>

#include <array>
#include <cmath>

using namespace weir;
using namespace weir::routing;

class TestFailoverCapacity final : public QObject
{
    Q_OBJECT

private slots:
    void theSurgeOfTheSeedNeeds27Times();
    void moreRoutesCarryItTogether();
    void theTighterLimitCounts();
    void whatIsNotKnownIsNotShort();
    void theLastRouteHasNowhereToFail();
    void batchAloneDoesNotMakeItShort();
    void peaksAreOfTheLastHours();
    void lateRowsAreCountedInTheirMinute();
};

namespace {

constexpr std::int64_t kMinuteMs = 60'000;

bool isNear(double value, double expected)
{
    return std::abs(value - expected) <= 0.005 * expected;
}

/// A minute of so many requests a second of 1,500 tokens, four fifths of them at a-eu.
DemandPeaks traffic(int rps, std::int64_t minute = 0, int batchOfTen = 0)
{
    DemandPeaks peaks;
    for (int i = 0; i < rps * 60; ++i) {
        const std::string provider = i % 5 == 0 ? "b-eu" : "a-eu";
        peaks.add(provider, {minute * kMinuteMs + i, 1500, i % 10 < batchOfTen});
    }
    return peaks;
}

} // namespace

/// 60 requests a second at 1,500 tokens are 5.4 million tokens a minute; the secondary may have
/// two.
void TestFailoverCapacity::theSurgeOfTheSeedNeeds27Times()
{
    const std::array<RouteLimits, 2> routes{{{"a-eu", {}, -1}, {"b-eu", {0, 2'000'000}, -1}}};
    const auto all = failoverCapacity(traffic(60).at(0), routes);
    QCOMPARE(all.size(), std::size_t{2});
    QCOMPARE(all[0].provider, std::string{"a-eu"});
    QVERIFY(all[0].ratio && isNear(*all[0].ratio, 2.7));
    QVERIFY(all[0].interactiveRatio && isNear(*all[0].interactiveRatio, 2.7));
    QVERIFY(isNear(all[0].needs.rps, 60) && isNear(all[0].needs.tokensPerMinute, 5'400'000));
    QVERIFY(isNear(all[0].moves.rps, 48));
    QVERIFY(isNear(*all[0].capacityRps, 22.2));
    QVERIFY(
        failoverShortText(all[0]).find(
            "a full failover of a-eu needs 2.7 times what is known of b-eu") == 0);
    QVERIFY(!all[1].ratio);
    QCOMPARE(all[1].unknown, std::vector<std::string>{"a-eu"});
}

void TestFailoverCapacity::moreRoutesCarryItTogether()
{
    const std::array<RouteLimits, 3> routes{
        {{"a-eu", {}, -1}, {"b-eu", {20'000, 0}, -1}, {"c-eu", {0, 0}, 40'000}}};
    const auto all = failoverCapacity(traffic(60).at(0), routes);
    QVERIFY(all[0].ratio && isNear(*all[0].ratio, 1.0));
}

void TestFailoverCapacity::theTighterLimitCounts()
{
    const std::array<RouteLimits, 2> routes{
        {{"a-eu", {}, -1}, {"b-eu", {50'000, 2'700'000}, 40'000}}};
    const auto all = failoverCapacity(traffic(60).at(0), routes);
    QVERIFY(all[0].ratio && isNear(*all[0].ratio, 2.0));
}

void TestFailoverCapacity::whatIsNotKnownIsNotShort()
{
    const std::array<RouteLimits, 3> routes{
        {{"a-eu", {}, -1}, {"b-eu", {1'000, 0}, -1}, {"c-eu", {}, -1}}};
    const auto all = failoverCapacity(traffic(60).at(0), routes);
    QVERIFY(!all[0].ratio && !all[0].interactiveRatio && !all[0].capacityRps);
    QCOMPARE(all[0].unknown, std::vector<std::string>{"c-eu"});
}

void TestFailoverCapacity::theLastRouteHasNowhereToFail()
{
    const std::array<RouteLimits, 1> routes{{{"a-eu", {1'000, 0}, -1}}};
    const auto all = failoverCapacity(traffic(60).at(0), routes);
    QVERIFY(!all[0].ratio && all[0].others.empty());
}

void TestFailoverCapacity::batchAloneDoesNotMakeItShort()
{
    const std::array<RouteLimits, 2> routes{{{"a-eu", {}, -1}, {"b-eu", {45'000, 0}, -1}}};
    const auto all = failoverCapacity(traffic(60, 0, 4).at(0), routes);
    QVERIFY(*all[0].ratio > 1.3);
    QVERIFY(isNear(*all[0].interactiveRatio, 36.0 / 45.0));
}

void TestFailoverCapacity::peaksAreOfTheLastHours()
{
    DemandPeaks peaks = traffic(60, 1000);
    for (int i = 0; i < 600; ++i)
        peaks.add("a-eu", {1300 * kMinuteMs + i, 1500, false});
    QVERIFY(isNear(peaks.at(1300 * kMinuteMs).all.rps, 60));
    QVERIFY(isNear(peaks.at(1400 * kMinuteMs).all.rps, 10));
    QVERIFY(isNear(peaks.at(1400 * kMinuteMs).byProvider.at("a-eu").rps, 10));
    QCOMPARE(peaks.at(2000 * kMinuteMs).all.rps, 0.0);
    QCOMPARE(peaks.at(2000 * kMinuteMs).tokensPerRequest, 0.0);
}

void TestFailoverCapacity::lateRowsAreCountedInTheirMinute()
{
    DemandPeaks peaks;
    for (int i = 0; i < 60; ++i)
        peaks.add("a", {10 * kMinuteMs, 100, false});
    for (int i = 0; i < 60; ++i)
        peaks.add("a", {9 * kMinuteMs, 100, false});
    QVERIFY(isNear(peaks.at(10 * kMinuteMs).all.rps, 1));
    // A day later its place belongs to another minute.
    peaks.add("a", {(10 + DemandPeaks::kMinutes) * kMinuteMs, 100, false});
    peaks.add("a", {10 * kMinuteMs, 100, false});
    QVERIFY(isNear(peaks.at((10 + DemandPeaks::kMinutes) * kMinuteMs).all.rps, 1.0 / 60));
    peaks.add("a", {-5, -100, false});
}

QTEST_APPLESS_MAIN(TestFailoverCapacity)
#include "tst_failover_capacity.moc"
