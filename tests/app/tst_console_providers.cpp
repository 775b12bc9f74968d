// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/support/provider_samples.h"

#include <QPushButton>
#include <QTest>

using namespace weir;
using namespace weir::test;
using view::Theme;

class TestConsoleProviders final : public QObject
{
    Q_OBJECT

private slots:

    void looks_data()
    {
        QTest::addColumn<QString>("state");
        QTest::addColumn<bool>("isDark");
        for (const char* state :
             {"loading",
              "live",
              "fresh",
              "trouble",
              "error",
              "stale",
              "report",
              "drilled",
              "report-error"}) {
            for (const bool isDark : {false, true}) {
                QTest::addRow("%s-%s", state, isDark ? "dark" : "light")
                    << QString::fromLatin1(state) << isDark;
            }
        }
    }

    void looks()
    {
        QFETCH(QString, state);
        QFETCH(bool, isDark);
        QString said;
        const auto paint = [&](const QString& name) {
            Stage stage(isDark ? Theme::dark() : Theme::light());
            if (state != QStringLiteral("fresh")) saveHistory(stage);
            if (state.endsWith(QStringLiteral("error"))) {
                stage.archive.refuse(Error{"unreachable", "db:5432", "no answer in 3 s"});
            }
            const bool isReport = state.startsWith(QStringLiteral("report"));
            const bool isLoading = state == QStringLiteral("loading");
            if (isLoading) stage.archive.hold(true);
            if (!isLoading) fillLive(stage, state == QStringLiteral("trouble"));
            if (state == QStringLiteral("drilled")) {
                const Drill drill = drillAt(stage.clock.now(), "drill-12345678");
                saveDrill(stage, drill);
                stage.second(withDrill(knownStatus(), drill));
            }
            goToProviders(stage, isReport ? QStringLiteral("drill-0badcafe") : QString());
            if (state == QStringLiteral("stale")) stage.wait(std::chrono::seconds{16});
            stage.settle();
            const QImage image = stage.keep(name);
            said += textsOf(stage.window);
            return image;
        };
        const QString name =
            QStringLiteral("providers-") + QString::fromLatin1(QTest::currentDataTag());
        QCOMPARE(paint(name), paint(name));
        for (const char* never : {"nan", "NaN", "inf "})
            QVERIFY2(!said.contains(QLatin1String(never)), qPrintable(said));
    }

    void saysAllAboutARoute()
    {
        Stage stage;
        saveHistory(stage);
        stage.fill(knownStatus(2.7));
        auto& page = goToProviders(stage);
        const auto& routes = gridOf(page, "Routes");
        QCOMPARE(routes.model()->rowCount(), 3);
        QCOMPARE(cellOf(routes, 0, 0), QStringLiteral("baseten"));
        QCOMPARE(cellOf(routes, 0, 5), QStringLiteral("24.0"));
        QCOMPARE(cellOf(routes, 0, 9), QStringLiteral("62.0 %"));
        QCOMPARE(cellOf(routes, 0, 10), QStringLiteral("$0.60 / $2.20"));
        QCOMPARE(cellOf(routes, 0, 11), QStringLiteral("2.7×"));
        const QString said = textsOf(page);
        for (const char* wanted :
             {"Because: nothing speaks against it",
              "24.0 req/s, ceiling 26.0 req/s",
              "11.6 req/s, 48.3 % of what is permitted",
              "closed · opened 1× in 24 h, last 08:16:30Z",
              "20.0 req/s, 58.0 % used",
              "11.6 req/s move at peak to fireworks, coreweave",
              "full failover needs 2.7× of what the others are known to bear",
              "input $0.60, cached $0.11, cache write $0.60, output $2.20 per million tokens",
              "$0.8000 a thousand calls by this card",
              "no bill of the provider is read",
              "62.0 % of the input",
              "own rate counts 80.0 %, all routes' rate of 54.0 % the rest",
              "compared by score: 40210 calls in 48 h",
              "1.0 % to 3.0 % by 10:18:00Z",
              "180, 75.0 % of the model's",
              "5.0 %: 9 × 429",
              "0.64 s p50",
              "lowered 6 m ago until a full sample says otherwise",
              "stream, tools, json_schema",
              "200 k tokens"}) {
            QVERIFY2(said.contains(QString::fromUtf8(wanted)), wanted);
        }
    }

    void saysThatARouteStartsSlowly()
    {
        Stage stage;
        saveHistory(stage);
        stage.fill(knownStatus());
        auto& page = goToProviders(stage, QStringLiteral("coreweave"));
        const QString said = textsOf(page);
        QVERIFY(said.contains(
            QStringLiteral("slow start: 3.0 % of traffic, next step at 30 calls (12 so far)")));
        QCOMPARE(cellOf(gridOf(page, "Routes"), 2, 1), QStringLiteral("slow start"));
    }

    void namesEveryReason()
    {
        Stage stage;
        saveHistory(stage);
        AgentStatus status = test::troubledStatus();
        RouteStatus& baseten = status.models[0].routes[0];
        baseten.gate = "floor";
        baseten.breaker = "half_open";
        status.alerts[0].route = baseten.route;
        stage.fill(withDrill(status, drillAt(stage.clock.now(), "drill-1")));
        const QString said = textsOf(goToProviders(stage));
        for (const char* wanted :
             {"Now: drill",
              "drill, for another 5 m: 30.0 % of the requests on baseten get a 429",
              "429: no requests for another 24 s",
              "single requests test whether it works again",
              "permitted rate is at its floor after 429s",
              "90.0 % of the last minute failed: 53 429, 7 server error, 6 ok",
              "coreweave refuses the key"}) {
            QVERIFY2(said.contains(QString::fromUtf8(wanted)), wanted);
        }
    }

    void seesCutsInTheLiveHistory()
    {
        model::History history;
        const UtcTime start = test::sampleTime();
        const double rates[] = {240, 240, 120, 126, 125, 60};
        ModelStatus model = knownStatus().models[0];
        for (int i = 0; i < 6; ++i) {
            // The last one is seen after a gap: nobody knows what was between.
            const auto at = start + std::chrono::seconds{i < 5 ? i : 60};
            model.routes[0].permittedRps = rates[i];
            history.append(model, at);
        }
        const model::Ms from = epochMs(start);
        const auto cuts = model::cutsOf(history, "baseten", {from, from + 120'000});
        QCOMPARE(cuts.size(), std::size_t{1});
        QVERIFY((cuts[0] == model::RateCut{from + 2000, 240.0, 120.0}));
        QVERIFY(model::cutsOf(history, "nobody", {from, from + 120'000}).empty());
    }

    void showsAReportAndGoesBack()
    {
        Stage stage;
        saveHistory(stage);
        stage.fill(knownStatus());
        auto& page = goToProviders(stage);
        auto& drills = gridOf(page, "Drills");
        QCOMPARE(cellOf(drills, 0, 4), QStringLiteral("ran its time"));
        drills.selectRow(0);
        drills.setFocus();
        QTest::keyClick(&drills, Qt::Key_Return);
        stage.settle();
        QCOMPARE(page.place().key, QStringLiteral("drill-0badcafe"));
        const auto& report = gridOf(page, "Before");
        QCOMPARE(cellOf(report, 0, 0), QStringLiteral("Requests"));
        QCOMPARE(cellOf(report, 0, 1), QStringLiteral("60"));
        QCOMPARE(cellOf(report, 1, 0), QStringLiteral("To baseten"));
        QCOMPARE(cellOf(report, 1, 1), QStringLiteral("100.0 %"));
        QCOMPARE(cellOf(report, 1, 2), QStringLiteral("0.0 %"));
        QVERIFY(textsOf(page).contains(QStringLiteral("by jon: monthly drill")));
        QTest::keyClick(&stage.window, Qt::Key_Escape);
        QCOMPARE(page.place().key, QStringLiteral("baseten"));
    }

    void theKeyboardReachesEverything()
    {
        Stage stage;
        saveHistory(stage);
        stage.fill(knownStatus());
        auto& page = goToProviders(stage);
        stage.window.activateWindow();
        QTest::keyClick(&stage.window, Qt::Key_4, Qt::ControlModifier);
        for (QWidget* pane : page.panes()) {
            QVERIFY(!pane->accessibleName().isEmpty());
            QVERIFY(pane->isVisible());
        }
        for (const QWidget* widget : page.findChildren<QWidget*>()) {
            const bool isStop = (widget->focusPolicy() & Qt::TabFocus) != 0;
            if (!isStop || !widget->isVisible() || widget->focusProxy() != nullptr) continue;
            QVERIFY2(!widget->accessibleName().isEmpty(), widget->metaObject()->className());
        }
        auto& routes = gridOf(page, "Routes");
        routes.setFocus();
        QTest::keyClick(&routes, Qt::Key_Down);
        QCOMPARE(page.place().key, QStringLiteral("fireworks"));
    }
};

QTEST_MAIN(TestConsoleProviders)
#include "tst_console_providers.moc"
