// SPDX-License-Identifier: Apache-2.0
#include "common/routing/next_attempt.h"

#include <QTest>

#include <random>

using namespace weir;
using namespace weir::routing;

namespace {

FailedAttempt unavailable()
{
    return {.outcome = Outcome::ServerError, .httpStatus = 503, .tookMs = 300};
}

Outlook plenty()
{
    return {.hasNext = true, .remainingMs = 60'000, .usefulMs = 1'000};
}

} // namespace

class TestNextAttempt final : public QObject
{
    Q_OBJECT

private slots:
    void aHiccupIsTriedAgainOnceThenGoesElsewhere();
    void whatIsNoHiccup_data();
    void whatIsNoHiccup();
    void theFirstFailoverIsFree();
    void neverMoreThanFourAttempts();
    void withoutTimeNothingStarts();
    void retriesAreATenthOfAllInAnOutage();
    void theDelayIsSpread();
    void aShortHintIsWaitedForWhereNobodyElseIsLeft();
};

void TestNextAttempt::aHiccupIsTriedAgainOnceThenGoesElsewhere()
{
    RetryBudget budget;
    AttemptLog log;
    QCOMPARE(nextStep(log, unavailable(), plenty(), budget), NextStep::SameRoute);
    note(log, NextStep::SameRoute);
    QCOMPARE(nextStep(log, unavailable(), plenty(), budget), NextStep::NextRoute);
    note(log, NextStep::NextRoute);
    // The second route gets no second chance: the request has waited long enough.
    QCOMPARE(nextStep(log, unavailable(), plenty(), budget), NextStep::NextRoute);
    note(log, NextStep::NextRoute);
    QCOMPARE(nextStep(log, unavailable(), plenty(), budget), NextStep::Stop);
}

void TestNextAttempt::whatIsNoHiccup_data()
{
    QTest::addColumn<int>("outcome");
    QTest::addColumn<int>("status");
    QTest::addColumn<int>("tookMs");
    QTest::addColumn<bool>("hint");
    QTest::addColumn<int>("step");
    const auto row = [](const char* name, Outcome o, int status, int took, bool hint, NextStep s) {
        QTest::newRow(name) << static_cast<int>(o) << status << took << hint << static_cast<int>(s);
    };
    row("reset", Outcome::Reset, 0, 10, false, NextStep::SameRoute);
    row("502", Outcome::ServerError, 502, 10, false, NextStep::SameRoute);
    row("500", Outcome::ServerError, 500, 10, false, NextStep::NextRoute);
    row("503 that asks to wait", Outcome::ServerError, 503, 10, true, NextStep::NextRoute);
    row("slow 503", Outcome::ServerError, 503, 1000, false, NextStep::NextRoute);
    row("429", Outcome::RateLimited, 429, 10, false, NextStep::NextRoute);
    row("timeout", Outcome::TtftTimeout, 0, 900, false, NextStep::NextRoute);
    row("credit", Outcome::NoCredit, 402, 10, false, NextStep::NextRoute);
    row("400", Outcome::BadRequest, 400, 10, false, NextStep::Stop);
    row("caller left", Outcome::ClientCancelled, 0, 10, false, NextStep::Stop);
}

void TestNextAttempt::whatIsNoHiccup()
{
    QFETCH(int, outcome);
    QFETCH(int, status);
    QFETCH(int, tookMs);
    QFETCH(bool, hint);
    QFETCH(int, step);
    RetryBudget budget;
    const FailedAttempt failed{
        .outcome = static_cast<Outcome>(outcome),
        .httpStatus = status,
        .retryAfterMs = hint ? std::optional<std::int64_t>{5000} : std::nullopt,
        .tookMs = tookMs};
    QCOMPARE(static_cast<int>(nextStep({}, failed, plenty(), budget)), step);
    Outlook alone = plenty();
    alone.singleShot = true;
    QCOMPARE(nextStep({}, failed, alone, budget), NextStep::Stop);
    FailedAttempt probe = failed;
    probe.probe = true;
    QVERIFY(nextStep({}, probe, plenty(), budget) != NextStep::SameRoute);
    // Sent twice already: no provider sees a request three times.
    FailedAttempt replayed = failed;
    replayed.replayed = true;
    QVERIFY(nextStep({}, replayed, plenty(), budget) != NextStep::SameRoute);
}

void TestNextAttempt::theFirstFailoverIsFree()
{
    RetryBudget empty;
    while (empty.take()) {
    }
    AttemptLog log;
    for (int request = 0; request < 100; ++request)
        QCOMPARE(nextStep({}, unavailable(), plenty(), empty), NextStep::NextRoute);
    note(log, NextStep::NextRoute);
    QCOMPARE(nextStep(log, unavailable(), plenty(), empty), NextStep::Stop);
    // Two of three are out and the third is well: nobody should notice.
    Outlook sound = plenty();
    sound.nextIsSound = true;
    QCOMPARE(nextStep(log, unavailable(), sound, empty), NextStep::NextRoute);
}

void TestNextAttempt::neverMoreThanFourAttempts()
{
    std::mt19937 dice(3);
    for (int request = 0; request < 10'000; ++request) {
        RetryBudget budget;
        AttemptLog log;
        int attempts = 1;
        for (NextStep step{}; attempts < 100; ++attempts) {
            FailedAttempt failed = unavailable();
            failed.outcome = dice() % 2 == 0 ? Outcome::Reset : Outcome::ServerError;
            step = nextStep(log, failed, plenty(), budget);
            if (step == NextStep::Stop) break;
            note(log, step);
        }
        QVERIFY(attempts <= 4);
    }
}

void TestNextAttempt::withoutTimeNothingStarts()
{
    RetryBudget budget;
    Outlook late = plenty();
    late.remainingMs = 999;
    QCOMPARE(nextStep({}, unavailable(), late, budget), NextStep::Stop);
    // Time for one more attempt, not for waiting first.
    late.remainingMs = 1'200;
    QCOMPARE(nextStep({}, unavailable(), late, budget), NextStep::NextRoute);
    QCOMPARE(budget.ppm(), 10'000'000);
}

void TestNextAttempt::retriesAreATenthOfAllInAnOutage()
{
    RetryBudget budget;
    int retries = 0;
    constexpr int kRequests = 10'000;
    for (int request = 0; request < kRequests; ++request) {
        if (nextStep({}, unavailable(), plenty(), budget) == NextStep::SameRoute) ++retries;
        budget.onSuccess();
    }
    QVERIFY2(retries <= kRequests / 10 + 10, qPrintable(QString::number(retries)));
    QVERIFY(retries >= kRequests / 10);
}

void TestNextAttempt::theDelayIsSpread()
{
    std::int64_t least = 1000;
    std::int64_t most = 0;
    for (std::uint64_t request = 0; request < 10'000; ++request) {
        const std::int64_t delay = retryDelayMs(Coin(1, {request, 0}), 1);
        least = std::min(least, delay);
        most = std::max(most, delay);
    }
    QCOMPARE(least, 100);
    QCOMPARE(most, 400);
}

void TestNextAttempt::aShortHintIsWaitedForWhereNobodyElseIsLeft()
{
    const auto limited = [](std::int64_t hintMs) {
        return FailedAttempt{
            .outcome = Outcome::RateLimited, .httpStatus = 429, .retryAfterMs = hintMs};
    };
    Outlook alone = plenty();
    alone.hasNext = false;
    RetryBudget budget;
    QCOMPARE(nextStep({}, limited(999), alone, budget), NextStep::SameRoute);
    QCOMPARE(nextStep({}, limited(1000), alone, budget), NextStep::Stop);
    QCOMPARE(nextStep({}, limited(999), plenty(), budget), NextStep::NextRoute);
    // Once, and only inside the deadline.
    QCOMPARE(nextStep({.retriedHere = true}, limited(10), alone, budget), NextStep::Stop);
    alone.remainingMs = alone.usefulMs + 500;
    QCOMPARE(nextStep({}, limited(600), alone, budget), NextStep::Stop);
    const Coin coin(7, {1, 2});
    QVERIFY(retryDelayMs(coin, 1, 700) >= 700);
    QVERIFY(retryDelayMs(coin, 1, 700) <= 1001);
}

QTEST_APPLESS_MAIN(TestNextAttempt)
#include "tst_next_attempt.moc"
