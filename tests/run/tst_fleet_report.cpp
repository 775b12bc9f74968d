// SPDX-License-Identifier: Apache-2.0
#include "agent/run/fleet_report.h"

#include <QTest>

using namespace weir;
using namespace weir::run;

namespace {

FleetReport sample()
{
    FleetReport report;
    FailoverStatus& failover = report.failover["m"].emplace_back();
    failover.provider = "cheap";
    failover.moves = {3.5, 1200.0};
    failover.needs = {4.0, 1500.0};
    failover.interactiveNeeds = {2.0, 700.0};
    failover.capacityRps = 1.5;
    failover.ratio = 2.7;
    failover.others = {"dear"};
    failover.unknown = {"far"};
    failover.shortSince = fromEpochMs(1'796'032'800'000);
    routing::BudgetStatus& budget = report.budgets.emplace_back();
    budget.model = "m";
    budget.provider = "cheap";
    budget.slo = routing::Slo::RateLimit;
    budget.burnMilli.fill(15'200);
    budget.leftPpm = 712'000;
    budget.level = routing::BurnLevel::Page;
    budget.sinceMs = 1'796'032'860'000;
    budget.text = "rate_limit burns x15.2 over 1 h";
    report.judgedUntilMs = 1'796'032'920'000;
    return report;
}

} // namespace

class TestFleetReport final : public QObject
{
    Q_OBJECT

private slots:

    void saysTheSameAfterReadingBack()
    {
        QVERIFY(fleetReportFrom(encode(sample())).value() == sample());
        QVERIFY(fleetReportFrom(encode({})).value() == FleetReport{});
    }

    void refusesWhatIsNone_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("empty") << "";
        QTest::newRow("list") << "[]";
        QTest::newRow("torn") << R"({"failover": {)";
        QTest::newRow("without minutes") << R"({"failover": {}, "budgets": []})";
        QString word = QString::fromStdString(encode(sample()));
        QTest::newRow("unknown level") << QString(word).replace("\"page\"", "\"panic\"");
        QTest::newRow("unknown SLO") << QString(word).replace("\"rate_limit\"", "\"luck\"");
    }

    void refusesWhatIsNone()
    {
        QFETCH(QString, text);
        const auto read = fleetReportFrom(text.toStdString());
        QVERIFY(!read);
        QCOMPARE(read.error().code, std::string{"bad_fleet_report"});
    }
};

QTEST_APPLESS_MAIN(TestFleetReport)

#include "tst_fleet_report.moc"
