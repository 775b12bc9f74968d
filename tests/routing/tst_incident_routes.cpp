// SPDX-License-Identifier: Apache-2.0
#include "tests/routing/minute_feed.h"

#include <QTest>

using namespace weir;
using namespace weir::routing;

/// A route's bursts of 429s, outages and errors open and close exactly where routing.md section 11
/// says.
class TestIncidentRoutes final : public QObject
{
    Q_OBJECT

private slots:
    void opens_data();
    void opens();
    void burstClosesBelowOnePercentOfTenMinutes();
    void burstStaysOpenAtOnePercent();
    void outageClosesAfterFiveMinutesOfClosedBreaker();
    void errorsCloseBelowFivePercentOfTenMinutes();
    void onsetIsTheFirstBadMinute();
    void twoBurstsTwoHoursApartAreTwo();
    void burstsTwentyMinutesApartAreOne();
    void unseenMinutesCloseNothing();
    void quietRoutesAndBrokenRows();
};

struct Minute
{
    RouteMinute row;
    GateMinute gate{"m", "p", 0, 0, 0};
};

using Minutes = std::vector<Minute>;
Q_DECLARE_METATYPE(Minutes)

void TestIncidentRoutes::opens_data()
{
    QTest::addColumn<Minutes>("minutes");
    QTest::addColumn<QString>("told");
    QTest::newRow("one cut for 429s")
        << Minutes{{calls(9, 0, 1), gate(1)}} << "rate_limit_burst 0-";
    QTest::newRow("cuts for other failures are none")
        << Minutes{{calls(95, 5), {"m", "p", 0, 3, 0}}} << "";
    QTest::newRow("20 429s of 400") << Minutes{{calls(380, 0, 20)}} << "rate_limit_burst 0-";
    QTest::newRow("20 429s of 401") << Minutes{{calls(381, 0, 20)}} << "";
    QTest::newRow("19 429s of 20") << Minutes{{calls(1, 0, 19)}} << "";
    QTest::newRow("20 429s in five minutes")
        << Minutes(5, Minute{calls(16, 0, 4)}) << "rate_limit_burst 0-";
    QTest::newRow("a storm is no outage")
        << Minutes(5, Minute{calls(0, 0, 40)}) << "rate_limit_burst 0-";
    QTest::newRow("breaker open for 59 s") << Minutes{{calls(5), gate(0, 59'999)}} << "";
    QTest::newRow("breaker open for 60 s")
        << Minutes{{calls(5), gate(0, 30'000)}, {calls(1), gate(0, 60'000)}} << "outage 0-";
    QTest::newRow("9 of 20 good") << Minutes{{calls(4, 6)}, {calls(5, 5)}} << "outage 0-";
    QTest::newRow("10 of 20 good") << Minutes{{calls(5, 5)}, {calls(5, 5)}} << "";
    QTest::newRow("9 of 19 good") << Minutes{{calls(4, 5)}, {calls(5, 5)}} << "";
    QTest::newRow("three minutes above 10 %")
        << Minutes(3, Minute{calls(8, 2)}) << "partial_errors 0-";
    QTest::newRow("29 answers") << Minutes{{calls(8, 2)}, {calls(8, 2)}, {calls(7, 2)}} << "";
    QTest::newRow("10 % is not above") << Minutes(30, Minute{calls(90, 10)}) << "";
    QTest::newRow("a good minute between")
        << Minutes{{calls(8, 2)}, {calls(8, 2)}, {calls(9, 1)}, {calls(8, 2)}, {calls(8, 2)}} << "";
}

void TestIncidentRoutes::opens()
{
    QFETCH(Minutes, minutes);
    QFETCH(QString, told);
    Feed feed;
    for (const Minute& minute : minutes)
        feed.feed(minute.row, minute.gate);
    QCOMPARE(feed.told(), told);
}

void TestIncidentRoutes::burstClosesBelowOnePercentOfTenMinutes()
{
    Feed feed;
    feed.feed(calls(60, 0, 40), gate(2));
    feed.feed(calls(60, 0, 40), gate(0));
    feed.repeat(9, calls(100));
    QCOMPARE(feed.told(), "rate_limit_burst 0-");
    feed.feed(calls(100));
    QCOMPARE(feed.told(), "rate_limit_burst 0-2");
    QCOMPARE(feed.changed.size(), 1U);
    QCOMPARE(feed.changed[0].peakMs, kTen);
}

void TestIncidentRoutes::burstStaysOpenAtOnePercent()
{
    Feed feed;
    feed.feed(calls(60, 0, 40), gate(2));
    feed.repeat(60, calls(99, 0, 1));
    QCOMPARE(feed.told(), "rate_limit_burst 0-");
    feed.repeat(1, calls(199, 0, 1));
    QCOMPARE(feed.told(), "rate_limit_burst 0-61");
}

void TestIncidentRoutes::outageClosesAfterFiveMinutesOfClosedBreaker()
{
    Feed feed;
    feed.feed(calls(0, 30), gate(0, 40'000));
    feed.feed(calls(0, 3), gate(0, 100'000));
    feed.repeat(4, calls(100, 5));
    feed.feed(calls(10), gate(0, 1'000));
    feed.repeat(4, calls(100, 5));
    QCOMPARE(feed.told(), "outage 0-");
    feed.feed(calls(100, 5));
    QCOMPARE(feed.told(), "outage 0-7");
}

void TestIncidentRoutes::errorsCloseBelowFivePercentOfTenMinutes()
{
    Feed feed;
    feed.repeat(3, calls(80, 20));
    feed.repeat(9, calls(99, 1));
    QCOMPARE(feed.told(), "partial_errors 0-");
    feed.feed(calls(99, 1));
    QCOMPARE(feed.told(), "partial_errors 0-3");
    feed = {};
    feed.repeat(3, calls(80, 20));
    feed.repeat(40, calls(95, 5));
    QCOMPARE(feed.told(), "partial_errors 0-");
}

void TestIncidentRoutes::onsetIsTheFirstBadMinute()
{
    Feed feed;
    feed.repeat(5, calls(100));
    feed.repeat(2, calls(80, 20));
    QCOMPARE(feed.told(), "");
    feed.feed(calls(80, 20));
    QCOMPARE(feed.told(), "partial_errors 5-");
    QCOMPARE(feed.changed.at(0).detectedMs, kTen + 8 * kMinuteMs);
}

void TestIncidentRoutes::twoBurstsTwoHoursApartAreTwo()
{
    Feed feed;
    for (int burst = 0; burst < 2; ++burst) {
        feed.feed(calls(0, 0, 600), gate(2));
        feed.repeat(4, calls(70, 0, 30));
        feed.repeat(115, calls(600));
    }
    QCOMPARE(feed.told(), "rate_limit_burst 0-5 rate_limit_burst 120-125");
    QVERIFY(feed.book.all()[0].id != feed.book.all()[1].id);
    QVERIFY(feed.book.all()[1].parent.empty());
}

void TestIncidentRoutes::burstsTwentyMinutesApartAreOne()
{
    Feed feed;
    for (int burst = 0; burst < 3; ++burst) {
        feed.feed(calls(0, 0, 600), gate(2));
        feed.repeat(19, calls(6000));
    }
    QCOMPARE(feed.told(), "rate_limit_burst 0-41 x3");
}

void TestIncidentRoutes::unseenMinutesCloseNothing()
{
    Feed feed;
    feed.feed(calls(0, 30), gate(0, 60'000));
    feed.nowMs += 600 * kMinuteMs;
    feed.repeat(4, calls(100));
    QCOMPARE(feed.told(), "outage 0-");
    feed.feed(calls(100));
    QVERIFY(feed.book.open().empty());
}

void TestIncidentRoutes::quietRoutesAndBrokenRows()
{
    Feed feed;
    feed.repeat(30, calls(0));
    RouteMinute broken = calls(-5, -100, -7);
    broken.ttftCalls = -3;
    broken.lnTtftMicro = INT64_MAX;
    feed.repeat(3, broken);
    feed.repeat(60, calls(0));
    QCOMPARE(feed.told(), "");
    QVERIFY(feed.changed.empty());

    RouteMinute absurd = calls(0);
    for (std::int64_t* field :
         {&absurd.calls,
          &absurd.failed,
          &absurd.ttftCalls,
          &absurd.lnTtftMicro,
          &absurd.lnTtftSquareMicro,
          &absurd.divertedCalls,
          &absurd.extraCostMicroUsd}) {
        *field = INT64_MAX;
    }
    for (int i = 0; i < 60; ++i)
        feed.feed(absurd, gate(INT64_MAX, INT64_MAX));
    QVERIFY(feed.told().contains("outage 93-"));
    QVERIFY(feed.book.open().at(0).divertedCalls > 0);
}

QTEST_APPLESS_MAIN(TestIncidentRoutes)
#include "tst_incident_routes.moc"
