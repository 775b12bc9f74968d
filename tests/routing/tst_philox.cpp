// SPDX-License-Identifier: Apache-2.0
#include "common/routing/philox.h"

#include <QTest>

using namespace weir;
using namespace weir::routing;

namespace {

QString words(const std::array<std::uint32_t, 4>& x)
{
    QStringList list;
    for (const std::uint32_t word : x) {
        list += QStringLiteral("%1").arg(word, 8, 16, QLatin1Char('0'));
    }
    return list.join(u' ');
}

} // namespace

class TestPhilox final : public QObject
{
    Q_OBJECT

private slots:
    void knownAnswers();
    void probabilitiesAreExactAtTheEdges();
    void everyPurposeIsAnotherCoin();
    void sharesComeOut();
    void nobodyChoosesTheCoin();
};

void TestPhilox::knownAnswers()
{
    QCOMPARE(words(philox({0, 0, 0, 0}, {0, 0})), "6627e8d5 e169c58d bc57ac4c 9b00dbd8");
    QCOMPARE(
        words(philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff})),
        "408f276d 41c83b0e a20bc7c6 6d5451fd");
    QCOMPARE(
        words(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0})),
        "d16cfe09 94fdcceb 5001e420 24126ea1");
}

void TestPhilox::probabilitiesAreExactAtTheEdges()
{
    QVERIFY(!happens(0, 0));
    QVERIFY(happens(0, 1));
    QVERIFY(happens(0xffffffff, kPpm));
    QVERIFY(!happens(0xffffffff, kPpm - 1));
    QCOMPARE(pick(0, 3), 0U);
    QCOMPARE(pick(0xffffffff, 3), 2U);
}

void TestPhilox::everyPurposeIsAnotherCoin()
{
    const Coin coin(7, {1, 2});
    QSet<std::uint32_t> seen;
    for (int purpose = 1; purpose <= 8; ++purpose) {
        for (std::uint32_t index = 0; index < 64; ++index)
            seen.insert(coin.draw(static_cast<Purpose>(purpose), index));
    }
    QCOMPARE(seen.size(), 8 * 64);
    QVERIFY(coin.draw(Purpose::Tie) != Coin(8, {1, 2}).draw(Purpose::Tie));
}

void TestPhilox::sharesComeOut()
{
    int hits = 0;
    for (std::uint64_t task = 0; task < 100'000; ++task)
        hits += happens(Coin(1, {task, 0}).draw(Purpose::Explore), 50'000) ? 1 : 0;
    QVERIFY2(std::abs(hits - 5000) < 3 * 69, qPrintable(QString::number(hits)));
}

void TestPhilox::nobodyChoosesTheCoin()
{
    const CoinKey one = coinKeyOf({1, 2}, "task-1");
    QVERIFY(one != coinKeyOf({1, 3}, "task-1"));
    QVERIFY(one != coinKeyOf({1, 2}, "task-2"));
    QCOMPARE(one, coinKeyOf({1, 2}, "task-1"));
}

QTEST_APPLESS_MAIN(TestPhilox)
#include "tst_philox.moc"
