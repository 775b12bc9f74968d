// SPDX-License-Identifier: Apache-2.0
#include "common/routing/patience.h"
#include "tests/routing/decision_text.h"

#include <QTest>

using namespace weir;
using namespace weir::routing;
using namespace weir::routing::test;

class TestPatience final : public QObject
{
    Q_OBJECT

private slots:
    void theLimitNeverHidesSlowness();
    void theLimitCutsNoHealthyTail();
    void whatIsOfUse();
};

void TestPatience::theLimitNeverHidesSlowness()
{
    const RouteFigures route = figures("a", 1000, 4'000'000);
    QCOMPARE(ttftLimitUs(route, 2'000'000, {}), 6'400'000);
    // Where an operator calls only five times slower slow, the limit must be beyond that, too.
    RoutingPolicy patient;
    patient.slowFactorPpm = 5'000'000;
    QCOMPARE(ttftLimitUs(route, 2'000'000, patient), 10'400'000);
}

void TestPatience::theLimitCutsNoHealthyTail()
{
    RouteFigures route = figures("a", 1000, 4'000'000);
    route.ttftP99Us = 8'000'000;
    QCOMPARE(ttftLimitUs(route, 2'000'000, {}), 12'000'000);
}

void TestPatience::whatIsOfUse()
{
    PoolSummary summary = pool({figures("a", 1000, 4'000'000)}, "a");
    summary.answerTokens = 400;
    summary.routes[0].ttftP50Us = 900'000;
    summary.routes[0].milliTps.value = 100'000;
    const std::vector<std::string> providers = names(2);
    const PoolView view(summary, providers);
    QCOMPARE(usefulUs(view, 0, true), 900'000);
    // Half of four seconds of writing comes on top where nothing is seen before the end.
    QCOMPARE(usefulUs(view, 0, false), 2'900'000);
    QCOMPARE(usefulUs(view, 1, false), 0);
}

QTEST_APPLESS_MAIN(TestPatience)
#include "tst_patience.moc"
