// SPDX-License-Identifier: Apache-2.0
#include "common/routing/aside.h"

#include <QTest>

using namespace weir;
using namespace weir::routing;

namespace {

constexpr std::uint32_t kLowest = 0;
constexpr std::uint32_t kHighest = 0xffff'ffff;

} // namespace

class TestAside : public QObject
{
    Q_OBJECT

private slots:

    /// It has what batch work has: the last of the rate.
    void givesWayToUsers()
    {
        GateView gate;
        QVERIFY(admitsAside(gate, kHighest));
        gate.admitPpm = {1'000'000, 1'000'000, 1'000'000, 0};
        QVERIFY(!admitsAside(gate, kLowest));
        gate.admitPpm.back() = 500'000;
        QVERIFY(admitsAside(gate, kLowest));
        QVERIFY(!admitsAside(gate, kHighest));
        gate.guardOpen = false;
        QVERIFY(!admitsAside(gate, kLowest));
    }

    void isAProbeAndNoMore_data()
    {
        QTest::addColumn<BreakerState>("breaker");
        QTest::addColumn<HoldKind>("hold");
        QTest::addColumn<bool>("probeFree");
        QTest::addColumn<bool>("admits");

        const auto row = [](const char* name, BreakerState breaker, HoldKind hold, bool free) {
            return &(QTest::newRow(name) << breaker << hold << free);
        };
        using enum BreakerState;
        *row("open", Open, HoldKind::None, true) << false;
        *row("half open", HalfOpen, HoldKind::None, true) << true;
        *row("half open, probed already", HalfOpen, HoldKind::None, false) << false;
        *row("held", Closed, HoldKind::Credit, false) << false;
        *row("held, may be the probe", Closed, HoldKind::Credit, true) << true;
    }

    void isAProbeAndNoMore()
    {
        QFETCH(BreakerState, breaker);
        QFETCH(HoldKind, hold);
        QFETCH(bool, probeFree);
        QFETCH(bool, admits);
        GateView gate;
        gate.breaker = breaker;
        gate.hold = hold;
        gate.probeFree = probeFree;
        QCOMPARE(admitsAside(gate, kLowest), admits);
    }
};

QTEST_APPLESS_MAIN(TestAside)
#include "tst_aside.moc"
