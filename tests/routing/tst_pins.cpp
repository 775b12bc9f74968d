// SPDX-License-Identifier: Apache-2.0
#include "common/routing/pins.h"
#include "common/routing/retry_budget.h"

#include <QTest>

using namespace weir::routing;

class TestPins final : public QObject
{
    Q_OBJECT

private slots:
    void aPinSlidesWithEachSuccess();
    void itMovesWithWhoServed();
    void memoryIsBounded();
    void noPinsAtZero();
    void retriesAreATenthOfSuccess();
};

void TestPins::aPinSlidesWithEachSuccess()
{
    PinTable pins(300'000);
    pins.served(1, {2, false, 1'000'000});
    QCOMPARE(pins.find(1, 1'299'999)->route, 2);
    QVERIFY(!pins.find(1, 1'300'000));
    QVERIFY(!pins.find(2, 1'000'000));
    for (std::int64_t now = 1'000'000; now < 9'000'000; now += 250'000) {
        QVERIFY(now == 1'000'000 || pins.find(1, now));
        pins.served(1, {2, true, now});
    }
    QVERIFY(pins.find(1, 8'800'000)->explored);
}

void TestPins::itMovesWithWhoServed()
{
    PinTable pins(300'000);
    pins.served(1, {0, false, 1000});
    pins.served(1, {1, false, 299'000});
    // Found in the newer generation first.
    pins.served(2, {5, false, 302'000});
    pins.served(1, {3, false, 303'000});
    QCOMPARE(pins.find(1, 304'000)->route, 3);
    pins.clear();
    QVERIFY(!pins.find(1, 304'000));
}

void TestPins::memoryIsBounded()
{
    PinTable pins(1000, 100);
    for (std::uint64_t i = 0; i < 100'000; ++i)
        pins.served(i, {0, false, static_cast<std::int64_t>(i / 10)});
    QVERIFY(pins.size() <= 200);
    // A conversation that is known is renewed even when there is no room for new ones.
    PinTable full(1000, 1);
    full.served(1, {0, false, 2000});
    full.served(2, {0, false, 2001});
    full.served(1, {7, false, 2002});
    QCOMPARE(full.find(1, 2500)->route, 7);
    QVERIFY(!full.find(2, 2500));
}

void TestPins::noPinsAtZero()
{
    PinTable pins(0);
    pins.served(1, {0, false, 1000});
    QVERIFY(!pins.find(1, 1000));
}

void TestPins::retriesAreATenthOfSuccess()
{
    RetryBudget budget;
    int taken = 0;
    while (budget.take())
        ++taken;
    QCOMPARE(taken, 10);
    for (int i = 0; i < 9; ++i)
        budget.onSuccess();
    QVERIFY(!budget.take());
    budget.onSuccess();
    QVERIFY(budget.take());
    for (int i = 0; i < 1'000'000; ++i)
        budget.onSuccess();
    QCOMPARE(budget.ppm(), 10'000'000);
}

QTEST_APPLESS_MAIN(TestPins)
#include "tst_pins.moc"
