// SPDX-License-Identifier: Apache-2.0
#include "common/routing/token_bound.h"
#include "tests/routing/learn_samples.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace weir;
using namespace weir::routing;

namespace {

/// A prompt of `tokens` that was estimated at 10,000, a fifth of it read from the cache.
CallFact promptOf(std::int64_t endedMs, std::int64_t tokens, std::uint16_t route = 0)
{
    CallFact fact = callAt(endedMs, route);
    fact.promptEstimate = 10'000;
    fact.inputCached = tokens / 5;
    fact.cacheWrite = tokens / 10;
    fact.inputUncached = tokens - fact.inputCached - fact.cacheWrite;
    return fact;
}

/// Prompts that have 1.2 tokens for each estimated one, give or take a tenth.
std::vector<CallFact> usual(std::uint64_t seed, int count, std::int64_t fromMs, std::int64_t toMs)
{
    Draws draws(seed);
    std::vector<CallFact> facts;
    for (int i = 0; i < count; ++i) {
        const double ratio = std::clamp(1.2 * std::exp(0.1 * draws.normal()), 0.8, 1.6);
        const std::int64_t at = fromMs + (toMs - fromMs) * i / count;
        facts.push_back(promptOf(at, static_cast<std::int64_t>(10'000 * ratio)));
    }
    return facts;
}

std::int64_t largestPpm(const std::vector<CallFact>& facts)
{
    std::int64_t largest = 0;
    for (const CallFact& fact : facts)
        largest = std::max(largest, fact.inputUncached + fact.inputCached + fact.cacheWrite);
    return largest * 100;
}

TokenBound learned(const std::vector<CallFact>& facts, std::int64_t nowMs, std::int64_t origin = 0)
{
    Job job(2, origin);
    job.learner.advanceTo(nowMs);
    for (const CallFact& fact : facts)
        job.add(fact);
    return job.summariseAt(nowMs).routes[0].tokens;
}

} // namespace

class TestTokenBound final : public QObject
{
    Q_OBJECT

private slots:
    void fewSamplesSayNothing();
    void neverBelowTheLargestOfFew();
    void aFewOddPromptsDoNotRule();
    void holdsForPromptsNotSeenYet();
    void onlyReportedTokensOfLongPromptsCount_data();
    void onlyReportedTokensOfLongPromptsCount();
    void countsOverrunsAgainstWhatWasKnown();
    void orderDoesNotShow();
    void aShiftOfAllTimesChangesNothing();
    void aRestartLearnsTheSame();
    void forgetsAfterTwoDays();
};

void TestTokenBound::fewSamplesSayNothing()
{
    const TokenBound none = learned({}, kHour);
    QCOMPARE(none, TokenBound{});
    QCOMPARE(boundPpm(none), kUnlearnedBoundPpm);
    const TokenBound few = learned(usual(1, 49, 0, kHour), kHour);
    QCOMPARE(few.samples, 49);
    QCOMPARE(few.boundPpm, 0);
    QVERIFY(few.medianPpm > 1'100'000 && few.medianPpm < 1'300'000);
    QVERIFY(learned(usual(1, 50, 0, kHour), kHour).boundPpm > 0);
}

void TestTokenBound::neverBelowTheLargestOfFew()
{
    for (std::uint64_t seed = 1; seed < 30; ++seed) {
        const int count = 50 + static_cast<int>(seed) * 5;
        std::vector<CallFact> facts = usual(seed, count, 0, kHour);
        facts[seed].inputUncached += 1000 * static_cast<std::int64_t>(seed);
        const TokenBound bound = learned(facts, kHour);
        QCOMPARE(bound.samples, count);
        QVERIFY(bound.boundPpm >= largestPpm(facts));
        QVERIFY(bound.boundPpm < largestPpm(facts) * 112 / 100);
    }
}

/// One prompt in a thousand is of a kind that counts eight times as much.
void TestTokenBound::aFewOddPromptsDoNotRule()
{
    std::vector<CallFact> facts = usual(5, 6000, 0, 24 * kHour);
    const TokenBound before = learned(facts, 24 * kHour);
    for (std::size_t i = 500; i < facts.size(); i += 1000)
        facts[i].inputUncached *= 8;
    const TokenBound after = learned(facts, 24 * kHour);
    QVERIFY(after.boundPpm < 1'900'000);
    QVERIFY(after.boundPpm >= before.boundPpm);
    QVERIFY(std::abs(after.medianPpm - before.medianPpm) < 20'000);
    QCOMPARE(after.overruns, before.overruns + 6);
}

void TestTokenBound::holdsForPromptsNotSeenYet()
{
    const TokenBound bound = learned(usual(7, 400, 0, kHour), kHour);
    const std::vector<CallFact> next = usual(8, 5000, 0, kHour);
    const auto above = std::count_if(next.begin(), next.end(), [&bound](const CallFact& fact) {
        const std::int64_t tokens = fact.inputUncached + fact.inputCached + fact.cacheWrite;
        return tokens * 100 > bound.boundPpm;
    });
    QVERIFY2(above <= 25, std::to_string(above).c_str());
    // And not by being useless.
    QVERIFY(bound.boundPpm < 1'800'000);
}

void TestTokenBound::onlyReportedTokensOfLongPromptsCount_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("samples");
    QTest::newRow("as it is") << 0 << 60;
    QTest::newRow("no estimate") << 1 << 0;
    QTest::newRow("a short prompt") << 2 << 0;
    QTest::newRow("tokens that the agent made up") << 3 << 0;
    QTest::newRow("no usage") << 4 << 0;
    QTest::newRow("no tokens at all") << 5 << 0;
    QTest::newRow("a provider that does not tell what it cached") << 6 << 60;
    QTest::newRow("an answer that broke off has a prompt too") << 7 << 60;
}

void TestTokenBound::onlyReportedTokensOfLongPromptsCount()
{
    QFETCH(int, kind);
    QFETCH(int, samples);
    std::vector<CallFact> facts = usual(3, 60, 0, kHour);
    for (CallFact& fact : facts) {
        if (kind == 1) fact.promptEstimate = -1;
        if (kind == 2) fact.promptEstimate = kBoundEstimateMin - 1;
        if (kind == 3) fact.tokensEstimated = true;
        if (kind == 4) fact.inputUncached = fact.inputCached = fact.cacheWrite = -1;
        if (kind == 5) fact.inputUncached = fact.inputCached = fact.cacheWrite = 0;
        if (kind == 6) fact.inputCached = fact.cacheWrite = -1;
        if (kind == 7) fact.outcome = Outcome::StreamBroken;
    }
    QCOMPARE(learned(facts, kHour).samples, samples);
}

/// Two hours of 1.2, then prompts of 1.7: above what the first gave, and no longer when there are
/// enough of them. At the very first the constant held.
void TestTokenBound::countsOverrunsAgainstWhatWasKnown()
{
    std::vector<CallFact> facts;
    for (int i = 0; i < 120; ++i)
        facts.push_back(promptOf(i * kMinute, i == 0 ? 25'000 : 12'000));
    QCOMPARE(learned(facts, 3 * kHour).overruns, 1);
    facts.front() = promptOf(0, 19'000);
    QCOMPARE(learned(facts, 3 * kHour).overruns, 0);
    facts.front() = promptOf(0, 12'000);
    for (int i = 0; i < 30; ++i)
        facts.push_back(promptOf(121 * kMinute + i * kMinute / 2, 17'000));
    const TokenBound bound = learned(facts, 3 * kHour);
    QCOMPARE(bound.samples, 150);
    QVERIFY(bound.boundPpm >= 1'700'000);
    // Those of the first step that had them; the next step knew.
    QVERIFY2(bound.overruns > 0 && bound.overruns < 30, std::to_string(bound.overruns).c_str());
}

void TestTokenBound::orderDoesNotShow()
{
    std::vector<CallFact> facts = usual(11, 900, 0, 9 * kHour);
    const TokenBound before = learned(facts, 9 * kHour);
    QVERIFY(before.boundPpm > 0);
    Draws draws(12);
    for (std::size_t i = facts.size() - 1; i > 0; --i)
        std::swap(
            facts[i],
            facts[static_cast<std::size_t>(draws.below(static_cast<std::int64_t>(i) + 1))]);
    QCOMPARE(learned(facts, 9 * kHour), before);
}

void TestTokenBound::aShiftOfAllTimesChangesNothing()
{
    const std::int64_t shift = 3 * kDay + 17 * kMinute + 23'456;
    const TokenBound plain = learned(usual(13, 700, 0, 9 * kHour), 9 * kHour);
    const TokenBound shifted =
        learned(usual(13, 700, shift, shift + 9 * kHour), shift + 9 * kHour, shift);
    QVERIFY(plain.samples == 700);
    QCOMPARE(shifted, plain);
}

void TestTokenBound::aRestartLearnsTheSame()
{
    const std::vector<CallFact> facts = usual(17, 5000, 0, 50 * kHour);
    Job slow(2);
    auto next = facts.begin();
    for (std::int64_t now = 5 * kMinute; now <= 50 * kHour; now += 5 * kMinute) {
        slow.learner.advanceTo(now);
        for (; next != facts.end() && next->endedMs < now; ++next)
            slow.add(*next);
    }
    const TokenBound kept = slow.summariseAt(50 * kHour).routes[0].tokens;
    QVERIFY(kept.samples > 4000);
    QCOMPARE(learned(facts, 50 * kHour), kept);
}

void TestTokenBound::forgetsAfterTwoDays()
{
    const std::vector<CallFact> facts = usual(19, 200, 0, kHour);
    QCOMPARE(learned(facts, 48 * kHour).samples, 200);
    QVERIFY(learned(facts, 48 * kHour + 30 * kMinute).samples < 110);
    QCOMPARE(learned(facts, 50 * kHour), TokenBound{});
}

QTEST_APPLESS_MAIN(TestTokenBound)
#include "tst_token_bound.moc"
