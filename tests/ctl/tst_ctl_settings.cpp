// SPDX-License-Identifier: Apache-2.0
#include "agent/reports/settings_edit.h"

#include <QTest>

using namespace weir;
using namespace weir::reports;

/// KEY=VALUE: what is written, and what is said of slips.
class TstCtlSettings : public QObject
{
    Q_OBJECT

private slots:
    void refusesSlips_data();
    void refusesSlips();
    void changesSettings();
    void changesRoutes();
    void leavesTheRestAlone();
    void takesUnknownRoutesWhereNobodyKnows();
};

namespace {

Decisions sample()
{
    Decisions decisions;
    decisions.settings = standardSettings();
    decisions.settings.version = 7;
    RouteSettings row;
    row.model = "glm-5.2";
    row.provider = "baseten";
    row.fixedPosition = 2;
    row.version = 3;
    decisions.routes.push_back(row);
    return decisions;
}

KnownRoutes known()
{
    return {{{"glm-5.2", "baseten"}, {"glm-5.2", "fire.works"}}, true};
}

Result<Edit> edit(const std::vector<std::string>& assignments)
{
    return editSettings(sample(), assignments, known());
}

} // namespace

void TstCtlSettings::refusesSlips_data()
{
    QTest::addColumn<QStringList>("given");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* name, const QStringList& given, const char* said) {
        QTest::newRow(name) << given << QString(said);
    };
    row("no value", {"slow_factor"}, "slow_factor: must be KEY=VALUE, as in slow_factor=4");
    row("no key", {"=4"}, "=4: must be KEY=VALUE, as in slow_factor=4");
    row("misspelt", {"slow_facter=4"}, "slow_facter: no such setting: did you mean slow_factor?");
    row("not a number",
        {"slow_factor=4x"},
        "slow_factor: must be a number between 1.5 and 20, not 4x");
    row("too large",
        {"slow_factor=40"},
        "slow_factor: must be a number between 1.5 and 20, not 40");
    row("not finite",
        {"slow_factor=nan"},
        "slow_factor: must be a number between 1.5 and 20, not nan");
    row("one weight",
        {"cost_weight=0.6"},
        "cost_weight: cost_weight and speed_weight must sum to 1: add speed_weight=0.4");
    row("the other weight",
        {"speed_weight=0.9"},
        "cost_weight: cost_weight and speed_weight must sum to 1: add cost_weight=0.1");
    row("both weights",
        {"cost_weight=0.6", "speed_weight=0.6"},
        "cost_weight: cost_weight and speed_weight must sum to 1");
    row("objective", {"objective=price"}, "objective: must be score or routing_cost");
    row("unknown route",
        {"route.glm-5.2.basten.enabled=false"},
        "route.glm-5.2.basten.enabled: no such route: did you mean glm-5.2.baseten?");
    row("unknown field",
        {"route.glm-5.2.baseten.bias=1"},
        "route.glm-5.2.baseten.bias: must end in .enabled, .score_bias or .fixed_position: known "
        "are enabled, score_bias, fixed_position");
    row("bias too large",
        {"route.glm-5.2.baseten.score_bias=2"},
        "route.glm-5.2.baseten.score_bias: must be a number between 0.5 and 1.5, not 2");
    row("half a position",
        {"route.glm-5.2.baseten.fixed_position=1.5"},
        "route.glm-5.2.baseten.fixed_position: must be a whole number from 1 to 1000, or none, not "
        "1.5");
    row("no flag",
        {"route.glm-5.2.baseten.enabled=maybe"},
        "route.glm-5.2.baseten.enabled: must be true or false, not maybe");
}

void TstCtlSettings::refusesSlips()
{
    QFETCH(QStringList, given);
    QFETCH(QString, said);
    std::vector<std::string> assignments;
    for (const QString& one : given)
        assignments.push_back(one.toStdString());
    const Result<Edit> result = edit(assignments);
    QVERIFY(!result);
    QCOMPARE(QString::fromStdString(result.error().text()), said);
    QCOMPARE(result.error().code, std::string("bad_usage"));
}

void TstCtlSettings::changesSettings()
{
    const Result<Edit> result =
        edit({"cost_weight = 0.6", "speed_weight=0.4", "objective=routing_cost"});
    QVERIFY(result.has_value());
    QVERIFY(result->settingsChanged);
    QCOMPARE(result->settings.number("cost_weight"), 0.6);
    QCOMPARE(result->settings.objective, std::string("routing_cost"));
    QCOMPARE(result->settings.version, 7);
    QVERIFY(result->routes.empty());
    QCOMPARE(result->changes.size(), 3U);
    QCOMPARE(result->changes.front(), (Change{"cost_weight", "0.7", "0.6"}));
}

void TstCtlSettings::changesRoutes()
{
    const Result<Edit> result = edit(
        {"route.glm-5.2.baseten.enabled=off",
         "route.glm-5.2.baseten.fixed_position=none",
         "route.glm-5.2.fire.works.score_bias=1.25"});
    QVERIFY(result.has_value());
    QVERIFY(!result->settingsChanged);
    QCOMPARE(result->routes.size(), 2U);
    QVERIFY(!result->routes.at(0).enabled);
    QVERIFY(!result->routes.at(0).fixedPosition);
    QCOMPARE(result->routes.at(0).version, 3);
    QCOMPARE(result->routes.at(1).provider, std::string("fire.works"));
    QCOMPARE(result->routes.at(1).scoreBias, 1.25);
    QCOMPARE(result->routes.at(1).version, 0);
    QCOMPARE(result->changes.at(1), (Change{"route.glm-5.2.baseten.fixed_position", "2", "none"}));
}

void TstCtlSettings::leavesTheRestAlone()
{
    const Result<Edit> result = edit(
        {"slow_factor=3",
         "route.glm-5.2.baseten.enabled=true",
         "route.glm-5.2.fire.works.enabled=true"});
    QVERIFY(result.has_value());
    QVERIFY(!result->settingsChanged);
    QVERIFY2(result->routes.empty(), "a value that stands already is no change");
    QVERIFY(result->changes.empty());
}

void TstCtlSettings::takesUnknownRoutesWhereNobodyKnows()
{
    const std::vector<std::string> assignments{"route.new.model.provider.enabled=false"};
    const Result<Edit> result = editSettings(sample(), assignments, {});
    QVERIFY(result.has_value());
    QCOMPARE(result->routes.front().model, std::string("new.model"));
    QCOMPARE(result->routes.front().provider, std::string("provider"));
}

QTEST_APPLESS_MAIN(TstCtlSettings)
#include "tst_ctl_settings.moc"
