// SPDX-License-Identifier: Apache-2.0
#include "tests/routing/learn_samples.h"

#include <QTest>

#include <array>
#include <cmath>

using namespace weir;
using namespace weir::routing;

namespace {

/// Within `percent` of the expected value: levels of the sketch are up to 0.8 % off.
bool near(std::int64_t value, double expected, double percent)
{
    return std::abs(static_cast<double>(value) / expected - 1) * 100 <= percent;
}

void addMany(Job& job, int calls, std::int64_t fromMs, std::int64_t toMs, const CallFact& like)
{
    for (int i = 0; i < calls; ++i) {
        CallFact fact = like;
        fact.endedMs = fromMs + (toMs - fromMs) * i / calls;
        job.add(fact);
    }
}

/// A provider that takes 5 s for an uncached call, warm ones 0.6 of that at full cache, and of
/// whose busy shared prefix a cold call finds a part (contract section 8): a task of five calls.
void addTask(Job& job, Draws& draws, std::uint16_t route, std::int64_t at, double share)
{
    static std::uint64_t task = 0;
    ++task;
    const double rate = share * 10;
    for (int i = 0; i < 5; ++i) {
        const double cached = i == 0 ? 0.9 * 0.4 * rate / (rate + 1) : 0.9;
        const double ttft = 5000 * std::exp(0.35 * draws.normal()) * (1 - 0.4 * cached);
        CallFact fact = callAt(at + i * 12'000, route, static_cast<std::int64_t>(ttft));
        const auto input = static_cast<std::int64_t>(9000 * std::exp(0.3 * draws.normal()));
        fact.inputCached = static_cast<std::int64_t>(static_cast<double>(input) * cached);
        fact.inputUncached = input - fact.inputCached;
        fact.output = static_cast<std::int64_t>(400 * std::exp(0.3 * draws.normal()));
        fact.task = task;
        job.add(fact);
    }
}

} // namespace

class TestFigures final : public QObject
{
    Q_OBJECT

private slots:
    void timeOfTheMeanAnswer();
    void timeoutsCountAsAtLeastThatSlow();
    void anEarlyAbortMakesNobodyFast();
    void warmCallsAreMadeCold();
    void promptSizesAreThePools();
    void aShareAloneChangesNoFigure();
    void tasksOfOneRouteAlonePriceIt();
    void failuresAreDrawnToThePools();
    void explorableShare();
    void slowdownRecoveryAndLuck();
    void oneCallAnHourIsEnoughToComeBack();
};

void TestFigures::timeOfTheMeanAnswer()
{
    Job job(2);
    job.learner.advanceTo(kHour);
    CallFact fast = callAt(0, 0, 1000);
    fast.output = 300;
    fast.milliTps = 100'000;
    addMany(job, 60, 0, kHour, fast);
    addMany(job, 20, 0, kHour, callAt(0, 1, 4000));
    const PoolSummary& pool = job.summariseAt(kHour);
    // (60 * 300 + 20 * 100) / 80 tokens; 1 s + 250 / 100 per second.
    QCOMPARE(pool.answerTokens, 250);
    QVERIFY(near(pool.routes[0].ttftUs.value, 1'000'000, 0.8));
    QVERIFY(near(pool.routes[0].milliTps.value, 100'000, 0.8));
    QVERIFY(near(pool.routes[0].timeUs, 3'500'000, 0.8));
    QVERIFY(near(pool.routes[1].timeUs, 6'500'000, 0.8));
    QVERIFY(pool.routes[0].sampleOk);
    QVERIFY(!pool.routes[1].sampleOk);
    QCOMPARE(pool.routes[0].calls30m, 30);
    QVERIFY(near(pool.routes[0].ttftP50Us, 1'000'000, 0.8));
}

void TestFigures::timeoutsCountAsAtLeastThatSlow()
{
    Job job(1);
    job.learner.advanceTo(kHour);
    addMany(job, 60, 0, kHour, callAt(0, 0, 10'000));
    CallFact timeout = callAt(0);
    timeout.outcome = Outcome::TtftTimeout;
    timeout.ttftUs = -1;
    timeout.milliTps = -1;
    timeout.durationUs = 60'000'000;
    timeout.inputUncached = timeout.inputCached = timeout.cacheWrite = timeout.output = -1;
    addMany(job, 60, 0, kHour, timeout);
    // Half at 10 s, half at 60 s at the least.
    QVERIFY(near(job.summariseAt(kHour).routes[0].ttftUs.value, 35'000'000, 1));
}

void TestFigures::anEarlyAbortMakesNobodyFast()
{
    Job job(1);
    job.learner.advanceTo(kHour);
    addMany(job, 60, 0, kHour, callAt(0, 0, 10'000));
    CallFact abort = callAt(0);
    abort.outcome = Outcome::ClientCancelled;
    abort.ttftUs = -1;
    abort.milliTps = -1;
    abort.durationUs = 4'000'000;
    addMany(job, 20, 0, kHour, abort);
    const PoolSummary& pool = job.summariseAt(kHour);
    QVERIFY(near(pool.routes[0].ttftUs.value, 10'000'000, 0.8));
    QCOMPARE(pool.routes[0].failurePpm, 0);
}

void TestFigures::warmCallsAreMadeCold()
{
    Job job(2);
    job.learner.advanceTo(2 * kHour);
    // A warm call reads 90 % and takes 0.64 of the time: k = 0.4.
    CallFact warm = callAt(0, 0, 3200);
    warm.inputUncached = 100;
    warm.inputCached = 900;
    addMany(job, 4000, 0, 2 * kHour, warm);
    addMany(job, 1000, 0, 2 * kHour, callAt(0, 0, 5000));
    warm.route = 1;
    addMany(job, 40, 0, 2 * kHour, warm);
    const PoolSummary& pool = job.summariseAt(2 * kHour);
    QVERIFY(near(pool.cacheSpeedupPpm, 400'000, 3));
    QVERIFY(near(pool.routes[0].ttftUs.value, 5'000'000, 1));
    // This one never served a cold call: its warm ones say what a cold one would take.
    QVERIFY(near(pool.routes[1].ttftUs.value, 5'000'000, 3));
}

void TestFigures::promptSizesAreThePools()
{
    Job job(2);
    job.learner.advanceTo(2 * kHour);
    CallFact small = callAt(0, 0, 1000);
    CallFact large = callAt(0, 0, 3000);
    large.inputUncached = 20'000;
    addMany(job, 100, 0, 2 * kHour, small);
    addMany(job, 300, 0, 2 * kHour, large);
    small.route = large.route = 1;
    addMany(job, 300, 0, 2 * kHour, small);
    addMany(job, 100, 0, 2 * kHour, large);
    // Equally fast at each size; the pool has as many small prompts as large ones.
    const PoolSummary& pool = job.summariseAt(2 * kHour);
    QVERIFY(near(pool.routes[0].ttftUs.value, 2'000'000, 1));
    QVERIFY(near(pool.routes[1].ttftUs.value, 2'000'000, 1));
}

void TestFigures::aShareAloneChangesNoFigure()
{
    Job job(2, kDay);
    Draws draws(11);
    for (std::int64_t at = 0; at < 6 * kHour; at += 10'000) {
        job.learner.advanceTo(kDay + at);
        const auto route = static_cast<std::uint16_t>(at % 100'000 < 90'000 ? 0 : 1);
        addTask(job, draws, route, kDay + at, route == 0 ? 0.9 : 0.1);
        if (at % (5 * kMinute) == 0) job.summariseAt(kDay + at);
    }
    const PoolSummary& pool = job.summariseAt(kDay + 6 * kHour);
    const RouteFigures& leader = pool.routes[0];
    const RouteFigures& other = pool.routes[1];
    // The leader's bill shows nearly twice the hits …
    QVERIFY(*leader.hit.observedPpm > *other.hit.observedPpm + 20'000);
    QVERIFY(leader.hit.steadyPpm.has_value());
    // … and nothing of it is in the comparison.
    QVERIFY2(
        near(leader.costNanoUsd, static_cast<double>(other.costNanoUsd), 3),
        qPrintable(QStringLiteral("%1 %2").arg(leader.costNanoUsd).arg(other.costNanoUsd)));
    QVERIFY2(
        near(leader.ttftUs.value, static_cast<double>(other.ttftUs.value), 7),
        qPrintable(QStringLiteral("%1 %2").arg(leader.ttftUs.value).arg(other.ttftUs.value)));
    QCOMPARE(other.hit.usedPpm, other.hit.poolPpm);
}

/// B160.
void TestFigures::tasksOfOneRouteAlonePriceIt()
{
    Job job(2);
    job.learner.advanceTo(4 * kHour);
    const auto task = [&job](std::uint64_t id, int calls, std::uint16_t route, bool oneShot) {
        for (int i = 0; i < calls; ++i) {
            CallFact fact = callAt(static_cast<std::int64_t>(id) * kMinute / 4 + i * 1000, route);
            fact.task = id + 1;
            fact.singleShot = oneShot;
            job.add(fact);
        }
    };
    for (std::uint64_t id = 0; id < 300; id += 3) {
        task(id, 4, 0, false);
        task(id + 1, 6, 1, false);
        // Served by both, and one that may not be explored: neither says anything.
        task(id + 2, 50, 0, false);
        task(id + 2, 1, 1, false);
        task(1000 + id / 10, 99, 0, true);
    }
    const PoolSummary& pool = job.summariseAt(4 * kHour);
    QCOMPARE(pool.taskMilliCalls, 5000);
    QCOMPARE(pool.taskInputTokens, 5000);
    QCOMPARE(pool.taskOutputTokens, 500);
    // (100 * 4000 + 50 * 5000) / (150 * 5000) and (100 * 6000 + 50 * 5000) / (150 * 5000).
    QCOMPARE(pool.routes[0].taskInputPpm, 866'667);
    QCOMPARE(pool.routes[1].taskInputPpm, 1'133'333);
    QCOMPARE(pool.routes[0].taskOutputPpm, 866'667);
    // 5500 tokens at $1 a million, as nothing was cached.
    QCOMPARE(pool.routes[0].costNanoUsd, 4'766'669);
}

void TestFigures::failuresAreDrawnToThePools()
{
    Job job(2);
    job.learner.advanceTo(kHour);
    addMany(job, 150, 0, kHour, callAt(0, 0));
    CallFact failed = callAt(0, 0);
    failed.outcome = Outcome::ServerError;
    failed.ttftUs = -1;
    failed.durationUs = 300'000;
    failed.costMicroUsd = 2;
    addMany(job, 50, 0, kHour, failed);
    failed.outcome = Outcome::NoCredit;
    failed.route = 1;
    addMany(job, 50, 0, kHour, failed);
    const PoolSummary& pool = job.summariseAt(kHour);
    // Pool: 50 of 250. Own: (50 + 50 * 0.2) / (200 + 50), and 10 / 100.
    QCOMPARE(pool.routes[0].failurePpm, 240'000);
    QCOMPARE(pool.routes[1].failurePpm, 100'000);
    QCOMPARE(pool.routes[0].failedTimeUs, 300'000);
    QCOMPARE(pool.routes[0].failedCostNanoUsd, 2000);
}

void TestFigures::explorableShare()
{
    Job job(1);
    QCOMPARE(job.summariseAt(kMinute).explorablePpm, kPpm);
    CallFact oneShot = callAt(0);
    oneShot.singleShot = true;
    addMany(job, 8, 0, kMinute, oneShot);
    addMany(job, 92, 0, kMinute, callAt(0));
    QCOMPARE(job.summariseAt(2 * kMinute).explorablePpm, 920'000);
}

void TestFigures::slowdownRecoveryAndLuck()
{
    Job job(1, kDay);
    Draws draws(4);
    const auto hourOf = [&](std::int64_t fromMs, std::int64_t everyMs, double medianMs, int steps) {
        for (int step = 1; step <= steps; ++step) {
            const std::int64_t start = fromMs + (step - 1) * 5 * kMinute;
            for (std::int64_t at = start; at < start + 5 * kMinute; at += everyMs) {
                const double ttft = medianMs * std::exp(0.3 * draws.normal());
                job.add(callAt(at, 0, static_cast<std::int64_t>(ttft)));
            }
            job.summariseAt(start + 5 * kMinute);
        }
        return job.summary.pools[0].routes[0].ttftUs;
    };
    const std::int64_t t0 = kDay;
    const std::int64_t usual = hourOf(t0, 10'000, 2000, 60).value;
    QVERIFY(near(usual, 2'090'000, 8));
    // Four times as slow: seen within the first summary.
    LearnedFigure figure = hourOf(t0 + 5 * kHour, 10'000, 8000, 1);
    QCOMPARE(figure.state, WindowState::Lowered);
    QVERIFY(near(figure.value, 8'400'000, 20));
    figure = hourOf(t0 + 5 * kHour + 5 * kMinute, 30'000, 8000, 11);
    QCOMPARE(figure.state, WindowState::Lowered);
    // Recovered, at ten calls in five minutes: two lots of luck change nothing, the third is full.
    const std::int64_t slow = figure.value;
    const std::int64_t since = figure.sinceMs;
    figure = hourOf(t0 + 6 * kHour, 30'000, 1000, 2);
    QCOMPARE(figure.value, slow);
    QCOMPARE(figure.sinceMs, since);
    // Rows from before that come in late change nothing either.
    for (int i = 0; i < 100; ++i)
        job.add(callAt(t0 + 6 * kHour - 10 * kMinute, 0, 10));
    QCOMPARE(hourOf(t0 + 6 * kHour + 10 * kMinute, 600'000, 1000, 1).value, slow);
    figure = hourOf(t0 + 6 * kHour + 15 * kMinute, 30'000, 2000, 1);
    QCOMPARE(figure.state, WindowState::Normal);
    figure = hourOf(t0 + 6 * kHour + 20 * kMinute, 30'000, 2000, 12);
    QCOMPARE(figure.state, WindowState::Normal);
    QVERIFY(near(figure.value, 2'090'000, 15));
}

void TestFigures::oneCallAnHourIsEnoughToComeBack()
{
    Job job(1, kDay);
    job.learner.advanceTo(kDay + 10 * kHour);
    addMany(job, 600, kDay, kDay + 9 * kHour, callAt(0, 0, 2000));
    addMany(job, 10, kDay + 10 * kHour - 5 * kMinute, kDay + 10 * kHour, callAt(0, 0, 9000));
    QCOMPARE(job.summariseAt(kDay + 10 * kHour).routes[0].ttftUs.state, WindowState::Lowered);
    std::int64_t hours = 0;
    for (; job.summary.pools[0].routes[0].ttftUs.state == WindowState::Lowered; ++hours) {
        QVERIFY(hours < 30);
        const std::int64_t at = kDay + (10 + hours) * kHour;
        job.learner.advanceTo(at + kHour);
        job.add(callAt(at + 30 * kMinute, 0, 2000));
        job.summariseAt(at + kHour);
    }
    QCOMPARE(hours, 25);
    const LearnedFigure& figure = job.summary.pools[0].routes[0].ttftUs;
    QVERIFY(figure.unverified);
    QVERIFY(near(figure.value, 2'000'000, 10));
}

QTEST_APPLESS_MAIN(TestFigures)
#include "tst_figures.moc"
