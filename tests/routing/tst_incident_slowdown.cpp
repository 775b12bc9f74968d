// SPDX-License-Identifier: Apache-2.0
#include "common/routing/philox.h"
#include "tests/routing/minute_feed.h"

#include <QTest>

#include <array>

using namespace weir;
using namespace weir::routing;

namespace {

constexpr int kTwoDays = 2 * 24 * 60;
constexpr int kWeek = 7 * 24 * 60;

/// Lognormal TTFTs with a deviation of 0.5 and 1 % errors, from counted coins.
class Calls final
{
public:
    explicit Calls(std::uint64_t seed)
        : m_seed(seed)
    {
    }

    /// A minute of about `rate` calls with a median TTFT of `seconds`.
    RouteMinute minute(double rate, double seconds)
    {
        RouteMinute row = calls(0);
        for (double left = -std::log(coin()); left < rate; left -= std::log(coin()))
            add(row, std::log(seconds * 1e6) + 0.5 * normal());
        return row;
    }

private:
    double coin()
    {
        const std::uint32_t at = m_count++ % 4;
        if (at == 0) m_four = philox({m_count, 0, 0, 0}, {static_cast<std::uint32_t>(m_seed), 7});
        return (m_four.at(at) + 0.5) / 4294967296.0;
    }

    double normal()
    {
        const double radius = std::sqrt(-2 * std::log(coin()));
        return radius * std::cos(6.283185307179586 * coin());
    }

    void add(RouteMinute& row, double ln)
    {
        ++row.calls;
        if (coin() < 0.01) {
            ++row.failed;
            return;
        }
        ++row.successes;
        ++row.ttftCalls;
        row.lnTtftMicro += std::llround(ln * 1e6);
        row.lnTtftSquareMicro += std::llround(ln * ln * 1e6);
    }

    std::uint64_t m_seed;
    std::uint32_t m_count = 0;
    std::array<std::uint32_t, 4> m_four{};
};

/// Two days of the same, then `minutes` of `seconds`.
Feed after(int minutes, double seconds, std::int64_t perMinute = 20)
{
    Feed feed;
    feed.nowMs -= kTwoDays * kMinuteMs;
    feed.repeat(kTwoDays, timed(perMinute, 8));
    feed.repeat(minutes, timed(perMinute, seconds));
    return feed;
}

} // namespace

class TestIncidentSlowdown final : public QObject
{
    Q_OBJECT

private slots:
    void stationaryWeekIsQuiet_data();
    void stationaryWeekIsQuiet();
    void findsWithinMinutes_data();
    void findsWithinMinutes();
    void slightlySlowerIsNone();
    void needsABaseline();
    void closesBelowOnePointTwo();
    void staysOpenAtOnePointTwo();
    void aSlowDayIsTakenAsUsual();
    void theSlowdownIsNotItsOwnBaseline();
};

void TestIncidentSlowdown::stationaryWeekIsQuiet_data()
{
    QTest::addColumn<double>("rate");
    QTest::newRow("one call in three minutes") << 0.3;
    QTest::newRow("a call a minute") << 1.0;
    QTest::newRow("five a minute") << 5.0;
    QTest::newRow("twenty a minute") << 20.0;
}

void TestIncidentSlowdown::stationaryWeekIsQuiet()
{
    QFETCH(double, rate);
    Feed feed;
    Calls calls(1);
    for (int i = 0; i < kWeek + kTwoDays; ++i)
        feed.feed(calls.minute(rate, 8));
    int slowdowns = 0;
    for (const Incident& incident : feed.book.all()) {
        slowdowns += incident.kind == IncidentKind::Slowdown ? incident.count : 0;
    }
    QVERIFY2(slowdowns <= 1, qPrintable(feed.told()));
    QVERIFY2(feed.book.all().size() == (slowdowns > 0 ? 1U : 0U), qPrintable(feed.told()));
}

void TestIncidentSlowdown::findsWithinMinutes_data()
{
    QTest::addColumn<double>("rate");
    QTest::addColumn<double>("times");
    QTest::addColumn<int>("minutes");
    QTest::newRow("x2.8 at 50 a minute") << 50.0 << 2.8 << 4;
    QTest::newRow("x2.8 at 5 a minute") << 5.0 << 2.8 << 8;
    QTest::newRow("x2.8 at 1 a minute") << 1.0 << 2.8 << 15;
    QTest::newRow("x5.2 at 50 a minute") << 50.0 << 5.2 << 3;
    QTest::newRow("x1.6 at 50 a minute") << 50.0 << 1.6 << 6;
}

void TestIncidentSlowdown::findsWithinMinutes()
{
    QFETCH(double, rate);
    QFETCH(double, times);
    QFETCH(int, minutes);
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        Feed feed;
        Calls calls(seed);
        const int warm = kTwoDays / (rate < 5 ? 2 : 8);
        feed.nowMs -= warm * kMinuteMs;
        for (int i = 0; i < warm; ++i)
            feed.feed(calls.minute(rate, 8));
        if (!feed.book.open().empty()) continue; // a false one, counted by the week's test
        for (int i = 0; i < minutes; ++i)
            feed.feed(calls.minute(rate, 8 * times));
        const std::vector<Incident> open = feed.book.open();
        QCOMPARE(open.size(), 1U);
        QCOMPARE(open[0].kind, IncidentKind::Slowdown);
        const std::int64_t error = (open[0].onsetMs - kTen) / kMinuteMs;
        QVERIFY2(std::abs(error) <= (rate < 5 ? 6 : 1), qPrintable(feed.told()));
        QVERIFY(open[0].detectedMs > open[0].onsetMs);
    }
}

void TestIncidentSlowdown::slightlySlowerIsNone()
{
    QCOMPARE(after(600, 8 * 1.24, 1000).told(), "");
    QCOMPARE(after(30, 8 * 1.51, 1000).told(), "slowdown 0-");
}

void TestIncidentSlowdown::needsABaseline()
{
    Feed feed;
    feed.repeat(31, timed(3, 8));
    feed.repeat(30, timed(3, 80));
    QCOMPARE(feed.told(), "");
}

void TestIncidentSlowdown::closesBelowOnePointTwo()
{
    Feed feed = after(60, 8 * 2.8);
    QCOMPARE(feed.told(), "slowdown 0-");
    feed.repeat(4, timed(20, 8 * 1.19));
    QCOMPARE(feed.told(), "slowdown 0-");
    feed.repeat(56, timed(20, 8 * 1.19));
    QCOMPARE(feed.told(), "slowdown 0-60");
}

void TestIncidentSlowdown::staysOpenAtOnePointTwo()
{
    Feed feed = after(60, 8 * 2.8);
    feed.repeat(300, timed(20, 8 * 1.21));
    QCOMPARE(feed.told(), "slowdown 0-");
    feed.repeat(5, timed(5, 8));
    QCOMPARE(feed.told(), "slowdown 0-");
    feed.repeat(1, timed(5, 8));
    QCOMPARE(feed.told(), "slowdown 0-360");
}

void TestIncidentSlowdown::aSlowDayIsTakenAsUsual()
{
    Feed feed = after(24 * 60 + 2, 8 * 2.8);
    QCOMPARE(feed.told(), "slowdown 0-1442");
    QVERIFY(feed.book.all()[0].events.back().detail.starts_with("unverified"));
    feed.repeat(600, timed(20, 8 * 2.8));
    feed.repeat(600, timed(20, 8));
    QCOMPARE(feed.book.all().size(), 1U);
}

void TestIncidentSlowdown::theSlowdownIsNotItsOwnBaseline()
{
    Feed feed = after(12 * 60, 8 * 1.6);
    feed.repeat(60, timed(20, 8));
    feed.repeat(20, timed(20, 8 * 1.6));
    QCOMPARE(feed.told(), "slowdown 0-720 slowdown 780-");
}

QTEST_APPLESS_MAIN(TestIncidentSlowdown)
#include "tst_incident_slowdown.moc"
