// SPDX-License-Identifier: Apache-2.0
#include "common/routing/hold.h"

#include <QTest>

using namespace std::chrono_literals;
using namespace weir;
using namespace weir::routing;

namespace {

constexpr Instant kNow{1000s};

} // namespace

class TestHold final : public QObject
{
    Q_OBJECT

private slots:
    void restsAsLongAsTheClassSays_data();
    void restsAsLongAsTheClassSays();
    void theLaterEndWins();
    void aSuccessEndsIt();
};

void TestHold::restsAsLongAsTheClassSays_data()
{
    QTest::addColumn<Outcome>("outcome");
    QTest::addColumn<qint64>("hintMs");
    QTest::addColumn<qint64>("restMs");
    QTest::newRow("auth") << Outcome::Auth << -1LL << 60'000LL;
    QTest::newRow("credit: minutes, never for good") << Outcome::NoCredit << -1LL << 300'000LL;
    QTest::newRow("credit ignores a day's hint") << Outcome::NoCredit << 86'400'000LL << 300'000LL;
    QTest::newRow("unknown model") << Outcome::ModelUnavailable << -1LL << 60'000LL;
    QTest::newRow("429 with a hint") << Outcome::RateLimited << 1'500LL << 1'500LL;
    QTest::newRow("429 without one") << Outcome::RateLimited << -1LL << 0LL;
    QTest::newRow("a far hint is a bench of five minutes")
        << Outcome::RateLimited << 1'000'000'000'000LL << 300'000LL;
    QTest::newRow("overloaded") << Outcome::Overloaded << 2'000LL << 2'000LL;
    QTest::newRow("a caller's fault never benches") << Outcome::BadRequest << 9'000LL << 0LL;
    QTest::newRow("a refusal never benches") << Outcome::Refused << -1LL << 0LL;
    QTest::newRow("a client that leaves never benches") << Outcome::ClientCancelled << -1LL << 0LL;
}

void TestHold::restsAsLongAsTheClassSays()
{
    QFETCH(Outcome, outcome);
    QFETCH(qint64, hintMs);
    QFETCH(qint64, restMs);
    const auto hint = hintMs < 0 ? std::nullopt : std::optional{std::chrono::milliseconds{hintMs}};
    const Hold hold = afterAttempt({}, outcome, hint, kNow);
    const Instant end = kNow + std::chrono::milliseconds{restMs};
    QCOMPARE(hold.holdsAt(end - 1ns), restMs > 0);
    QVERIFY(!hold.holdsAt(end));
}

void TestHold::theLaterEndWins()
{
    const Hold first = afterAttempt({}, Outcome::RateLimited, 60s, kNow);
    QCOMPARE(afterAttempt(first, Outcome::RateLimited, 1s, kNow + 250ms), first);
    QCOMPARE(afterAttempt(first, Outcome::ServerError, std::nullopt, kNow + 250ms), first);
    QCOMPARE(afterAttempt(first, Outcome::RateLimited, 90s, kNow).until, kNow + 90s);
}

void TestHold::aSuccessEndsIt()
{
    const Hold hold = afterAttempt({}, Outcome::NoCredit, std::nullopt, kNow);
    QVERIFY(!afterAttempt(hold, Outcome::Ok, std::nullopt, kNow + 1s).holdsAt(kNow + 1s));
    QVERIFY(afterAttempt(hold, Outcome::Refused, std::nullopt, kNow + 1s).holdsAt(kNow + 1s));
}

QTEST_APPLESS_MAIN(TestHold)
#include "tst_hold.moc"
