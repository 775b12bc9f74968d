// SPDX-License-Identifier: Apache-2.0
#include "tests/routing/minute_feed.h"

#include <QTest>

using namespace weir;
using namespace weir::routing;

class TestIncidentGroups final : public QObject
{
    Q_OBJECT

private slots:
    void outageHeadsItsErrorsAndSlowdown();
    void otherProvidersAreOtherGroups();
    void leaderChangesAttach();
    void aScoreOrAGateIsNoDemotion();
};

void TestIncidentGroups::outageHeadsItsErrorsAndSlowdown()
{
    Feed feed;
    feed.repeat(600, timed(20, 3));
    const std::int64_t start = feed.nowMs;
    RouteMinute buckled = timed(12, 90);
    buckled.failed = 10;
    for (int i = 0; i < 6; ++i)
        feed.feed(buckled);
    feed.feed(buckled, gate(0, 60'000));
    QCOMPARE(groups(feed.book), "slowdown<outage partial_errors<outage outage");
    for (const Incident& incident : feed.book.open())
        QVERIFY(std::abs(incident.onsetMs - start) <= 2 * kMinuteMs || incident.onsetMs > start);
}

void TestIncidentGroups::otherProvidersAreOtherGroups()
{
    Feed feed;
    MinuteFacts facts;
    facts.routes = {calls(0, 0, 50), calls(0, 0, 50)};
    facts.routes[1].provider = "q";
    feed.feed(facts);
    QCOMPARE(groups(feed.book), "rate_limit_burst rate_limit_burst");
    feed.repeat(10, calls(0, 30));
    QCOMPARE(
        groups(feed.book), "rate_limit_burst<outage rate_limit_burst outage partial_errors<outage");
    feed.repeat(40, calls(500));
    feed.feed(calls(0, 0, 500));
    QVERIFY(groups(feed.book).endsWith("partial_errors<outage rate_limit_burst"));
}

void TestIncidentGroups::leaderChangesAttach()
{
    Feed feed;
    feed.repeat(600, timed(20, 3));
    feed.repeat(4, timed(20, 12));
    feed.repeat(20, timed(20, 12));
    MinuteFacts facts = minuteOf(timed(20, 12));
    facts.leaderChanges.push_back({"m", "t", "p", "q", LeaderCause::Slow});
    feed.feed(facts);
    QCOMPARE(groups(feed.book), "slowdown demotion<slowdown");
    QCOMPARE(feed.changed.size(), 2U);
    QVERIFY(feed.book.all()[1].endMs.has_value());
    feed.repeat(30, timed(20, 3));
    facts = minuteOf(timed(20, 3));
    facts.leaderChanges.push_back({"m", "t", "q", "p", LeaderCause::Score});
    feed.feed(facts);
    const Incident slow = feed.book.all()[0];
    QCOMPARE(slow.events.back().kind, std::string{"leader_return"});
    QCOMPARE(slow.events.back().detail, std::string{"m/t: q -> p (score)"});
}

void TestIncidentGroups::aScoreOrAGateIsNoDemotion()
{
    for (const LeaderCause cause : {LeaderCause::Score, LeaderCause::Gate, LeaderCause::Start}) {
        Feed feed;
        feed.feed(calls(0, 0, 50));
        MinuteFacts facts = minuteOf(calls(0, 0, 50));
        facts.leaderChanges.push_back({"m", "t", "p", "q", cause});
        feed.feed(facts);
        QCOMPARE(feed.told(), "rate_limit_burst 0-");
        QCOMPARE(feed.book.all()[0].events.back().kind, std::string{"leader_change"});
    }
}

QTEST_APPLESS_MAIN(TestIncidentGroups)
#include "tst_incident_groups.moc"
