// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/format.h"
#include "app/model/history.h"
#include "app/model/time_axis.h"
#include "app/model/time_series.h"
#include "app/model/time_window.h"
#include "tests/app/support/samples.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace weir;
using namespace weir::model;

namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

/// A day at one second, noisy, with one spike each way in the middle of nowhere.
struct Day
{
    std::vector<Ms> times;
    std::vector<double> values;

    Day()
    {
        std::uint64_t state = 42;
        for (Ms i = 0; i < 86'400; ++i) {
            state = state * 6364136223846793005ULL + 1442695040888963407ULL;
            times.push_back(i * 1000);
            values.push_back(static_cast<double>(state >> 40) / 16777216.0);
        }
        values[12'345] = 99.0;
        values[54'321] = -7.0;
    }
};

bool hasY(const std::vector<QPointF>& points, double y)
{
    return std::ranges::any_of(points, [y](const QPointF& point) { return point.y() == y; });
}

} // namespace

class TestConsoleSeries final : public QObject
{
    Q_OBJECT

private slots:

    void decimationKeepsEverySpikeInFewPoints()
    {
        const Day day;
        constexpr int kPixels = 660;
        const auto points = decimateMinMax({day.times, day.values}, {0, 86'400'000}, kPixels);
        QVERIFY(points.size() <= 2 * kPixels + 2);
        QVERIFY(points.size() > kPixels);
        QVERIFY(hasY(points, 99.0));
        QVERIFY(hasY(points, -7.0));
        QVERIFY(std::ranges::is_sorted(points, {}, &QPointF::x));
    }

    void decimationBreaksWhereNothingIsKnown()
    {
        const std::vector<Ms> times{0, 1000, 2000, 3000, 4000, 5000};
        const std::vector<double> values{1, 2, kNothing, kNothing, 3, kNothing};
        const auto points = decimateMinMax({times, values}, {0, 5000}, 1000);
        const auto runs = runsOf(points);
        QCOMPARE(runs.size(), std::size_t{2});
        QCOMPARE(runs[0].size(), std::size_t{2});
        QCOMPARE(runs[1], (std::vector<QPointF>{{4000, 3}}));
    }

    void meansOfColumnsStandAtTheSameTimes()
    {
        const std::vector<Ms> times{0, 400, 1000, 1500, 2100};
        const std::vector<double> a{1, 3, 5, kNothing, kNothing};
        const std::vector<double> b{0, 0, kNothing, 4, 8};
        const Span range{0, 3000};
        const auto pointsA = decimateMean({times, a}, range, 3);
        const auto pointsB = decimateMean({times, b}, range, 3);
        QCOMPARE(pointsA, (std::vector<QPointF>{{0, 2}, {1000, 5}, {2100, 0}}));
        QCOMPARE(pointsB, (std::vector<QPointF>{{0, 0}, {1000, 4}, {2100, 8}}));
    }

    void threeMissedSamplesAreAGap_data()
    {
        QTest::addColumn<QList<int>>("seconds");
        QTest::addColumn<QList<int>>("gaps");
        QTest::newRow("nothing at all") << QList<int>{} << QList<int>{0, 100};
        QTest::newRow("two missed are none") << QList<int>{0, 1, 4, 100} << QList<int>{4, 100};
        QTest::newRow("at both ends") << QList<int>{10, 11} << QList<int>{0, 10, 11, 100};
        QTest::newRow("before the range") << QList<int>{-50, 99} << QList<int>{0, 99};
        QTest::newRow("up to the end") << QList<int>{-1, 0, 3, 5, 6} << QList<int>{6, 100};
    }

    void threeMissedSamplesAreAGap()
    {
        QFETCH(QList<int>, seconds);
        QFETCH(QList<int>, gaps);
        std::vector<Ms> times;
        for (const int second : seconds)
            times.push_back(second * 1000);
        const std::vector<Ms> steps(times.size(), 1000);
        QList<int> found;
        for (const Span& gap : gapsIn(times, steps, {0, 100'000})) {
            found << static_cast<int>(gap.from / 1000) << static_cast<int>(gap.to / 1000);
        }
        QCOMPARE(found, gaps);
    }

    void everyTimeLabelStandsOnANiceStep()
    {
        for (const auto& preset : TimeWindow::presets()) {
            for (const int count : {2, 5, 9}) {
                const Span range{1'796'033'707'000 - preset.length, 1'796'033'707'000};
                const auto ticks = timeTicks(range, count);
                const Ms step = timeStep(range, count);
                QVERIFY2(!ticks.empty() || step > preset.length, preset.name);
                QVERIFY(static_cast<int>(ticks.size()) <= count + 1);
                for (const Tick& tick : ticks) {
                    QCOMPARE(static_cast<Ms>(tick.value) % step, 0);
                    QVERIFY(range.contains(static_cast<Ms>(tick.value)));
                    QCOMPARE(
                        tick.label, clockText(fromEpochMs(static_cast<Ms>(tick.value))).left(5));
                }
            }
        }
    }

    void valueAxisBeginsAtZeroAndEndsAboveTheData_data()
    {
        QTest::addColumn<double>("maximum");
        QTest::addColumn<QString>("labels");
        QTest::newRow("hundred") << 100.0 << "0 25 50 75 100";
        QTest::newRow("seven") << 7.0 << "0 2 4 6 8";
        QTest::newRow("below one") << 0.72 << "0.0 0.2 0.4 0.6 0.8";
        QTest::newRow("one") << 1.0 << "0.00 0.25 0.50 0.75 1.00";
        QTest::newRow("nothing") << 0.0 << "0.00 0.25 0.50 0.75 1.00";
        QTest::newRow("not a number") << kNothing << "0.00 0.25 0.50 0.75 1.00";
    }

    void valueAxisBeginsAtZeroAndEndsAboveTheData()
    {
        QFETCH(double, maximum);
        QFETCH(QString, labels);
        QStringList found;
        for (const Tick& tick : valueTicks(maximum, 4, {}))
            found << tick.label;
        QCOMPARE(found.join(QChar(' ')), labels);
    }

    void historyFillsTheTimeBeforeTheLiveStream()
    {
        History history;
        const AgentStatus status = test::sampleStatus();
        history.append(status.models[0], test::sampleTime());
        history.append(status.models[0], test::sampleTime() + std::chrono::seconds{1});
        const Ms now = epochMs(test::sampleTime());
        history.backfill(test::sampleSlices(), {now - 3'600'000, now}, 10'000);

        QVERIFY(std::ranges::is_sorted(history.times()));
        QVERIFY(gapsIn(history.times(), history.steps(), {now - 3'590'000, now}).empty());
        // baseten, coreweave, fireworks: by name.
        QCOMPARE(history.providers().size(), std::size_t{3});
        QCOMPARE(history.valueAt(0, Quantity::Share, now + 1000), 0.93);
        const double storm = history.valueAt(0, Quantity::Share, now - 500'000);
        QVERIFY2(std::abs(storm - 30.0 / 118.0) < 1e-9, qPrintable(QString::number(storm)));
        QVERIFY(std::isnan(history.valueAt(1, Quantity::TtftP50S, now - 100'000)));
        QVERIFY(std::isnan(history.valueAt(0, Quantity::Share, now + 60'000)));
    }

    void figuresNeverLie_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        QTest::newRow("unknown seconds") << seconds(std::nullopt) << "—";
        QTest::newRow("nan seconds") << seconds(kNothing) << "—";
        QTest::newRow("infinite rate") << rate(std::numeric_limits<double>::infinity()) << "—";
        QTest::newRow("milliseconds") << secondsFromMs(640.0) << "0.64 s";
        QTest::newRow("ten seconds") << seconds(10.04) << "10.0 s";
        QTest::newRow("tiny share") << percent(0.0001) << "<0.1 %";
        QTest::newRow("no share") << percent(0.0) << "0.0 %";
        QTest::newRow("cents") << money(31'200) << "$0.0312";
        QTest::newRow("dollars") << money(1'240'000) << "$1.24";
        QTest::newRow("nothing spent") << money(0) << "$0.0000";
        QTest::newRow("unknown money") << money(std::nullopt) << "—";
        QTest::newRow("age") << age(std::chrono::seconds{724}) << "12 m";
        QTest::newRow("age in the future") << age(std::chrono::seconds{-3}) << "0 s";
        QTest::newRow("one agent") << counted(1, QStringLiteral("agent")) << "1 agent";
        QTest::newRow("override of direction") << plain("a\u202Eb") << QStringLiteral("a\uFFFDb");
        QTest::newRow("control characters") << plain("a\tb") << QStringLiteral("a\uFFFDb");
    }

    void figuresNeverLie()
    {
        QFETCH(QString, text);
        QFETCH(QString, expected);
        QCOMPARE(text, expected);
    }

    void pausedWindowStandsStill()
    {
        test::HandClock clock;
        TimeWindow window;
        window.pause(clock.now());
        const Span before = window.span(clock.now());
        clock.advance(std::chrono::seconds{38});
        QCOMPARE(window.span(clock.now()), before);
        QCOMPARE(window.stateText(clock.now()), QStringLiteral("PAUSED · 38 s behind"));
        window.resume();
        QCOMPARE(window.span(clock.now()).to, before.to + 38'000);
        QCOMPARE(window.stateText(clock.now()), QStringLiteral("LIVE"));
    }
};

QTEST_APPLESS_MAIN(TestConsoleSeries)
#include "tst_console_series.moc"
