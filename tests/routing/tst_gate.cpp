// SPDX-License-Identifier: Apache-2.0
#include "tests/routing/gate_trace.h"

#include <QTest>

#include <algorithm>
#include <limits>

using namespace weir;
using namespace weir::routing;
using namespace weir::routing::test;

/// Invariants of routing.md sections 4, 6 and 10, on reports made by chance.
class TestGate final : public QObject
{
    Q_OBJECT

private slots:
    void theOrderOfReportsDoesNotMatter();
    void oneAgentOrTwoIsTheSame();
    void aShiftInTimeChangesNothing_data();
    void aShiftInTimeChangesNothing();
    void successAloneNeverLowersTheRate();
    void boundsHoldForAnyInterleaving();
    void neutralOutcomesLeaveTheRateAsItIs();
    void theBreakerClosesOnlyAfterThreeProbes();
    void extremeFiguresStayInRange();
};

namespace {

/// All that was decided; which agent was offered a probe is nobody's business.
bool sameDecisions(const GateState& a, const GateState& b)
{
    BreakerMemory first = a.breaker;
    first.probes = b.breaker.probes;
    return a.rate == b.rate && first == b.breaker && a.cap == b.cap && a.cohorts == b.cohorts &&
           a.version == b.version;
}

std::vector<std::int64_t> ratesOf(std::int64_t startMs, std::uint64_t seed, int seconds)
{
    const GateParams params;
    Chance chance{seed};
    GateState state = warm(startMs, 30'000, params);
    std::vector<std::int64_t> rates;
    for (int second = 1; second <= seconds; ++second) {
        const std::int64_t now = startMs + second * 1000 + 100;
        for (const Second& one : secondOf(chance, second, 10)) {
            (void)step(state, reportOf(one, now, 2000), now, params);
        }
        rates.push_back(state.rate.rateMicro);
    }
    return rates;
}

} // namespace

void TestGate::theOrderOfReportsDoesNotMatter()
{
    const GateParams params;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        Chance chance{seed};
        Chance shuffle{seed + 100};
        GateState inOrder = warm(0, 30'000, params);
        GateState mixed = inOrder;
        for (int second = 1; second <= 300; ++second) {
            const std::int64_t now = second * 1000 + 300;
            std::vector<Second> all = secondOf(chance, second, 20);
            for (const Second& one : all) {
                (void)step(inOrder, reportOf(one, now, 1500), now, params);
            }
            for (std::size_t i = all.size(); i > 1; --i) {
                std::swap(
                    all[i - 1], all[static_cast<std::size_t>(shuffle.below(std::int64_t(i)))]);
            }
            for (const Second& one : all)
                (void)step(mixed, reportOf(one, now, 1500), now, params);
            QVERIFY(sameDecisions(inOrder, mixed));
        }
        QVERIFY(inOrder.version > 10);
    }
}

void TestGate::oneAgentOrTwoIsTheSame()
{
    const GateParams params;
    Chance chance{5};
    GateState one = warm(0, 30'000, params);
    GateState two = one;
    for (int second = 1; second <= 300; ++second) {
        const std::int64_t now = second * 1000 + 300;
        for (Second& whole : secondOf(chance, second, 5)) {
            (void)step(one, reportOf(whole, now, 4000), now, params);
            Second half = whole;
            half.agent += 100;
            half.dispatched = whole.dispatched / 2;
            half.rateLimited = std::min(half.dispatched, whole.rateLimited);
            half.failed = std::min(half.dispatched - half.rateLimited, whole.failed);
            whole.dispatched -= half.dispatched;
            whole.rateLimited -= half.rateLimited;
            whole.failed -= half.failed;
            (void)step(two, reportOf(half, now, 2000), now, params);
            (void)step(two, reportOf(whole, now, 2000), now, params);
        }
        QVERIFY(sameDecisions(one, two));
    }
}

void TestGate::aShiftInTimeChangesNothing_data()
{
    QTest::addColumn<qint64>("shiftMs");
    QTest::newRow("to the hour") << 3'600'000LL;
    QTest::newRow("within the hour") << 1'045'000LL;
    QTest::newRow("today") << 1'785'000'000'000LL;
    QTest::newRow("below zero") << -7'200'000LL;
}

void TestGate::aShiftInTimeChangesNothing()
{
    QFETCH(qint64, shiftMs);
    QCOMPARE(ratesOf(shiftMs, 3, 600), ratesOf(0, 3, 600));
}

/// B038.
void TestGate::successAloneNeverLowersTheRate()
{
    const GateParams params;
    Chance chance{11};
    GateState state = warm(0, 5'000, params);
    std::int64_t before = state.rate.rateMicro;
    for (int second = 1; second <= 1800; ++second) {
        const std::int64_t now = second * 1000 + 700;
        for (std::uint32_t agent = 1; agent <= 4; ++agent) {
            const Second one{.agent = agent, .dispatched = 1 + static_cast<int>(chance.below(3))};
            (void)step(state, reportOf(one, now, 2000), now, params);
        }
        QVERIFY(state.rate.rateMicro >= before);
        before = state.rate.rateMicro;
    }
    QVERIFY(before > 10'000'000);
}

void TestGate::boundsHoldForAnyInterleaving()
{
    const GateParams params;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Chance chance{seed};
        GateState state = warm(0, 30'000, params);
        const int agents = 1 + static_cast<int>(chance.below(20));
        std::int64_t lastCut = kNeverMs;
        for (int second = 1; second <= 400; ++second) {
            for (const Second& one : secondOf(chance, second, agents)) {
                const std::int64_t now = second * 1000 + chance.below(1000);
                const RateMemory before = state.rate;
                if (chance.happens(100'000)) continue;
                const GateReply reply = step(state, reportOf(one, now, 2000), now, params);
                QVERIFY(reply.permittedMilliRps > 0);
                QVERIFY(
                    state.rate.rateMicro >=
                    std::max<std::int64_t>(16'667, state.rate.referenceMicro / 100));
                for (const GateEvent& event : reply.events) {
                    if (event.kind != GateEventKind::Cut) continue;
                    QVERIFY(event.atMs - lastCut >= 5000);
                    QVERIFY(event.afterMilliRps < event.beforeMilliRps);
                    lastCut = event.atMs;
                }
                if (state.rate.rateMicro <= before.rateMicro || !reply.events.empty()) continue;
                const std::int64_t sampling = agents * 2'000'000 / 20;
                const std::int64_t most = 2 * std::max(state.rate.usedMicro, sampling);
                QVERIFY(state.rate.rateMicro <= std::max(most, before.rateMicro));
                const bool used =
                    state.rate.usedMicro * 10 >= before.rateMicro * 7 || state.cap.capMicro >= 0;
                QVERIFY(used || before.rateMicro < sampling);
            }
        }
    }
}

void TestGate::neutralOutcomesLeaveTheRateAsItIs()
{
    const GateParams params;
    Chance chance{21};
    GateState plain = warm(0, 30'000, params);
    GateState more = plain;
    for (int second = 1; second <= 400; ++second) {
        const std::int64_t now = second * 1000 + 300;
        for (Second& one : secondOf(chance, second, 10)) {
            (void)step(plain, reportOf(one, now, 2000), now, params);
            one.neutral = static_cast<int>(chance.below(3));
            (void)step(more, reportOf(one, now, 2000), now, params);
        }
        QVERIFY(plain.rate == more.rate);
        QVERIFY(plain.breaker == more.breaker);
    }
}

void TestGate::theBreakerClosesOnlyAfterThreeProbes()
{
    const GateParams params{.firstOpenMs = 2000};
    int closed = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        Chance chance{seed};
        GateState state = warm(0, 30'000, params);
        std::array<int, 6> inFlight{};
        int okSinceHalfOpen = 0;
        for (int second = 1; second <= 600; ++second) {
            for (std::uint32_t agent = 1; agent <= 5; ++agent) {
                const bool bad = second / 40 % 2 == 0;
                const Second one{.agent = agent, .dispatched = 2, .failed = bad ? 2 : 0};
                const std::int64_t now = second * 1000 + chance.below(1000);
                GateReport report = reportOf(one, now, 2000);
                int& mine = inFlight[agent];
                if (mine > 0 && chance.happens(500'000)) {
                    --mine;
                    (chance.happens(bad ? 0 : 900'000) ? report.probesOk : report.probesFailed) = 1;
                }
                report.probesInFlight = mine;
                const BreakerState before = state.breaker.state;
                const GateReply reply = step(state, report, now, params);
                const BreakerState after = state.breaker.state;
                QVERIFY(!(before == BreakerState::Open && after == BreakerState::Closed));
                if (after == BreakerState::Closed && before == BreakerState::HalfOpen) {
                    QVERIFY(okSinceHalfOpen >= 3);
                    ++closed;
                }
                if (after != BreakerState::HalfOpen || before != after) okSinceHalfOpen = 0;
                okSinceHalfOpen += report.probesOk;
                mine += static_cast<int>(chance.below(reply.probes + 1));
                int all = 0;
                for (const int probes : inFlight)
                    all += probes;
                QVERIFY(all <= 3);
            }
        }
    }
    QVERIFY(closed > 5);
}

void TestGate::extremeFiguresStayInRange()
{
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    constexpr std::int32_t kMost32 = std::numeric_limits<std::int32_t>::max();
    const GateParams params;
    Chance chance{3};
    const auto any = [&](std::int64_t typical) {
        const std::array values{-kMost, std::int64_t{-1}, std::int64_t{0}, typical, kMost};
        return values[static_cast<std::size_t>(chance.below(5))];
    };
    const auto any32 = [&] {
        const std::array values{-kMost32, -1, 0, 7, kMost32};
        return values[static_cast<std::size_t>(chance.below(5))];
    };
    GateState state = newGate(true);
    std::int64_t now = 0;
    for (int i = 0; i < 20'000; ++i) {
        now += chance.happens(1000) ? 86'400'000 * chance.below(400) : chance.below(1500);
        GateReport report{.agent = static_cast<std::uint32_t>(chance.below(30))};
        for (std::int64_t& want : report.wantMilliRps)
            want = any(1000);
        report.groupMilliRps = any(3000);
        report.sent = any(3);
        report.retryAfterMs = chance.happens(10'000) ? any(500) : 0;
        report.knownMilliRps = any(1000);
        report.knownVersion = chance.below(1000);
        report.probesOk = any32();
        report.probesFailed = any32();
        report.probesInFlight = any32();
        report.cohorts.push_back(
            {.startMs = now - chance.below(700'000),
             .dispatched = any32(),
             .ok = any32(),
             .rateLimited = any32(),
             .failed = any32(),
             .breakerHalves = any32(),
             .neutral = any32(),
             .failedSeconds = static_cast<std::uint8_t>(chance.below(32))});
        const GateReply reply = step(state, report, now, params);
        QVERIFY(state.rate.rateMicro > 0 && state.rate.rateMicro <= kMicroMax);
        QVERIFY(reply.guardMilliRps >= 0 && reply.recoversInMs >= 0);
        for (const std::int32_t ppm : reply.admitPpm)
            QVERIFY(ppm >= 0 && ppm <= 1'000'000);
    }
}

QTEST_APPLESS_MAIN(TestGate)
#include "tst_gate.moc"
