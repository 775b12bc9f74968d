// SPDX-License-Identifier: Apache-2.0
#include "common/model/price.h"

#include <QTest>

using namespace weir;

namespace {

// 0.60, 0.11, 0.60 and 2.20 USD per million tokens.
constexpr Price kPrice{600'000, 110'000, 600'000, 2'200'000};

TokenUsage
tokens(std::int64_t uncached, std::int64_t cached, std::int64_t written, std::int64_t output)
{
    TokenUsage usage;
    usage.inputUncached = uncached;
    usage.inputCached = cached;
    usage.cacheWrite = written;
    usage.output = output;
    return usage;
}

} // namespace

class TestPrice : public QObject
{
    Q_OBJECT

private slots:

    void costsExactly_data()
    {
        QTest::addColumn<qint64>("uncached");
        QTest::addColumn<qint64>("cached");
        QTest::addColumn<qint64>("written");
        QTest::addColumn<qint64>("output");
        QTest::addColumn<qint64>("microUsd");
        const auto row = [](const char* name, qint64 u, qint64 c, qint64 w, qint64 o, qint64 cost) {
            QTest::newRow(name) << u << c << w << o << cost;
        };
        row("nothing", 0, 0, 0, 0, 0);
        row("one token: 0.6 rounds up", 1, 0, 0, 0, 1);
        row("one cached: 0.11 rounds down", 0, 1, 0, 0, 0);
        row("five cached: 0.55 rounds up", 0, 5, 0, 0, 1);
        row("rounded once, not per class", 1, 1, 1, 1, 4);
        row("a call", 1000, 500, 100, 700, 2255);
        row("a million each", 1'000'000, 1'000'000, 1'000'000, 1'000'000, 3'510'000);
    }

    void costsExactly()
    {
        QFETCH(qint64, uncached);
        QFETCH(qint64, cached);
        QFETCH(qint64, written);
        QFETCH(qint64, output);
        QFETCH(qint64, microUsd);
        QCOMPARE(costMicroUsd(kPrice, tokens(uncached, cached, written, output)).value(), microUsd);
    }

    void roundsHalfUp()
    {
        const Price half{500'000, 0, 0, 0};
        QCOMPARE(costMicroUsd(half, tokens(1, 0, 0, 0)).value(), 1);
        QCOMPARE(costMicroUsd(half, tokens(3, 0, 0, 0)).value(), 2);
    }

    void doesNotOverflowOnTheWay()
    {
        const Price dear{1'000'000'000'000, 0, 0, 0};
        QCOMPARE(costMicroUsd(dear, tokens(2'147'483'648, 0, 0, 0)).value(), 2'147'483'648'000'000);
    }

    void isUnknownWhereSomethingIs()
    {
        TokenUsage usage = tokens(1, 1, 1, 1);
        QVERIFY(!costMicroUsd(std::nullopt, usage));
        usage.inputCached.reset();
        usage.cacheWrite.reset();
        QVERIFY(costMicroUsd(kPrice, usage));
        usage.output.reset();
        QVERIFY(!costMicroUsd(kPrice, usage));
        usage = tokens(1, 1, 1, 1);
        usage.inputUncached.reset();
        QVERIFY(!costMicroUsd(kPrice, usage));
    }

    void writesMoneyWithoutRounding()
    {
        QCOMPARE(formatMicroUsd(0), std::string{"$0.000000"});
        QCOMPARE(formatMicroUsd(2265), std::string{"$0.002265"});
        QCOMPARE(formatMicroUsd(1'234'567'890), std::string{"$1234.567890"});
        QCOMPARE(formatMicroUsd(-1), std::string{"-$0.000001"});
        QCOMPARE(formatMicroUsd(INT64_MIN), std::string{"-$9223372036854.775808"});
    }
};

QTEST_APPLESS_MAIN(TestPrice)
#include "tst_price.moc"
