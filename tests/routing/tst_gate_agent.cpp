// SPDX-License-Identifier: Apache-2.0
#include "tests/routing/gate_fleet.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace weir;
using namespace weir::routing;
using namespace weir::routing::test;

/// The agent's half of the gate, and what the agents of a fleet send together (routing.md 5).
class TestGateAgent final : public QObject
{
    Q_OBJECT

private slots:
    void theFirstRequestOfAnIdleRouteIsAdmitted();
    void theFleetStaysBelowTheRate_data();
    void theFleetStaysBelowTheRate();
    void agentsOfEqualDemandAreServedAlike();
    void lostExchangesLoseAndDoubleNothing();
    void pinnedGoesBeforeBatch();
    void fiveFailuresInARowShutAtOnce();
    void othersSuccessesOpenAgain();
    void slowSuccessesAreWaitedFor();
    void probesNotTakenAreGivenBack();
    void anAnswerToAnOldReportIsIgnored();
    void beforeTheFirstAnswerEachHasItsPartOfTheQuota();
};

namespace {

double rateWithin(const GateFleet& fleet)
{
    return static_cast<double>(fleet.state.rate.rateMicro) / 1e6;
}

} // namespace

void TestGateAgent::theFirstRequestOfAnIdleRouteIsAdmitted()
{
    for (const bool everUsed : {true, false}) {
        GateFleet fleet{3, everUsed, 0};
        fleet.demandRps = 0;
        fleet.runFor(120'000);
        for (AgentGate& agent : fleet.agents()) {
            const GateView view = agent.view(fleet.nowMs());
            QCOMPARE(view.admitPpm[1], 1'000'000);
            QVERIFY(view.guardOpen);
            QVERIFY(agent.takeGuard(fleet.nowMs()) && agent.takeGuard(fleet.nowMs()));
        }
    }
}

void TestGateAgent::theFleetStaysBelowTheRate_data()
{
    QTest::addColumn<int>("agents");
    QTest::addColumn<double>("limit");
    QTest::addColumn<double>("demand");
    QTest::newRow("one") << 1 << 5.0 << 10.0;
    QTest::newRow("twenty") << 20 << 20.0 << 40.0;
    QTest::newRow("much too much") << 20 << 5.0 << 80.0;
    QTest::newRow("tiny") << 10 << 0.2 << 10.0;
}

/// B111.
void TestGateAgent::theFleetStaysBelowTheRate()
{
    QFETCH(int, agents);
    QFETCH(double, limit);
    QFETCH(double, demand);
    GateFleet fleet{agents, true, 0};
    fleet.demandRps = demand;
    fleet.runFor(12'000);
    fleet.state.rate.rateMicro = static_cast<std::int64_t>(limit * 1e6);
    fleet.state.rate.frozenUntilMs = 3'600'000;
    fleet.runFor(10'000);
    const std::int64_t before = fleet.sent;
    const double guards = std::max(2.0 * agents, 3 * limit);
    const double most = 10 * limit + 3 * std::sqrt(10 * limit) + guards;
    for (int i = 0; i < 60; ++i) {
        const std::int64_t start = fleet.sent;
        fleet.runFor(10'000);
        QVERIFY(static_cast<double>(fleet.sent - start) <= most);
    }
    QCOMPARE(rateWithin(fleet), limit);
    const double all = static_cast<double>(fleet.sent - before);
    QVERIFY2(
        all <= limit * 600 * 1.01 + 5 * std::max(1.0, limit), qPrintable(QString::number(all)));
    QVERIFY2(all >= limit * 600 * 0.8, qPrintable(QString::number(all)));
}

void TestGateAgent::agentsOfEqualDemandAreServedAlike()
{
    GateFleet fleet{10, true, 0};
    fleet.demandRps = 40;
    fleet.runFor(12'000);
    fleet.state.rate.rateMicro = 20'000'000;
    fleet.state.rate.frozenUntilMs = 3'600'000;
    fleet.sentBy.assign(10, 0);
    fleet.runFor(600'000);
    const auto [least, most] = std::ranges::minmax(fleet.sentBy);
    QVERIFY(static_cast<double>(least) > 0.85 * static_cast<double>(most));
}

void TestGateAgent::lostExchangesLoseAndDoubleNothing()
{
    GateFleet fleet{10, true, 0};
    fleet.lossPpm = 300'000;
    fleet.runFor(300'000);
    fleet.lossPpm = 0;
    const std::int64_t sent = fleet.sent;
    fleet.demandRps = 0;
    fleet.runFor(5'000);
    const Evidence all = sumOf(fleet.state.cohorts, -5'000, fleet.nowMs());
    QVERIFY(all.ok <= sent);
    // Three answers in a row missing is 3 s without one: then an interval may go uncounted.
    QVERIFY(static_cast<double>(all.ok) > 0.97 * static_cast<double>(sent));
}

void TestGateAgent::pinnedGoesBeforeBatch()
{
    const GateParams params;
    GateState state = newGate(true);
    GateReport report{.agent = 1, .groupMilliRps = 40'000};
    report.wantMilliRps = {6'000, 6'000, 1'000, 20'000};
    report.knownMilliRps = 10'000;
    report.knownVersion = 5;
    const GateReply reply = step(state, report, 1000, params);
    QCOMPARE(reply.admitPpm[0], 1'000'000);
    QVERIFY(reply.admitPpm[1] > 400'000 && reply.admitPpm[1] < 700'000);
    QCOMPARE(reply.admitPpm[2], 1'000'000);
    QCOMPARE(reply.admitPpm[3], 0);
}

void TestGateAgent::fiveFailuresInARowShutAtOnce()
{
    const GateParams params;
    AgentGate agent{1, true, params, 0};
    for (int i = 0; i < 5; ++i) {
        QCOMPARE(agent.view(i * 500).breaker, BreakerState::Closed);
        agent.dispatched(i * 500);
        agent.finished(i * 500, Outcome::ConnectFailed, 0, i * 500);
    }
    const GateView view = agent.view(2000);
    QCOMPARE(view.breaker, BreakerState::Open);
    QCOMPARE(view.admitPpm[0], 0);
    QVERIFY(view.recoversInMs > 0);
    for (const Outcome outcome : {Outcome::RateLimited, Outcome::BadRequest, Outcome::NoCredit}) {
        AgentGate other{2, true, params, 0};
        for (int i = 0; i < 20; ++i)
            other.finished(i * 500, outcome, 0, i * 500);
        QCOMPARE(other.view(10'000).breaker, BreakerState::Closed);
    }
}

void TestGateAgent::othersSuccessesOpenAgain()
{
    const GateParams params;
    GateState state = newGate(true);
    AgentGate agent{1, true, params, 0};
    for (int i = 0; i < 5; ++i) {
        agent.dispatched(i * 500);
        agent.finished(i * 500, Outcome::ServerError, 0, i * 500);
    }
    GateReport others{.agent = 2, .groupMilliRps = 20'000, .sent = 20};
    others.cohorts.push_back({.startMs = 0, .dispatched = 20, .ok = 20});
    (void)step(state, others, 2000, params);
    for (std::int64_t now = 2100; now <= 5100; now += 1000) {
        agent.apply(step(state, agent.report(now, 1000), now, params), now);
    }
    QCOMPARE(state.breaker.state, BreakerState::Closed);
    QCOMPARE(agent.view(5200).breaker, BreakerState::Closed);
}

void TestGateAgent::slowSuccessesAreWaitedFor()
{
    AgentGate agent{1, true, {}, 0};
    for (int i = 0; i < 30; ++i)
        agent.dispatched(0);
    for (int i = 0; i < 8; ++i)
        agent.finished(0, Outcome::ServerError, 0, 500 * i);
    QCOMPARE(agent.view(4000).breaker, BreakerState::Closed);
}

void TestGateAgent::probesNotTakenAreGivenBack()
{
    const GateParams params;
    GateState state = newGate(true);
    state.breaker.state = BreakerState::HalfOpen;
    AgentGate first{1, true, params, 0};
    AgentGate second{2, true, params, 0};
    const auto exchange = [&](AgentGate& agent, std::int64_t now) {
        agent.apply(step(state, agent.report(now, 0), now, params), now);
        return agent.view(now).probeFree;
    };
    QVERIFY(exchange(first, 1000));
    QVERIFY(first.takeProbe(1100));
    QVERIFY(!first.takeProbe(1100));
    QVERIFY(exchange(second, 1200));
    QVERIFY(exchange(second, 2200));
    QVERIFY(exchange(first, 2300));
    QVERIFY(first.takeProbe(2400));
    QVERIFY(second.takeProbe(2400));
    QVERIFY(!exchange(first, 3300));
    QVERIFY(!exchange(second, 3400));
    first.finished(1100, Outcome::Ok, 0, 3500, AttemptKind::Probe);
    QVERIFY(exchange(first, 4300));
}

void TestGateAgent::anAnswerToAnOldReportIsIgnored()
{
    const GateParams params;
    AgentGate agent{1, true, params, 0};
    const GateReport old = agent.report(1000, 0);
    const GateReport same = agent.report(2000, 0);
    QCOMPARE(same.sequence, old.sequence);
    GateReply reply{.permittedMilliRps = 77, .sequence = old.sequence + 1};
    agent.apply(reply, 2100);
    QVERIFY(agent.view(2100).permittedMilliRps != 77);
    reply.sequence = old.sequence;
    agent.apply(reply, 2200);
    QCOMPARE(agent.view(2200).permittedMilliRps, 77);
}

void TestGateAgent::beforeTheFirstAnswerEachHasItsPartOfTheQuota()
{
    const auto sentIn10s = [](std::int64_t agents) {
        const GateParams params{.quota = {.milliRps = 20'000}, .agents = agents};
        AgentGate agent{1, true, params, 0};
        int sent = 0;
        for (std::int64_t now = 0; now < 10'000; now += 10) {
            agent.asked(GateClass::Fresh);
            if (now % 250 == 0) static_cast<void>(agent.report(now, 100'000));
            if (!agent.view(now).guardOpen) continue;
            ++sent;
            agent.dispatched(now);
        }
        return sent;
    };
    QVERIFY(sentIn10s(1) >= 180);
    QVERIFY(sentIn10s(10) <= 30);
    QVERIFY(sentIn10s(10) >= 15);
}

QTEST_APPLESS_MAIN(TestGateAgent)
#include "tst_gate_agent.moc"
