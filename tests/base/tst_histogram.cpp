// SPDX-License-Identifier: Apache-2.0
#include "common/base/histogram.h"

#include <QTest>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

using namespace weir;

class TestHistogram : public QObject
{
    Q_OBJECT

private slots:

    void isEmptyAtFirst()
    {
        const Histogram empty;
        QCOMPARE(empty.count(), 0U);
        QVERIFY(!empty.quantile(0.5));
        QCOMPARE(empty.encode(), std::string{});
    }

    /// routing.md section 0: at most 1.6 % error, whatever the size of the value.
    void keepsEveryValueWithinItsError_data()
    {
        QTest::addColumn<qint64>("value");
        for (unsigned bit = 0; bit < 63; ++bit) {
            const qint64 power = qint64{1} << bit;
            QTest::addRow("2^%u", bit) << power;
            QTest::addRow("2^%u - 1", bit) << power - 1;
            QTest::addRow("2^%u + a third", bit) << power + power / 3;
        }
        QTest::addRow("largest") << std::numeric_limits<qint64>::max();
    }

    void keepsEveryValueWithinItsError()
    {
        QFETCH(qint64, value);
        Histogram histogram;
        histogram.add(value);
        const double back = static_cast<double>(histogram.quantile(0.5).value());
        QVERIFY(std::abs(back - static_cast<double>(value)) <= 0.016 * static_cast<double>(value));
    }

    void countsNegativesAsZero()
    {
        Histogram histogram;
        histogram.add(-7, 3);
        QCOMPARE(histogram.encode(), std::string{"0:3"});
    }

    void findsQuantiles_data()
    {
        QTest::addColumn<double>("q");
        QTest::addColumn<qint64>("value");
        QTest::newRow("least") << 0.0 << qint64{1};
        QTest::newRow("first tenth") << 0.1 << qint64{1};
        QTest::newRow("just above it") << 0.11 << qint64{2};
        QTest::newRow("median") << 0.5 << qint64{5};
        QTest::newRow("p90") << 0.9 << qint64{9};
        QTest::newRow("greatest") << 1.0 << qint64{10};
    }

    void findsQuantiles()
    {
        QFETCH(double, q);
        QFETCH(qint64, value);
        Histogram histogram;
        for (int i = 10; i >= 1; --i)
            histogram.add(i);
        QCOMPARE(histogram.quantile(q).value(), value);
    }

    void countsWhatLiesAbove()
    {
        Histogram histogram;
        for (int i = 1; i <= 50; ++i)
            histogram.add(i, 2);
        QCOMPARE(histogram.countAbove(0), 100U);
        QCOMPARE(histogram.countAbove(40), 20U);
        QCOMPARE(histogram.countAbove(50), 0U);
        QCOMPARE(histogram.countAbove(1'000'000), 0U);
        QCOMPARE(Histogram{}.countAbove(0), 0U);
    }

    void mergesInAnyOrderToTheSame()
    {
        std::mt19937_64 random(7);
        std::vector<Histogram> parts(5);
        Histogram whole;
        for (int i = 0; i < 5000; ++i) {
            const auto value = static_cast<std::int64_t>(random() >> (random() % 60));
            parts[static_cast<std::size_t>(i) % parts.size()].add(value);
            whole.add(value);
        }
        Histogram forward;
        for (const Histogram& part : parts)
            forward.merge(part);
        Histogram backward;
        std::for_each(parts.rbegin(), parts.rend(), [&](const Histogram& p) { backward.merge(p); });
        QVERIFY(forward == whole);
        QVERIFY(backward == whole);
        QVERIFY(Histogram::decode(whole.encode()) == whole);
    }

    void writesItselfForPeople()
    {
        Histogram histogram;
        histogram.add(5, 2);
        histogram.add(70);
        QCOMPARE(histogram.encode(), std::string{"5:2,70:1"});
    }

    void refusesJunk_data()
    {
        QTest::addColumn<QString>("text");
        for (const char* text :
             {"x",
              "5",
              "5:",
              ":2",
              "5:2,",
              "5:2;6:1",
              "5:-2",
              "-5:2",
              "5:2 ",
              "4096:1",
              "99999999999999999999:1",
              "5:99999999999999999999"}) {
            QTest::newRow(text) << text;
        }
    }

    void refusesJunk()
    {
        QFETCH(QString, text);
        QVERIFY(!Histogram::decode(text.toStdString()));
    }
};

QTEST_APPLESS_MAIN(TestHistogram)
#include "tst_histogram.moc"
