// SPDX-License-Identifier: Apache-2.0
#include "common/routing/window.h"
#include "tests/routing/learn_samples.h"

#include <QTest>

#include <cmath>

using namespace weir;
using namespace weir::routing;

namespace {

/// Normal numbers of standard deviation 0.5, moved by `shift`: mean of the first n.
double meanOf(Draws& draws, std::int64_t n, double shift)
{
    double sum = 0;
    for (std::int64_t i = 0; i < n; ++i)
        sum += shift + 0.5 * draws.normal();
    return sum / static_cast<double>(n);
}

WindowInput usual(double z)
{
    WindowInput input;
    input.z = z;
    input.sd = 0.5;
    input.usualSamples = 1000;
    input.base = {1000, 2000, 0};
    input.nowMs = 100 * kHour;
    input.elapsedMs = 5 * kMinute;
    return input;
}

/// Three windows that saw `samples` at `level`.
WindowInput seen(std::int64_t samples, double level)
{
    WindowInput input = usual(kZThree);
    const Reading reading{samples, level, std::log(level / 2000)};
    input.suffixes = {reading, reading, reading};
    input.recent = reading;
    input.since = reading;
    return input;
}

LearnedFigure loweredTo(std::int64_t value, std::int64_t sinceMs)
{
    LearnedFigure figure;
    figure.value = value;
    figure.state = WindowState::Lowered;
    figure.sinceMs = sinceMs;
    figure.samples = 8;
    return figure;
}

} // namespace

class TestWindow final : public QObject
{
    Q_OBJECT

private slots:
    void worseNeedsSlackAndSignificance();
    void falselyAlarmsInOneOfAHundred();
    void seesDoubledTimes_data();
    void seesDoubledTimes();
    void fewSlowCallsLowerAndFewFastOnesChangeNothing();
    void aFullSampleIsTheFigure();
    void onlyAFullSampleSinceRaises();
    void newBadNewsBeginsAnew();
    void comesBackByAgeAlone();
    void ratesAreWorseWhenLower();
};

void TestWindow::worseNeedsSlackAndSignificance()
{
    WindowInput input = usual(kZThree);
    // 2.71 * 0.5 / sqrt(25) = 0.271; ln 1.25 = 0.223 is the larger from n = 37 on.
    QVERIFY(!isWorse({25, 0, 0.270}, input));
    QVERIFY(isWorse({25, 0, 0.272}, input));
    QVERIFY(!isWorse({1000, 0, 0.223}, input));
    QVERIFY(isWorse({1000, 0, 0.224}, input));
    QVERIFY(!isWorse({4, 0, 5.0}, input));
    // A spread below 0.25 counts as that: 2.71 * 0.25 / sqrt(5) = 0.303.
    input.sd = 0.01;
    QVERIFY(!isWorse({5, 0, 0.302}, input));
    QVERIFY(isWorse({5, 0, 0.304}, input));
    input.usualSamples = 29;
    QVERIFY(!isWorse({1000, 0, 2.0}, input));
}

void TestWindow::falselyAlarmsInOneOfAHundred()
{
    Draws draws(5);
    const WindowInput input = usual(kZThree);
    int alarms = 0;
    constexpr int kRounds = 20'000;
    for (int i = 0; i < kRounds; ++i) {
        // Suffixes of 5, 10 and 30 minutes at one call a minute share their calls.
        const double five = meanOf(draws, 5, 0);
        const double ten = (five + meanOf(draws, 5, 0)) / 2;
        const double thirty = (ten + 2 * meanOf(draws, 20, 0)) / 3;
        const bool alarm = isWorse({5, 0, five}, input) || isWorse({10, 0, ten}, input) ||
                           isWorse({30, 0, thirty}, input);
        if (alarm) ++alarms;
    }
    QVERIFY2(alarms > kRounds / 400, qPrintable(QString::number(alarms)));
    QVERIFY2(alarms < kRounds / 80, qPrintable(QString::number(alarms)));
}

void TestWindow::seesDoubledTimes_data()
{
    QTest::addColumn<int>("calls");
    QTest::addColumn<double>("times");
    QTest::addColumn<double>("percent");
    QTest::newRow("five calls, twice") << 5 << 2.0 << 78.0;
    QTest::newRow("five calls, 2.8 times") << 5 << 2.8 << 98.9;
    QTest::newRow("eight calls, twice") << 8 << 2.0 << 94.5;
}

void TestWindow::seesDoubledTimes()
{
    QFETCH(const int, calls);
    QFETCH(const double, times);
    QFETCH(const double, percent);
    Draws draws(6);
    const WindowInput input = usual(kZOne);
    int found = 0;
    for (int i = 0; i < 10'000; ++i) {
        if (isWorse({calls, 0, meanOf(draws, calls, std::log(times))}, input)) ++found;
    }
    QVERIFY2(std::abs(found / 100.0 - percent) < 1.5, qPrintable(QString::number(found)));
}

/// B157.
void TestWindow::fewSlowCallsLowerAndFewFastOnesChangeNothing()
{
    const LearnedFigure normal = nextFigure({}, seen(8, 2000));
    QCOMPARE(normal.value, 2000);
    const LearnedFigure slow = nextFigure(normal, seen(8, 6000));
    QCOMPARE(slow.state, WindowState::Lowered);
    QCOMPARE(slow.value, 6000);
    QCOMPARE(slow.sinceMs, 100 * kHour);
    for (const std::int64_t lucky : {1, 5, 29}) {
        QVERIFY(nextFigure(slow, seen(lucky, 500)) == slow);
        QCOMPARE(nextFigure(normal, seen(lucky, 500)).value, 2000);
    }
}

void TestWindow::aFullSampleIsTheFigure()
{
    const LearnedFigure figure = nextFigure({}, seen(30, 1800));
    QCOMPARE(figure.value, 1800);
    QCOMPARE(figure.samples, 30);
    QCOMPARE(figure.state, WindowState::Normal);
}

void TestWindow::onlyAFullSampleSinceRaises()
{
    const LearnedFigure slow = loweredTo(8000, 99 * kHour);
    WindowInput input = seen(6, 2000);
    input.since = {29, 2100, 0.05};
    QVERIFY(nextFigure(slow, input) == slow);
    input.since = {30, 2100, 0.05};
    const LearnedFigure back = nextFigure(slow, input);
    QCOMPARE(back.state, WindowState::Normal);
    QCOMPARE(back.value, 2100);
    // The line stays drawn, so that the slow calls before it cannot lower it again.
    QCOMPARE(back.sinceMs, slow.sinceMs);
    QVERIFY(!back.unverified);
    // Thirty calls that are still slow raise nothing, even where no short window has enough.
    input = seen(1, 8000);
    input.since = {30, 8000, std::log(4.0)};
    QCOMPARE(nextFigure(slow, input).state, WindowState::Lowered);
}

void TestWindow::newBadNewsBeginsAnew()
{
    const LearnedFigure slow = loweredTo(8000, 99 * kHour);
    LearnedFigure next = nextFigure(slow, seen(10, 9000));
    QCOMPARE(next.value, 9000);
    QCOMPARE(next.sinceMs, 100 * kHour);
    // Less bad news draws it near by half in half an hour.
    WindowInput input = seen(10, 4000);
    input.elapsedMs = 30 * kMinute;
    next = nextFigure(slow, input);
    QCOMPARE(next.value, 6000);
    QCOMPARE(next.state, WindowState::Lowered);
}

void TestWindow::comesBackByAgeAlone()
{
    const LearnedFigure slow = loweredTo(8000, 100 * kHour - kUnverifiedMs);
    WindowInput input = seen(3, 1900);
    QVERIFY(nextFigure(slow, input) == slow);
    input.nowMs += 1;
    LearnedFigure back = nextFigure(slow, input);
    QCOMPARE(back.state, WindowState::Normal);
    QCOMPARE(back.value, 2000);
    QVERIFY(back.unverified);
    back = nextFigure(back, input);
    QVERIFY(back.unverified);
    QVERIFY(!nextFigure(back, seen(30, 1900)).unverified);
}

void TestWindow::ratesAreWorseWhenLower()
{
    WindowInput input = seen(8, 500);
    input.worse = Worse::Lower;
    const LearnedFigure slow = nextFigure({}, input);
    QCOMPARE(slow.state, WindowState::Lowered);
    QCOMPARE(slow.value, 500);
    input = seen(8, 9000);
    input.worse = Worse::Lower;
    QCOMPARE(nextFigure({}, input).value, 2000);
}

QTEST_APPLESS_MAIN(TestWindow)
#include "tst_window.moc"
