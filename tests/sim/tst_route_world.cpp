// SPDX-License-Identifier: Apache-2.0
#include "common/sim/route_world.h"
#include "common/sim/scenario_json.h"
#include "tests/sim/sample.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace weir;
using namespace weir::sim;

namespace {

RouteShape shape()
{
    RouteShape shape;
    shape.price = {600'000, 110'000, 600'000, 2'200'000};
    shape.ttftS = {2.0, 0.3};
    shape.tokensPerS = {80.0, 0.2};
    shape.ttftCachedFactor = 0.6;
    shape.cache = {0.9, 300.0, 0.4};
    return shape;
}

Ask ask(std::uint64_t task)
{
    return {.task = task, .inputTokens = 10'000, .outputTokens = 160};
}

/// Asks at a steady rate, and what comes of it.
std::vector<Answer> askFor(RouteWorld& route, double rate, double seconds)
{
    Busyness busyness;
    std::vector<Answer> answers;
    for (double at = 0.0; at < seconds; at += 1.0 / rate) {
        answers.push_back(
            route.answer(ask(answers.size()), static_cast<Micros>(at * 1e6), busyness));
    }
    return answers;
}

std::ptrdiff_t countOf(const std::vector<Answer>& answers, Outcome outcome)
{
    return std::ranges::count(answers, outcome, &Answer::outcome);
}

} // namespace

/// One provider of contract section 8: latency, limits, cache, failures.
class TstRouteWorld : public QObject
{
    Q_OBJECT

private slots:
    void latencyIsLogNormal();
    void busyMeansTheLastMinuteInAnyYear();
    void capacityIsABucketOfASecond();
    void aQueueServesAtItsRate();
    void whoLeavesTheLineGivesItsPlaceBack();
    void failuresComeByChanceAfterAMoment();
    void aStatusIsWhatEveryAnswerHas_data();
    void aStatusIsWhatEveryAnswerHas();
    void aBurstEnds();
    void aConversationFindsItsPrefix();
    void othersFindWhatTheyShare();
    void answersDoNotDependOnWhatElseWasAsked();
    void theAcceptingRouteAccepts();
};

void TstRouteWorld::latencyIsLogNormal()
{
    RouteWorld route(Draws{1}, 0, shape());
    Busyness idle;
    std::vector<Micros> times;
    double write = 0.0;
    for (std::uint64_t i = 0; i < 20'000; ++i) {
        const Answer answer = route.answer(ask(i), static_cast<Micros>(i) * 100 * kSecond, idle);
        times.push_back(answer.firstOutput);
        write += static_cast<double>(answer.end - answer.firstOutput) / 1e6 / 20'000;
    }
    std::ranges::sort(times);
    QVERIFY(std::abs(static_cast<double>(times[10'000]) / 1e6 - 2.0) < 0.03);
    const double upper = static_cast<double>(times[16'827]) / 1e6;
    QVERIFY2(std::abs(upper - 2.0 * std::exp(0.3)) < 0.05, qPrintable(QString::number(upper)));
    // 160 tokens at 80 a second; the mean of 1 / x is above 1 / median.
    QVERIFY(std::abs(write - 2.0 * std::exp(0.02)) < 0.03);
}

void TstRouteWorld::busyMeansTheLastMinuteInAnyYear()
{
    // Three days before second 0, one call each ten seconds: a tenth of a call per second.
    Busyness busyness;
    constexpr Micros kSecond = 1'000'000;
    Micros now = -259'200 * kSecond;
    for (; now < -250'000 * kSecond; now += 10 * kSecond)
        busyness.count(now);
    QCOMPARE(busyness.rate(now - 10 * kSecond), 0.1);
    QCOMPARE(busyness.rate(now + 60 * kSecond), 0.0);
}

void TstRouteWorld::capacityIsABucketOfASecond()
{
    RouteShape limited = shape();
    limited.capacityRps = 10.0;
    RouteWorld steady(Draws{1}, 0, limited);
    QCOMPARE(countOf(askFor(steady, 9.9, 60.0), Outcome::RateLimited), 0);
    RouteWorld pressed(Draws{1}, 0, limited);
    const std::vector<Answer> answers = askFor(pressed, 20.0, 100.0);
    // What is let through is the depth and the rate, to within one.
    QVERIFY(std::abs(countOf(answers, Outcome::Ok) - 1010) <= 1);
    const auto refused = std::ranges::find(answers, Outcome::RateLimited, &Answer::outcome);
    QCOMPARE(refused->end, Micros{0});
    QCOMPARE(refused->status, 429);
    RouteWorld rested(Draws{1}, 0, limited);
    Busyness busyness;
    for (int i = 0; i < 10; ++i)
        QCOMPARE(rested.answer(ask(1), 100 * kSecond, busyness).outcome, Outcome::Ok);
    QCOMPARE(rested.answer(ask(1), 100 * kSecond, busyness).outcome, Outcome::RateLimited);
}

void TstRouteWorld::aQueueServesAtItsRate()
{
    RouteShape queued = shape();
    queued.queueRps = 10.0;
    RouteWorld route(Draws{1}, 0, queued);
    const std::vector<Answer> answers = askFor(route, 20.0, 10.0);
    QCOMPARE(countOf(answers, Outcome::Ok), static_cast<std::ptrdiff_t>(answers.size()));
    // Twice the rate for 10 s leaves 10 s of work behind.
    QVERIFY(std::abs(static_cast<double>(answers.back().queued) / 1e6 - 10.0) < 0.2);
    QVERIFY(answers.back().firstOutput > answers.back().queued);
    QCOMPARE(route.waitNow(30 * kSecond), Micros{0});
    RouteShape slower = queued;
    slower.queueRps = 5.0;
    const Micros before = route.waitNow(10 * kSecond);
    route.change(slower, 10 * kSecond);
    QVERIFY(std::abs(route.waitNow(10 * kSecond) - 2 * before) < 1000);
}

void TstRouteWorld::whoLeavesTheLineGivesItsPlaceBack()
{
    RouteShape queued = shape();
    queued.queueRps = 10.0;
    RouteWorld route(Draws{1}, 0, queued);
    static_cast<void>(askFor(route, 20.0, 10.0));
    const Micros before = route.waitNow(10 * kSecond);
    route.leaveLine(10 * kSecond);
    QCOMPARE(route.waitNow(10 * kSecond), before - 100'000);
    for (int i = 0; i < 1000; ++i)
        route.leaveLine(10 * kSecond);
    QCOMPARE(route.waitNow(10 * kSecond), Micros{0});
}

void TstRouteWorld::failuresComeByChanceAfterAMoment()
{
    RouteShape shaky = shape();
    shaky.success = 0.9;
    RouteWorld route(Draws{1}, 0, shaky);
    const std::vector<Answer> answers = askFor(route, 10.0, 1000.0);
    QVERIFY(std::abs(countOf(answers, Outcome::ServerError) - 1000) < 120);
    const auto failed = std::ranges::find(answers, Outcome::ServerError, &Answer::outcome);
    QCOMPARE(failed->status, 503);
    QCOMPARE(failed->end, Micros{300'000});
    // Another attempt of the same call is another draw.
    Busyness busyness;
    int again = 0;
    for (std::uint64_t i = 0; i < 10'000; ++i) {
        Ask second = ask(i);
        second.attempt = 2;
        if (route.answer(second, 0, busyness).outcome == answers[i].outcome) ++again;
    }
    QVERIFY(std::abs(again - 8200) < 200);
}

void TstRouteWorld::aStatusIsWhatEveryAnswerHas_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<Outcome>("outcome");
    QTest::newRow("caller") << 400 << Outcome::BadRequest;
    QTest::newRow("too long") << 413 << Outcome::BadRequest;
    QTest::newRow("no sense") << 422 << Outcome::BadRequest;
    QTest::newRow("key") << 401 << Outcome::Auth;
    QTest::newRow("forbidden") << 403 << Outcome::Auth;
    QTest::newRow("credit") << 402 << Outcome::NoCredit;
    QTest::newRow("rate") << 429 << Outcome::RateLimited;
    QTest::newRow("server") << 500 << Outcome::ServerError;
    QTest::newRow("overload") << 529 << Outcome::Overloaded;
}

void TstRouteWorld::aStatusIsWhatEveryAnswerHas()
{
    QFETCH(int, status);
    QFETCH(Outcome, outcome);
    RouteShape broken = shape();
    broken.status = status;
    RouteWorld route(Draws{1}, 0, broken);
    const std::vector<Answer> answers = askFor(route, 10.0, 10.0);
    QCOMPARE(countOf(answers, outcome), static_cast<std::ptrdiff_t>(answers.size()));
    QCOMPARE(answers[0].end, Micros{100'000});
    broken.status = 200;
    route.change(broken, 20 * kSecond);
    Busyness busyness;
    QCOMPARE(route.answer(ask(1), 21 * kSecond, busyness).outcome, Outcome::Ok);
}

void TstRouteWorld::aBurstEnds()
{
    RouteWorld route(Draws{1}, 0, shape());
    route.burst(5 * kSecond);
    const std::vector<Answer> answers = askFor(route, 10.0, 10.0);
    QVERIFY(std::abs(countOf(answers, Outcome::RateLimited) - 50) <= 1);
    QCOMPARE(answers[49].outcome, Outcome::RateLimited);
    QCOMPARE(answers[51].outcome, Outcome::Ok);
}

void TstRouteWorld::aConversationFindsItsPrefix()
{
    RouteShape calm = shape();
    calm.ttftS.sigma = 0.0;
    RouteWorld route(Draws{1}, 0, calm);
    Busyness idle;
    Ask warm = ask(1);
    warm.lastServedAgo = 300 * kSecond;
    const Answer found = route.answer(warm, 0, idle);
    QCOMPARE(found.cachedTokens, 9'000);
    QCOMPARE(found.firstOutput, Micros{1'200'000});
    warm.lastServedAgo = 301 * kSecond;
    const Answer cold = route.answer(warm, 1000 * kSecond, idle);
    QCOMPARE(cold.cachedTokens, 0);
    QCOMPARE(cold.firstOutput, Micros{2'000'000});
}

void TstRouteWorld::othersFindWhatTheyShare()
{
    RouteShape calm = shape();
    calm.ttftS.sigma = 0.0;
    RouteWorld route(Draws{1}, 0, calm);
    // At 9 calls a second: 0.4 * 9 / 10 of what is warm.
    const Answer last = askFor(route, 9.0, 120.0).back();
    QVERIFY(std::abs(static_cast<double>(last.cachedTokens) - 10'000 * 0.9 * 0.36) < 10.0);
    QVERIFY(
        std::abs(static_cast<double>(last.firstOutput) / 1e6 - 2.0 * (1.0 - 0.4 * 0.36)) < 0.01);
    RouteWorld quiet(Draws{1}, 0, calm);
    QVERIFY(askFor(quiet, 0.1, 600.0).back().cachedTokens < 400);
}

void TstRouteWorld::answersDoNotDependOnWhatElseWasAsked()
{
    RouteWorld one(Draws{1}, 0, shape());
    RouteWorld other(Draws{1}, 0, shape());
    Busyness idle;
    static_cast<void>(askFor(one, 5.0, 10.0));
    const Answer first = one.answer(ask(77), 1000 * kSecond, idle);
    Busyness fresh;
    const Answer second = other.answer(ask(77), 1000 * kSecond, fresh);
    QCOMPARE(first.firstOutput, second.firstOutput);
    QCOMPARE(first.end, second.end);
}

void TstRouteWorld::theAcceptingRouteAccepts()
{
    RouteShape hard = shape();
    hard.success = 0.5;
    hard.capacityRps = 5.0;
    RouteWorld route(Draws{1}, 0, hard);
    Busyness busyness;
    int accepted = 0;
    for (std::uint64_t i = 0; i < 2000; ++i) {
        const auto now = static_cast<Micros>(i) * 100'000;
        const bool would = route.wouldAccept(ask(i), now);
        QCOMPARE(route.answer(ask(i), now, busyness).outcome == Outcome::Ok, would);
        if (would) ++accepted;
    }
    QVERIFY(accepted > 300);
}

QTEST_APPLESS_MAIN(TstRouteWorld)
#include "tst_route_world.moc"
