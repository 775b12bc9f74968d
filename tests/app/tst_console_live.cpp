// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/support/stage.h"

#include <QChart>
#include <QLabel>
#include <QTest>
#include <QXYSeries>

#include <algorithm>

using namespace weir;
using test::Stage;
using view::Theme;
using view::TimeChart;

namespace {

/// Everything that any widget says, to people or to a screen reader.
QStringList textsIn(const QWidget& window)
{
    QStringList texts;
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        texts << widget->accessibleName() << widget->accessibleDescription() << widget->toolTip();
        if (const auto* label = qobject_cast<const QLabel*>(widget)) texts << label->text();
    }
    return texts;
}

bool isColourful(QRgb pixel)
{
    const auto [low, high] = std::minmax({qRed(pixel), qGreen(pixel), qBlue(pixel)});
    return high - low > 48;
}

/// Colourful pixels of the chart in the columns strictly between two times.
int colourfulBetween(TimeChart& chart, model::Ms from, model::Ms to)
{
    const QImage image = chart.grab().toImage();
    int count = 0;
    for (int x = static_cast<int>(chart.xAt(from)) + 2; x < static_cast<int>(chart.xAt(to)) - 2;
         ++x) {
        for (int y = static_cast<int>(chart.plot().top()) + 1;
             y < static_cast<int>(chart.plot().bottom());
             ++y) {
            count += isColourful(image.pixel(x, y)) ? 1 : 0;
        }
    }
    return count;
}

} // namespace

class TestConsoleLive final : public QObject
{
    Q_OBJECT

private slots:

    void statesAreDrawnAndRepeatable_data()
    {
        QTest::addColumn<QString>("state");
        QTest::addColumn<bool>("isDark");
        for (const char* state :
             {"loading", "live", "trouble", "empty", "stale", "error", "error-first"}) {
            for (const bool isDark : {false, true}) {
                QTest::addRow("%s-%s", state, isDark ? "dark" : "light")
                    << QString::fromLatin1(state) << isDark;
            }
        }
    }

    void statesAreDrawnAndRepeatable()
    {
        QFETCH(QString, state);
        QFETCH(bool, isDark);
        const auto paint = [&](const QString& name) {
            Stage stage(isDark ? Theme::dark() : Theme::light());
            if (state == QStringLiteral("empty")) {
                AgentStatus idle = test::sampleStatus();
                for (RouteStatus& route : idle.models[0].routes) {
                    const std::string provider = route.provider;
                    route = {};
                    route.provider = provider;
                    route.route = provider + "/m@us";
                }
                idle.requestsPerS1m = 0.0;
                stage.console.showAgentReached(2.1);
                stage.console.showStatus(std::make_shared<const AgentStatus>(idle));
            } else if (state == QStringLiteral("trouble")) {
                stage.fill(test::troubledStatus());
            } else if (
                state != QStringLiteral("loading") && state != QStringLiteral("error-first")) {
                stage.fill();
            }
            if (state == QStringLiteral("stale")) stage.wait(std::chrono::seconds{16});
            if (state.startsWith(QStringLiteral("error"))) {
                stage.wait(std::chrono::seconds{9});
                stage.console.showAgentLost(QStringLiteral("Connection refused"), 4);
            }
            return stage.keep(name);
        };
        const QString name = QStringLiteral("live-%1-%2x")
                                 .arg(QString::fromLatin1(QTest::currentDataTag()))
                                 .arg(qEnvironmentVariable("QT_SCALE_FACTOR", QStringLiteral("1")));
        const QImage first = paint(name);
        const QImage second = paint(name);
        if (first != second) test::keepPicture(first, name + QStringLiteral("-other"));
        QCOMPARE(first, second);
    }

    void theSnapshotIsSaid()
    {
        Stage stage;
        stage.fill();
        (void)stage.picture();
        const QString said = textsIn(stage.window).join(QChar('\n'));
        for (const char* part :
             {"FIXED ORDER · switched off by maria 12 m",
              "1/1 agent",
              "switch v41",
              "data 0 s",
              "Leader: baseten",
              "Requests/s: 12.3",
              "TTFT p50: 0.64 s",
              "10:15:00Z",
              "Store weir.db  0.6 ms"}) {
            QVERIFY2(said.contains(QString::fromUtf8(part)), part);
        }
        for (const char* never : {"nan", "NaN", "inf "}) {
            QVERIFY2(!said.contains(QString::fromLatin1(never)), never);
        }
    }

    void unknownIsADashEverywhere()
    {
        Stage stage;
        AgentStatus status = test::sampleStatus();
        for (RouteStatus& route : status.models[0].routes) {
            route.share1m.reset();
            route.ttftMs = {};
            route.errorRate1m.reset();
            route.outcomes1m.clear();
            route.costMicroUsd1m.reset();
        }
        stage.console.showStatus(std::make_shared<const AgentStatus>(status));
        (void)stage.picture();
        const QString said = textsIn(stage.window).join(QChar('\n'));
        QVERIFY(said.contains(QStringLiteral("TTFT p50: —")));
        QVERIFY(said.contains(QStringLiteral("Cost per minute: —")));
        QVERIFY(!said.contains(QStringLiteral("nan"), Qt::CaseInsensitive));
    }

    void staleIsSaidDimmedAndHatched()
    {
        Stage stage;
        stage.fill();
        stage.wait(std::chrono::seconds{16});
        (void)stage.picture();
        QCOMPARE(stage.console.panel().kind, model::PanelState::Kind::Stale);
        QVERIFY(textsIn(stage.window).join(QChar(' ')).contains(QStringLiteral("stale 16 s")));
        const model::Ms then = epochMs(test::sampleTime());
        for (const TimeChart* chart : stage.window.livePage().charts()) {
            QCOMPARE(chart->gaps().back(), (model::Span{then, then + 16'000}));
        }
        QVERIFY(stage.console.header().text().startsWith(QStringLiteral("UNKNOWN")));
        stage.second(test::sampleStatus());
        QCOMPARE(stage.console.panel().kind, model::PanelState::Kind::Live);
    }

    void noColourStandsInAGap()
    {
        Stage stage;
        stage.fill();
        for (int i = 0; i < 60; ++i)
            stage.second(test::sampleStatus());
        const model::Ms lastBefore = epochMs(stage.clock.now());
        stage.clock.advance(std::chrono::seconds{89});
        stage.second(test::sampleStatus());
        const model::Ms firstAfter = epochMs(stage.clock.now());
        for (int i = 0; i < 60; ++i)
            stage.second(test::sampleStatus());
        (void)stage.picture();
        for (TimeChart* chart : stage.window.livePage().charts()) {
            QVERIFY(colourfulBetween(*chart, lastBefore - 300'000, lastBefore) > 0);
            QCOMPARE(colourfulBetween(*chart, lastBefore, firstAfter), 0);
        }
    }

    void chartsShareTheCrosshairAndKeepTheirPicture()
    {
        Stage stage;
        stage.fill();
        (void)stage.picture();
        const auto& charts = stage.window.livePage().charts();
        stage.settle();
        std::vector<int> renders;
        for (TimeChart* chart : charts) {
            (void)chart->grab();
            renders.push_back(chart->renderCount());
        }
        for (int i = 0; i < 200; ++i) {
            const QPoint at(static_cast<int>(charts[0]->plot().left()) + i, 80);
            QTest::mouseMove(charts[0]->viewport(), at);
            const auto time = stage.console.window().crosshair();
            QVERIFY(time.has_value());
            QCOMPARE(*time % 1000, 0);
            for (TimeChart* chart : charts)
                (void)chart->grab();
        }
        for (std::size_t i = 0; i < charts.size(); ++i) {
            QCOMPARE(charts[i]->renderCount(), renders[i]);
            QCOMPARE(charts[i]->plot().left(), charts[0]->plot().left());
            QCOMPARE(charts[i]->timeAt(200.0), charts[0]->timeAt(200.0));
        }
        stage.keep(QStringLiteral("live-crosshair-light"));
    }

    void seriesHoldNoMoreThanTwoPointsAPixel()
    {
        Stage stage;
        stage.fill();
        for (int i = 0; i < 2400; ++i)
            stage.second(test::sampleStatus());
        stage.console.window().setLength(3'600'000);
        (void)stage.picture();
        for (TimeChart* chart : stage.window.livePage().charts()) {
            const auto most = static_cast<qsizetype>(2 * chart->plot().width() + 2);
            for (const QAbstractSeries* series : chart->chart()->series()) {
                if (const auto* line = qobject_cast<const QXYSeries*>(series))
                    QVERIFY(line->count() <= most);
            }
        }
    }

    void axisLabelsAreUtcWhateverTheZone()
    {
        qputenv("TZ", "America/New_York");
        Stage stage;
        stage.fill();
        (void)stage.picture();
        for (const TimeChart* chart : stage.window.livePage().charts()) {
            QVERIFY(!chart->timeTicks().empty());
            for (const model::Tick& tick : chart->timeTicks()) {
                const QString iso =
                    QString::fromStdString(toIso(fromEpochMs(static_cast<model::Ms>(tick.value))));
                QCOMPARE(tick.label, iso.mid(11, 5));
            }
        }
        qputenv("TZ", "UTC");
    }

    void zeroStandsOnTheBaseline()
    {
        Stage stage;
        stage.fill();
        (void)stage.picture();
        for (const TimeChart* chart : stage.window.livePage().charts()) {
            QCOMPARE(chart->yAt(0.0), chart->plot().bottom());
        }
    }

    void hostileTextStaysText()
    {
        Stage stage;
        AgentStatus status = test::troubledStatus();
        const std::string hostile = "<b>bold</b> \u202Egnorw " + std::string(400, 'w');
        status.alerts[0].text = hostile;
        status.models[0].routes[0].provider = hostile;
        stage.fill(status);
        stage.keep(QStringLiteral("live-hostile-light"));
        for (const QLabel* label : stage.window.findChildren<QLabel*>()) {
            QCOMPARE(label->textFormat(), Qt::PlainText);
        }
        for (const QString& text : textsIn(stage.window))
            QVERIFY(!text.contains(QChar(0x202E)));
        QCOMPARE(stage.window.width(), 1440);
    }

    void nothingInTheHeaderIsCutOff()
    {
        Stage stage;
        stage.fill();
        (void)stage.picture();
        for (const auto* line : stage.window.findChildren<view::Line*>()) {
            if (!line->isVisible()) continue;
            QVERIFY2(line->width() >= line->sizeHint().width(), qPrintable(line->text()));
        }
        for (const auto* chip : stage.window.findChildren<view::Chip*>()) {
            QVERIFY2(chip->width() >= chip->sizeHint().width(), qPrintable(chip->text()));
        }
    }

    void aQuietTickPaintsNothing()
    {
        Stage stage;
        stage.fill();
        (void)stage.picture();
        const TimeChart* chart = stage.window.livePage().charts()[0];
        stage.settle();
        const int before = chart->renderCount();
        for (int i = 0; i < 3; ++i) {
            stage.console.tick();
            stage.settle();
        }
        QCOMPARE(chart->renderCount(), before);
        stage.second(test::sampleStatus());
        stage.console.tick();
        stage.settle();
        QCOMPARE(chart->renderCount(), before + 1);
    }
};

QTEST_MAIN(TestConsoleLive)
#include "tst_console_live.moc"
