// SPDX-License-Identifier: Apache-2.0
#include "tests/routing/gate_trace.h"

#include <QTest>

using namespace weir;
using namespace weir::routing;
using namespace weir::routing::test;

/// Single rules of the gate, one route and few reports.
class TestGateRules final : public QObject
{
    Q_OBJECT

private slots:
    void outcomesCountAsTheTableSays_data();
    void outcomesCountAsTheTableSays();
    void aReportSentAgainCountsOnce();
    void growthWorksAtEveryPhase();
    void retryAfterFreezesAndHolds();
    void oneAccountHoldsAllItsRoutes();
};

void TestGateRules::outcomesCountAsTheTableSays_data()
{
    QTest::addColumn<Outcome>("outcome");
    QTest::addColumn<int>("expected");
    QTest::addColumn<bool>("breaker");
    const auto row = [](Outcome outcome, OutcomeClass expected, bool breaker) {
        QTest::newRow(toWord(outcome).data()) << outcome << static_cast<int>(expected) << breaker;
    };
    row(Outcome::Ok, OutcomeClass::Ok, false);
    row(Outcome::Length, OutcomeClass::Ok, false);
    row(Outcome::Refused, OutcomeClass::Neutral, false);
    row(Outcome::ClientCancelled, OutcomeClass::Neutral, false);
    row(Outcome::BadRequest, OutcomeClass::Neutral, false);
    row(Outcome::ContextOverflow, OutcomeClass::Neutral, false);
    row(Outcome::ModelUnavailable, OutcomeClass::Misconfigured, false);
    row(Outcome::Auth, OutcomeClass::Auth, false);
    row(Outcome::NoCredit, OutcomeClass::Credit, false);
    row(Outcome::RateLimited, OutcomeClass::Rate, false);
    row(Outcome::Overloaded, OutcomeClass::Failure, true);
    row(Outcome::ServerError, OutcomeClass::Failure, true);
    row(Outcome::ConnectFailed, OutcomeClass::Failure, true);
    row(Outcome::Reset, OutcomeClass::Failure, true);
    row(Outcome::TtftTimeout, OutcomeClass::Failure, true);
    row(Outcome::IdleTimeout, OutcomeClass::Failure, true);
    row(Outcome::Deadline, OutcomeClass::Failure, true);
    row(Outcome::StreamBroken, OutcomeClass::Failure, true);
    row(Outcome::Malformed, OutcomeClass::Failure, true);
}

void TestGateRules::outcomesCountAsTheTableSays()
{
    QFETCH(Outcome, outcome);
    QFETCH(int, expected);
    QFETCH(bool, breaker);
    QCOMPARE(static_cast<int>(classOf(outcome)), expected);
    QCOMPARE(tripsBreaker(outcome), breaker);
    QCOMPARE(classOf(outcome) == OutcomeClass::Neutral, isNeutral(outcome));
}

void TestGateRules::aReportSentAgainCountsOnce()
{
    const GateParams params;
    GateState once = warm(0, 30'000, params);
    GateState again = once;
    GateReport report = reportOf({.dispatched = 9, .failed = 4}, 1000, 2000);
    report.sequence = 41;
    (void)step(once, report, 1000, params);
    for (int i = 0; i < 3; ++i)
        (void)step(again, report, 1000, params);
    QVERIFY(once == again);
    report.sequence = 42;
    (void)step(again, report, 1000, params);
    QVERIFY(once != again);
}

void TestGateRules::growthWorksAtEveryPhase()
{
    const GateParams params;
    for (int phase = 0; phase < 5000; phase += 100) {
        GateState state = warm(phase, 10'000, params);
        const std::int64_t before = state.rate.rateMicro;
        for (int second = 1; second <= 30; ++second) {
            const std::int64_t now = phase + second * 1000;
            (void)step(state, reportOf({.dispatched = 9}, now, 20'000), now, params);
        }
        QVERIFY2(state.rate.rateMicro > before, qPrintable(QString::number(phase)));
    }
}

void TestGateRules::retryAfterFreezesAndHolds()
{
    const GateParams params;
    GateState state = warm(0, 10'000, params);
    for (int second = 1; second <= 20; ++second) {
        const std::int64_t now = second * 1000;
        GateReport report = reportOf({.dispatched = 9}, now, 20'000);
        report.retryAfterMs = 20'500 - now;
        const GateReply reply = step(state, report, now, params);
        QCOMPARE(reply.hold, HoldKind::None);
        QCOMPARE(state.rate.rateMicro, 10'000'000);
    }
    std::int64_t held = 0;
    std::int64_t probes = 0;
    for (int second = 21; second <= 140; ++second) {
        const std::int64_t now = second * 1000;
        const int tried = held == 0 ? 9 : 0;
        GateReport report = reportOf({.dispatched = tried, .rateLimited = tried}, now, 20'000);
        report.retryAfterMs = std::max(200'000 - now, std::int64_t{0});
        const GateReply reply = step(state, report, now, params);
        if (reply.hold != HoldKind::RetryAfter) continue;
        ++held;
        probes += reply.probes;
        QCOMPARE(reply.admitPpm[0], 0);
    }
    QVERIFY(held >= 55 && held <= 60);
    QVERIFY(probes >= 1 && probes <= 6);
}

/// B025.
void TestGateRules::oneAccountHoldsAllItsRoutes()
{
    const GateParams first{.routeKey = 1};
    const GateParams second{.routeKey = 2};
    AccountHold account;
    GateState one = warm(0, 10'000, first);
    GateState two = one;
    GateReport refused = reportOf({.dispatched = 9}, 1000, 2000);
    refused.cohorts[0].ok = 0;
    refused.cohorts[0].creditRefused = 2;
    QCOMPARE(step(one, account, refused, 1000, first).hold, HoldKind::Credit);
    const GateReport quiet = reportOf({}, 1500, 2000);
    int probes = 0;
    for (std::int64_t now = 1500; now < 91'500; now += 500) {
        GateState& route = now % 1000 == 0 ? one : two;
        const GateReply reply = step(route, account, quiet, now, now % 1000 == 0 ? first : second);
        QCOMPARE(reply.hold, HoldKind::Credit);
        QCOMPARE(reply.admitPpm[1], 0);
        probes += reply.probes;
    }
    QVERIFY(probes >= 3);
    GateReport served = quiet;
    served.probesOk = 1;
    QCOMPARE(step(two, account, served, 92'000, second).hold, HoldKind::None);
    QCOMPARE(step(one, account, quiet, 92'500, first).hold, HoldKind::None);
}

QTEST_APPLESS_MAIN(TestGateRules)
#include "tst_gate_rules.moc"
