// SPDX-License-Identifier: Apache-2.0
#include "tests/routing/learn_samples.h"

#include <QTest>

#include <algorithm>

using namespace weir;
using namespace weir::routing;

namespace {

/// The traffic of a pool with two routes, calls, failures and tasks of all kinds, by time of
/// arrival.
std::vector<CallFact>
traffic(std::uint64_t seed, std::int64_t originMs, std::int64_t spanMs = 9 * kHour)
{
    Draws draws(seed);
    std::vector<CallFact> facts;
    std::int64_t at = 0;
    while (at < spanMs) {
        at += 4000 + draws.below(30'000);
        const auto route = static_cast<std::uint16_t>(draws.uniform() < 0.8 ? 0 : 1);
        CallFact fact = callAt(originMs + at, route, 500 + draws.below(9000));
        fact.task = 1 + static_cast<std::uint64_t>(at / (5 * kMinute) * 8 + draws.below(8));
        fact.inputUncached = 100 + draws.below(40'000);
        fact.inputCached = draws.uniform() < 0.1 ? -1 : draws.below(60'000);
        fact.output = 16 + draws.below(900);
        fact.milliTps = 20'000 + draws.below(90'000);
        fact.singleShot = draws.uniform() < 0.05;
        fact.outcome = static_cast<Outcome>(draws.uniform() < 0.9 ? 0 : draws.below(19));
        if (!isSuccess(fact.outcome)) fact.ttftUs = -1;
        if (!isSuccess(fact.outcome)) fact.milliTps = -1;
        facts.push_back(fact);
    }
    return facts;
}

/// Feeds rows as they came in, a summary every five minutes; the last at `endMs`.
Summary stepByStep(const std::vector<CallFact>& facts, std::int64_t originMs, std::int64_t endMs)
{
    Job job(2, originMs);
    auto next = facts.begin();
    for (std::int64_t now = originMs; now < endMs;) {
        now += 5 * kMinute;
        job.learner.advanceTo(now);
        for (; next != facts.end() && next->endedMs < now; ++next)
            job.add(*next);
        job.summariseAt(now);
    }
    return job.summary;
}

} // namespace

class TestLearner final : public QObject
{
    Q_OBJECT

private slots:
    void forgetsAfterTwoDaysMinuteByMinute();
    void leavesOutWhatCannotBe();
    void whatADrillTouchedIsNotLearned();
    void allAtOnceIsOneByOne();
    void orderInsideAMinuteDoesNotShow();
    void aShiftOfAllTimesChangesNothing();
};

void TestLearner::forgetsAfterTwoDaysMinuteByMinute()
{
    Job job(1);
    job.add(callAt(0));
    job.add(callAt(kMinute));
    QCOMPARE(job.summariseAt(kMinute + 1).routes[0].calls48h, 2);
    QCOMPARE(job.summariseAt(31 * kMinute).routes[0].calls30m, 1);
    QCOMPARE(job.summariseAt(48 * kHour).routes[0].calls48h, 2);
    QCOMPARE(job.summariseAt(48 * kHour + 1).routes[0].calls48h, 1);
    QCOMPARE(job.summariseAt(49 * kHour).routes[0].calls48h, 0);
    // What was known stays known, but nothing stands behind it.
    QCOMPARE(job.summary.pools[0].routes[0].ttftUs.samples, 0);
    QVERIFY(job.summary.pools[0].routes[0].ttftUs.value > 1'900'000);
    QVERIFY(!job.summary.pools[0].routes[0].sampleOk);
}

void TestLearner::leavesOutWhatCannotBe()
{
    Job job(1);
    job.learner.advanceTo(100 * kHour);
    job.add(callAt(52 * kHour - 1));
    job.add(callAt(100 * kHour + 20 * kMinute));
    job.add(callAt(100 * kHour - kMinute, 64));
    QCOMPARE(job.learner.ignored(), 3);
    job.add(callAt(100 * kHour + 10 * kMinute));
    QCOMPARE(job.learner.ignored(), 3);
}

/// Provoked failures and delays, and what was served elsewhere because of them.
void TestLearner::whatADrillTouchedIsNotLearned()
{
    const auto figures = [](bool withDrill) {
        Job job(2);
        for (int i = 0; i < 200; ++i) {
            CallFact fact = callAt(kMinute + i * 1000);
            fact.task = static_cast<std::uint64_t>(i) + 1;
            job.add(fact);
            if (!withDrill) continue;
            CallFact drilled = callAt(kMinute + i * 1000 + 500, i % 2 == 0 ? 0 : 1, 30'000);
            drilled.task = static_cast<std::uint64_t>(i) + 1000;
            drilled.drilled = true;
            if (i % 3 == 0) drilled.outcome = Outcome::ServerError;
            drilled.costMicroUsd = 1'000'000;
            job.add(drilled);
        }
        return job.summariseAt(30 * kMinute).routes;
    };
    QVERIFY(figures(true) == figures(false));
}

void TestLearner::allAtOnceIsOneByOne()
{
    const std::vector<CallFact> facts = traffic(1, 0, 50 * kHour);
    const std::int64_t end = 51 * kHour;
    Job slow(2);
    auto next = facts.begin();
    for (std::int64_t now = 5 * kMinute; now <= end; now += 5 * kMinute) {
        slow.learner.advanceTo(now);
        for (; next != facts.end() && next->endedMs < now; ++next)
            slow.add(*next);
    }
    Job fast(2);
    fast.learner.advanceTo(end);
    for (const CallFact& fact : facts)
        fast.add(fact);
    slow.summariseAt(end);
    fast.summariseAt(end);
    QVERIFY(slow.summary.pools[0].taskInputTokens > 1000);
    QCOMPARE(fast.summary.id, slow.summary.id);
    QVERIFY(fast.summary == slow.summary);
    // Known answers: every compiler and every optimisation publishes these.
    const RouteFigures& leader = slow.summary.pools[0].routes[0];
    QCOMPARE(leader.ttftUs.value, 5'139'123);
    QCOMPARE(leader.milliTps.value, 64'583);
    QCOMPARE(leader.costNanoUsd, 43'934'120);
}

void TestLearner::orderInsideAMinuteDoesNotShow()
{
    std::vector<CallFact> facts = traffic(2, 0);
    const Summary before = stepByStep(facts, 0, 10 * kHour);
    Draws draws(9);
    for (std::size_t i = facts.size() - 1; i > 0; --i) {
        const auto j = static_cast<std::size_t>(draws.below(static_cast<std::int64_t>(i + 1)));
        std::swap(facts[i], facts[j]);
    }
    std::stable_sort(facts.begin(), facts.end(), [](const CallFact& a, const CallFact& b) {
        return a.endedMs / kMinute < b.endedMs / kMinute;
    });
    QVERIFY(stepByStep(facts, 0, 10 * kHour) == before);
}

/// B158.
void TestLearner::aShiftOfAllTimesChangesNothing()
{
    const std::int64_t shift = 17 * kMinute + 23'456;
    const auto summaryFrom = [](std::int64_t originMs) {
        return stepByStep(traffic(3, originMs), originMs, originMs + 10 * kHour);
    };
    const Summary shifted = summaryFrom(kDay + shift);
    const Summary plain = summaryFrom(kDay);
    QCOMPARE(shifted.computedAtMs - plain.computedAtMs, shift);
    QCOMPARE(shifted.pools[0].leaderSinceMs - plain.pools[0].leaderSinceMs, shift);
    QCOMPARE(shifted.pools[0].routes.size(), std::size_t{2});
    for (std::size_t i = 0; i < 2; ++i) {
        RouteFigures figures = shifted.pools[0].routes[i];
        for (LearnedFigure* figure : {&figures.ttftUs, &figures.milliTps, &figures.taskCost}) {
            if (figure->sinceMs != 0) figure->sinceMs -= shift;
        }
        if (figures.hit.leadingSinceMs != 0) figures.hit.leadingSinceMs -= shift;
        if (figures.hit.steadyPpm) figures.hit.steadyEndMs -= shift;
        QVERIFY(figures == plain.pools[0].routes[i]);
    }
}

QTEST_APPLESS_MAIN(TestLearner)
#include "tst_learner.moc"
