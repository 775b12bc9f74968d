// SPDX-License-Identifier: Apache-2.0
#include "tests/routing/gate_fleet.h"

#include <QTest>

using namespace weir;
using namespace weir::routing;
using namespace weir::routing::test;

/// The gate in a closed loop with a provider: the tables of routing.md sections 4, 6 and 10 and the
/// scenarios 5, 7, 9, 10, 12 and 17 as far as one route shows them.
class TestGateLoop final : public QObject
{
    Q_OBJECT

private slots:
    void ordinaryErrorsAreNotCut_data();
    void ordinaryErrorsAreNotCut();
    void aBurstWithinASecondIsNotCutTwice();
    void aStormEndsAndTheRateIsBackInEightMinutes();
    void recoveryIsAMatterOfTimeNotOfTraffic_data();
    void recoveryIsAMatterOfTimeNotOfTraffic();
    void aHardLimitIsLearnedAsACap();
    void aQueueIsLearnedAsACapByItsLatency();
    void aSlowdownAtTheSameLoadIsNotACap();
    void aSuppressedRouteIsSampledAgainWithinAMinute_data();
    void aSuppressedRouteIsSampledAgainWithinAMinute();
    void aDeadRouteIsShutAndProbedByThreeAtMost();
    void rateLimitsNeverOpenTheBreaker();
    void creditHoldsAndComesBackAtOnce();
    void aNewRouteStartsSlowlyOnce();
    void lostExchangesKeepTheShares();
    void aloneNobodyGrowsBeyondItsShare();
    void anEmptyMemoryLearnsFromTheAgents();
};

namespace {

constexpr std::int64_t kMinute = 60'000;

GateFleet::Provider failing(std::int64_t ppm, Outcome outcome, std::int64_t okMs = 300)
{
    return [=](std::int64_t, Chance& chance) {
        return chance.happens(ppm) ? Answer{outcome, 50} : Answer{Outcome::Ok, okMs};
    };
}

double ratio(std::int64_t part, std::int64_t whole)
{
    return static_cast<double>(part) / static_cast<double>(whole);
}

} // namespace

/// B155.
void TestGateLoop::ordinaryErrorsAreNotCut_data()
{
    QTest::addColumn<double>("rps");
    QTest::addColumn<int>("cutsMost");
    QTest::newRow("20 a second") << 20.0 << 0;
    QTest::newRow("2 a second") << 2.0 << 3;
    QTest::newRow("one in two seconds") << 0.5 << 3;
}

void TestGateLoop::ordinaryErrorsAreNotCut()
{
    QFETCH(double, rps);
    QFETCH(int, cutsMost);
    GateFleet fleet{20, true, 0};
    fleet.demandRps = rps;
    fleet.provider = failing(50'000, Outcome::ServerError, 3000);
    fleet.runFor(30 * kMinute);
    QVERIFY(fleet.count(GateEventKind::Cut) <= cutsMost);
    QVERIFY(ratio(fleet.sent, fleet.asked) > 0.98);
    QCOMPARE(fleet.count(GateEventKind::BreakerOpened), 0);
}

void TestGateLoop::aBurstWithinASecondIsNotCutTwice()
{
    GateFleet fleet{20, true, 0};
    fleet.runFor(2 * kMinute);
    const double before = fleet.rate();
    const std::int64_t at = fleet.nowMs();
    fleet.demandRps = 60;
    fleet.provider = [=](std::int64_t now, Chance& chance) {
        return now - at < 1000 ? Answer{Outcome::RateLimited, 50 + chance.below(3000)} : Answer{};
    };
    fleet.runFor(1000);
    fleet.demandRps = 20;
    fleet.runFor(kMinute);
    QVERIFY(fleet.rateLimited > 30);
    QVERIFY(fleet.count(GateEventKind::Cut) <= 1);
    QVERIFY(fleet.rate() >= before / 2);
}

void TestGateLoop::aStormEndsAndTheRateIsBackInEightMinutes()
{
    GateFleet fleet{20, true, 0};
    fleet.runFor(5 * kMinute);
    fleet.provider = failing(1'000'000, Outcome::RateLimited);
    fleet.runFor(30'000);
    QVERIFY(fleet.rate() < 10);
    fleet.runFor(30'000);
    fleet.provider = failing(300'000, Outcome::RateLimited);
    fleet.runFor(4 * kMinute);
    fleet.provider = failing(0, Outcome::Ok);
    fleet.runFor(8 * kMinute);
    QVERIFY(fleet.rate() >= 18);
    QCOMPARE(fleet.state.cap.capMicro, -1);
    QCOMPARE(fleet.count(GateEventKind::BreakerOpened), 0);
}

/// B039, B154.
void TestGateLoop::recoveryIsAMatterOfTimeNotOfTraffic_data()
{
    QTest::addColumn<double>("rps");
    QTest::newRow("one in ten seconds") << 0.1;
    QTest::newRow("one a second") << 1.0;
    QTest::newRow("ten a second") << 10.0;
    QTest::newRow("a thousand a second") << 1000.0;
}

void TestGateLoop::recoveryIsAMatterOfTimeNotOfTraffic()
{
    QFETCH(double, rps);
    GateFleet fleet{4, true, 0};
    fleet.demandRps = rps;
    fleet.runFor(5 * kMinute);
    fleet.provider = failing(1'000'000, Outcome::RateLimited);
    fleet.runFor(2 * kMinute);
    QVERIFY2(fleet.rate() < 0.5 * rps || rps < 1, qPrintable(QString::number(fleet.rate())));
    fleet.provider = failing(0, Outcome::Ok);
    fleet.runFor(8 * kMinute);
    const std::int64_t asked = fleet.asked;
    const std::int64_t sent = fleet.sent;
    fleet.runFor(10 * kMinute);
    const double served = ratio(fleet.sent - sent, fleet.asked - asked);
    QVERIFY2(served > 0.9, qPrintable(QString::number(served)));
}

void TestGateLoop::aHardLimitIsLearnedAsACap()
{
    GateFleet fleet{20, true, 0};
    double tokens = 12;
    std::int64_t last = 0;
    fleet.provider = [&](std::int64_t now, Chance&) {
        tokens = std::min(12.0, tokens + static_cast<double>(now - last) * 0.012);
        last = now;
        if (tokens < 1) return Answer{Outcome::RateLimited, 50};
        tokens -= 1;
        return Answer{Outcome::Ok, 1000};
    };
    fleet.runFor(30 * kMinute);
    QVERIFY(fleet.count(GateEventKind::CapLearned) >= 1);
    QVERIFY(fleet.count(GateEventKind::Cut) <= 4);
    QVERIFY(ratio(fleet.ok, 12 * 1800) > 0.9);
    QVERIFY(ratio(fleet.rateLimited, fleet.sent) < 0.04);
}

void TestGateLoop::aQueueIsLearnedAsACapByItsLatency()
{
    GateFleet fleet{10, true, 0};
    fleet.groupRps = 20;
    double queue = 0;
    std::int64_t last = 0;
    fleet.provider = [&](std::int64_t now, Chance&) {
        queue = std::max(0.0, queue - static_cast<double>(now - last) * 0.012) + 1;
        last = now;
        return Answer{Outcome::Ok, 3000 + static_cast<std::int64_t>(queue / 0.012)};
    };
    for (const double rps : {1.0, 2.0, 4.0, 8.0, 16.0}) {
        fleet.demandRps = rps;
        fleet.runFor(3 * kMinute);
    }
    fleet.demandRps = 18;
    fleet.runFor(20 * kMinute);
    QVERIFY(fleet.count(GateEventKind::CapLearned) >= 1);
    const auto cap = static_cast<double>(fleet.state.cap.capMicro) / 1e6;
    QVERIFY2(cap > 9.5 && cap < 13.5, qPrintable(QString::number(cap)));
    QVERIFY(fleet.state.latency.lastMs < 12'000);
    QCOMPARE(fleet.count(GateEventKind::Cut), 0);
}

void TestGateLoop::aSlowdownAtTheSameLoadIsNotACap()
{
    GateFleet fleet{10, true, 0};
    fleet.groupRps = 20;
    fleet.demandRps = 5;
    std::int64_t ms = 5000;
    fleet.provider = [&](std::int64_t, Chance& chance) {
        return Answer{Outcome::Ok, ms / 2 + chance.below(ms)};
    };
    fleet.runFor(5 * kMinute);
    fleet.demandRps = 18;
    fleet.runFor(10 * kMinute);
    ms = 20'000;
    fleet.runFor(10 * kMinute);
    fleet.demandRps = 1;
    fleet.runFor(60 * kMinute);
    ms = 5000;
    fleet.demandRps = 18;
    fleet.runFor(10 * kMinute);
    QCOMPARE(fleet.count(GateEventKind::CapLearned), 0);
    QVERIFY(fleet.rate() > 18);
}

void TestGateLoop::aSuppressedRouteIsSampledAgainWithinAMinute_data()
{
    QTest::addColumn<double>("rps");
    QTest::newRow("20 a second") << 20.0;
    QTest::newRow("one a second") << 1.0;
}

void TestGateLoop::aSuppressedRouteIsSampledAgainWithinAMinute()
{
    QFETCH(double, rps);
    GateFleet fleet{10, true, 0};
    fleet.demandRps = rps;
    fleet.runFor(5 * kMinute);
    fleet.provider = failing(1'000'000, Outcome::RateLimited);
    const std::int64_t before = fleet.sent;
    fleet.runFor(20 * kMinute);
    QVERIFY(fleet.rate() < rps / 5);
    QVERIFY(fleet.sent - before >= 20);
    fleet.provider = failing(0, Outcome::Ok);
    fleet.runFor(kMinute);
    QVERIFY(fleet.rate() >= rps / 20 * 0.9);
}

/// B031.
void TestGateLoop::aDeadRouteIsShutAndProbedByThreeAtMost()
{
    GateFleet fleet{20, true, 0};
    fleet.runFor(2 * kMinute);
    const double before = fleet.rate();
    fleet.provider = failing(1'000'000, Outcome::Reset);
    fleet.runFor(30'000);
    QCOMPARE(fleet.state.breaker.state, BreakerState::Open);
    const std::int64_t sent = fleet.sent;
    fleet.runFor(10 * kMinute);
    QVERIFY(fleet.sent - sent < 40);
    QVERIFY(fleet.probesMost <= 3);
    fleet.provider = failing(0, Outcome::Ok);
    fleet.runFor(7 * kMinute);
    QCOMPARE(fleet.state.breaker.state, BreakerState::Closed);
    QVERIFY(fleet.probesMost <= 3);
    QVERIFY(fleet.rate() >= before / 4);
    QCOMPARE(fleet.count(GateEventKind::BreakerClosed), 1);
}

void TestGateLoop::rateLimitsNeverOpenTheBreaker()
{
    GateFleet fleet{5, true, 0};
    fleet.provider = failing(1'000'000, Outcome::RateLimited);
    fleet.runFor(5 * kMinute);
    QCOMPARE(fleet.count(GateEventKind::BreakerOpened), 0);
}

void TestGateLoop::creditHoldsAndComesBackAtOnce()
{
    GateFleet fleet{20, true, 0};
    fleet.runFor(5 * kMinute);
    const double before = fleet.rate();
    fleet.provider = failing(1'000'000, Outcome::NoCredit);
    fleet.runFor(5'000);
    const std::int64_t sent = fleet.sent;
    fleet.runFor(10 * kMinute);
    QVERIFY(fleet.sent - sent <= 20);
    QVERIFY(fleet.sent - sent >= 10);
    QCOMPARE(fleet.count(GateEventKind::Cut), 0);
    QCOMPARE(fleet.count(GateEventKind::BreakerOpened), 0);
    fleet.provider = failing(0, Outcome::Ok);
    fleet.runFor(35'000);
    QVERIFY(!fleet.state.account.holds());
    QVERIFY(fleet.rate() >= before * 0.99);
}

void TestGateLoop::aNewRouteStartsSlowlyOnce()
{
    GateFleet fleet{20, false, 0};
    fleet.demandRps = 1;
    fleet.groupRps = 20;
    fleet.runFor(5'000);
    QVERIFY(fleet.rate() < 0.5);
    QVERIFY(fleet.rate() > 0.3);
    fleet.runFor(10 * kMinute);
    QVERIFY(fleet.state.everUsed);
    QVERIFY(fleet.rate() >= 1);
    fleet.state.started = false;
    fleet.runFor(15'000);
    QCOMPARE(fleet.count(GateEventKind::SlowStartEnded), 1);
}

void TestGateLoop::lostExchangesKeepTheShares()
{
    GateFleet fleet{20, true, 0};
    fleet.runFor(5 * kMinute);
    fleet.connected = false;
    fleet.runFor(5'000);
    const std::int64_t sent = fleet.sent;
    const std::int64_t asked = fleet.asked;
    fleet.runFor(10 * kMinute);
    QVERIFY(fleet.agents().front().isLocal(fleet.nowMs()));
    QVERIFY(ratio(fleet.sent - sent, fleet.asked - asked) > 0.95);
    fleet.provider = failing(1'000'000, Outcome::RateLimited);
    const std::int64_t storm = fleet.sent;
    fleet.runFor(5 * kMinute);
    QVERIFY(ratio(fleet.sent - storm, 20 * 300) < 0.3);
}

/// Each sees only that its own few requests are served, and nobody what all of them add up to.
void TestGateLoop::aloneNobodyGrowsBeyondItsShare()
{
    GateFleet fleet{20, true, 0};
    fleet.demandRps = 40;
    fleet.runFor(12'000);
    fleet.state.rate.rateMicro = 10'000'000;
    fleet.state.rate.frozenUntilMs = 3'600'000;
    fleet.runFor(30'000);
    fleet.connected = false;
    fleet.runFor(5'000);
    for (int i = 0; i < 3; ++i) {
        const std::int64_t sent = fleet.sent;
        fleet.runFor(10 * kMinute);
        QVERIFY(ratio(fleet.sent - sent, 10 * 600) < 1.05);
        QVERIFY(ratio(fleet.sent - sent, 10 * 600) > 0.8);
    }
}

void TestGateLoop::anEmptyMemoryLearnsFromTheAgents()
{
    GateFleet fleet{20, true, 0};
    fleet.runFor(5 * kMinute);
    const double before = fleet.rate();
    fleet.state = newGate(true);
    fleet.runFor(15'000);
    QVERIFY(fleet.rate() >= before * 0.8);
    QVERIFY(fleet.rate() <= before * 1.2);
    QVERIFY(!fleet.state.learning);
    QCOMPARE(fleet.count(GateEventKind::SlowStartEnded), 0);
}

QTEST_APPLESS_MAIN(TestGateLoop)
#include "tst_gate_loop.moc"
