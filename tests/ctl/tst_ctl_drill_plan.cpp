// SPDX-License-Identifier: Apache-2.0
#include "agent/reports/drill_plan.h"

#include <QTest>

using namespace weir;
using reports::DrillObjection;

namespace {

reports::KnownRoutes known()
{
    // A running agent and the rows of the store may name the same route.
    return {{{"m", "a"}, {"m", "b"}, {"n", "a"}, {"m", "b"}}, true};
}

RouteSettings routeRow(bool enabled)
{
    RouteSettings row;
    row.model = "m";
    row.provider = "b";
    row.enabled = enabled;
    return row;
}

Incident incident(IncidentKind kind)
{
    Incident one;
    one.kind = kind;
    one.key = "m/a";
    return one;
}

FailoverStatus failover(std::optional<double> ratio)
{
    FailoverStatus status;
    status.provider = "a";
    status.ratio = ratio;
    return status;
}

} // namespace

class TestCtlDrillPlan : public QObject
{
    Q_OBJECT

private slots:

    void objects_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("provider");
        QTest::addColumn<bool>("isOtherOff");
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("text");
        const int none = -1;
        QTest::newRow("nothing against it") << "m"
                                            << "a" << false << none << "";
        QTest::newRow("no such model") << "mm"
                                       << "a" << false << 0 << "no such model: mm";
        QTest::newRow("no such route") << "m"
                                       << "c" << false << 0 << "no such route: m/c";
        QTest::newRow("switched off") << "m"
                                      << "b" << true << 1 << "m/b is switched off";
        QTest::newRow("the last enabled") << "m"
                                          << "a" << true << 2 << "last enabled route";
        QTest::newRow("the only one") << "n"
                                      << "a" << false << 2 << "last enabled route";
    }

    void objects()
    {
        QFETCH(QString, model);
        QFETCH(QString, provider);
        QFETCH(bool, isOtherOff);
        QFETCH(int, kind);
        QFETCH(QString, text);
        reports::DrillPlan plan;
        plan.model = model.toStdString();
        plan.provider = provider.toStdString();
        Decisions decisions;
        decisions.routes = {routeRow(!isOtherOff)};
        const auto objection = reports::objectionTo(plan, known(), decisions);
        QCOMPARE(objection ? static_cast<int>(objection->kind) : -1, kind);
        if (objection) QVERIFY(objection->text.find(text.toStdString()) != std::string::npos);
    }

    void knowsABadMoment()
    {
        reports::DrillPlan plan;
        plan.provider = "a";
        Incident over = incident(IncidentKind::Outage);
        over.endMs = 1;
        const std::vector calm{over, incident(IncidentKind::Promotion)};
        const std::vector fits{failover(0.9)};
        QVERIFY(reports::hazardsOf(plan, calm, fits).empty());
        const std::vector unknown{failover(std::nullopt)};
        QVERIFY(reports::hazardsOf(plan, calm, unknown).empty());

        const std::vector open{incident(IncidentKind::Outage), incident(IncidentKind::Slowdown)};
        const auto wrong = reports::hazardsOf(plan, open, fits);
        QCOMPARE(wrong.size(), std::size_t{1});
        QCOMPARE(wrong[0], std::string{"an incident is open: outage of m/a and 1 more"});

        const std::vector tight{failover(2.7)};
        const auto small = reports::hazardsOf(plan, calm, tight);
        QCOMPARE(small.size(), std::size_t{1});
        QVERIFY(small[0].find("needs 2.7 times") != std::string::npos);
        plan.kind = DrillKind::Delay;
        QVERIFY(reports::hazardsOf(plan, calm, tight).empty());
    }
};

QTEST_APPLESS_MAIN(TestCtlDrillPlan)
#include "tst_ctl_drill_plan.moc"
