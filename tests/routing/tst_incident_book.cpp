// SPDX-License-Identifier: Apache-2.0
#include "common/routing/minute_facts_builder.h"
#include "tests/routing/minute_feed.h"

#include <QTest>

#include <algorithm>

using namespace weir;
using namespace weir::routing;

namespace {

/// A mixed story of 200 minutes and two providers, for the properties.
std::vector<MinuteFacts> story()
{
    std::vector<MinuteFacts> minutes;
    for (int i = 0; i < 200; ++i) {
        MinuteFacts facts;
        facts.startMs = kTen + i * kMinuteMs;
        for (const char* provider : {"p", "q", "r"}) {
            for (const char* type : {"t", "u"}) {
                RouteMinute row = timed(20 + i % 3, 8);
                if (*provider == 'p' && i >= 120 && i < 150) row = timed(20, 30);
                if (*provider == 'q' && i >= 60 && i < 70) row = calls(10, 0, 10);
                if (*provider == 'p' && i >= 122 && i < 135) row.failed = row.calls += 25;
                row.provider = provider;
                row.taskType = type;
                row.divertedCalls = *provider == 'p' && i >= 120 ? 3 : 0;
                row.extraCostMicroUsd = i;
                facts.routes.push_back(row);
            }
            facts.gates.push_back({"m", provider, *provider == 'q' && i == 61 ? 1 : 0, 0, 0});
            facts.accounts.push_back({provider, *provider == 'r' && i / 5 == 20, false});
        }
        if (i == 125) facts.leaderChanges.push_back({"m", "t", "p", "q", LeaderCause::Slow});
        if (i == 125) facts.leaderChanges.push_back({"m", "u", "p", "r", LeaderCause::Slow});
        if (i == 170) facts.leaderChanges.push_back({"m", "t", "q", "p", LeaderCause::Score});
        facts.fleet = {i > 150 ? (i - 150) * kMinuteMs : 0, 10, i == 30 ? 3 : 0, i == 31};
        minutes.push_back(facts);
    }
    return minutes;
}

std::vector<std::vector<Incident>> run(IncidentBook& book, const std::vector<MinuteFacts>& minutes)
{
    std::vector<std::vector<Incident>> changes;
    for (const MinuteFacts& minute : minutes)
        changes.push_back(book.advance(minute));
    return changes;
}

} // namespace

class TestIncidentBook final : public QObject
{
    Q_OBJECT

private slots:
    void creditBelongsToTheAccount();
    void authNeedsTwo();
    void staleSummaryOpensAtFifteenMinutes();
    void localGatesOpenAboveAFifth();
    void flapping();
    void raisedTroubles();
    void countsFromTheOnset();
    void eventsAreBounded();
    void runningAgainGivesTheSame();
    void orderOfRowsDoesNotMatter();
    void aShiftShiftsEverything();
    void goesOnAfterARestart();
    void countsCallsByClass();
};

void TestIncidentBook::creditBelongsToTheAccount()
{
    Feed feed;
    MinuteFacts held;
    held.routes = {calls(0), calls(0)};
    held.routes[1].model = "other";
    held.routes[0].credit = 3;
    held.accounts.push_back({"p", true, false});
    feed.feed(held);
    held.routes[0].credit = 1;
    for (int i = 0; i < 180; ++i)
        feed.feed(held);
    QCOMPARE(feed.told(), "credit_exhausted 0-");
    QCOMPARE(feed.book.open()[0].key, std::string{"p"});
    feed.feed(calls(30));
    QCOMPARE(feed.told(), "credit_exhausted 0-181");
}

void TestIncidentBook::authNeedsTwo()
{
    Feed feed;
    RouteMinute once = calls(5);
    once.auth = 1;
    feed.feed(once);
    feed.feed(calls(5));
    QCOMPARE(feed.told(), "");
    feed.feed(once);
    feed.feed(once);
    QCOMPARE(feed.told(), "auth 2-");
    RouteMinute silent = calls(0);
    feed.repeat(9, silent);
    QCOMPARE(feed.told(), "auth 2-");
    feed.feed(silent);
    QCOMPARE(feed.told(), "auth 2-4");
}

void TestIncidentBook::staleSummaryOpensAtFifteenMinutes()
{
    Feed feed;
    const auto age = [&feed](int minutes) {
        MinuteFacts facts;
        facts.fleet.summaryAgeMs = minutes * kMinuteMs;
        feed.feed(facts);
    };
    for (int minute = 0; minute <= 15; ++minute)
        age(minute);
    QCOMPARE(feed.told(), "");
    age(16);
    QCOMPARE(feed.told(), "stale_summary 11-");
    QCOMPARE(feed.book.open()[0].detectedMs, kTen + 17 * kMinuteMs);
    for (int minute = 0; minute < 5; ++minute)
        age(minute);
    QCOMPARE(feed.told(), "stale_summary 11-");
    age(0);
    QCOMPARE(feed.told(), "stale_summary 11-22");
}

void TestIncidentBook::localGatesOpenAboveAFifth()
{
    Feed feed;
    const auto local = [&feed](std::int64_t agents, bool emptied = false) {
        MinuteFacts facts;
        facts.fleet = {-1, 10, agents, emptied};
        feed.feed(facts);
    };
    local(2);
    QCOMPARE(feed.told(), "");
    local(3);
    QCOMPARE(feed.told(), "gate_local 0-");
    local(1);
    local(0, true);
    local(0);
    QCOMPARE(feed.told(), "gate_local 0-3 redis_empty 3-4");
    QCOMPARE(groups(feed.book), "gate_local<redis_empty redis_empty");
}

void TestIncidentBook::flapping()
{
    Feed feed;
    const auto change = [&feed](const char* from, const char* to) {
        MinuteFacts facts = minuteOf(calls(10));
        facts.leaderChanges.push_back({"m", "t", from, to, LeaderCause::Score});
        feed.feed(facts);
    };
    change("p", "q");
    feed.repeat(28, calls(10));
    change("q", "p");
    feed.repeat(30, calls(10));
    change("p", "q");
    QCOMPARE(feed.told(), ""); // the first one is 60 minutes ago
    feed.repeat(20, calls(10));
    change("q", "p");
    QCOMPARE(feed.told(), "flapping 29-");
    feed.repeat(119, calls(10));
    QCOMPARE(feed.book.open().size(), 1U);
    feed.repeat(1, calls(10));
    QCOMPARE(feed.told(), "flapping 29-82");
}

void TestIncidentBook::raisedTroubles()
{
    Feed feed;
    MinuteFacts facts = minuteOf(calls(10));
    facts.raised.push_back({IncidentKind::PriceDrift, "", "", "p", "billed 5.2 % more"});
    facts.raised.push_back({IncidentKind::Outage, "m", "", "p", "not for others to say"});
    feed.feed(facts);
    feed.feed(facts);
    QCOMPARE(feed.told(), "price_drift 0-");
    feed.feed(calls(10));
    QCOMPARE(feed.told(), "price_drift 0-2");
    QCOMPARE(feed.book.all()[0].key, std::string{"p"});
}

void TestIncidentBook::countsFromTheOnset()
{
    Feed feed;
    RouteMinute row = calls(8, 2);
    row.divertedCalls = 5;
    row.userFailures = 1;
    row.extraCostMicroUsd = 100;
    RouteMinute before = calls(10);
    before.divertedCalls = 1000;
    feed.feed(before);
    feed.repeat(4, row);
    const Incident incident = feed.book.open().at(0);
    QCOMPARE(incident.divertedCalls, 20);
    QCOMPARE(incident.userFailures, 4);
    QCOMPARE(incident.extraCostMicroUsd, 400);
}

void TestIncidentBook::eventsAreBounded()
{
    Feed feed;
    for (int i = 0; i < 500; ++i)
        feed.feed(calls(50, 0, 50), gate(1));
    const Incident incident = feed.book.open().at(0);
    QCOMPARE(incident.events.size(), IncidentCases::kEventsMax);
    QCOMPARE(incident.events.front().kind, std::string{"onset"});
    QCOMPARE(incident.events.back().atMs, feed.nowMs - kMinuteMs);
}

void TestIncidentBook::runningAgainGivesTheSame()
{
    IncidentBook first;
    IncidentBook second;
    const auto changes = run(first, story());
    QVERIFY(changes == run(second, story()));
    QCOMPARE(
        groups(first),
        "gate_local<redis_empty redis_empty rate_limit_burst credit_exhausted slowdown<outage "
        "slowdown<outage outage partial_errors<outage demotion<outage demotion<outage "
        "stale_summary");
    QVERIFY(second.advance(story().back()).empty());
    QVERIFY(first.all() == second.all());
    IncidentBook copy = first;
    QVERIFY(copy.all() == first.all());
}

void TestIncidentBook::orderOfRowsDoesNotMatter()
{
    IncidentBook straight;
    IncidentBook turned;
    std::vector<MinuteFacts> minutes = story();
    const auto changes = run(straight, minutes);
    int by = 0;
    for (MinuteFacts& minute : minutes) {
        std::rotate(minute.routes.begin(), minute.routes.begin() + by++ % 6, minute.routes.end());
        std::reverse(minute.gates.begin(), minute.gates.end());
        std::reverse(minute.accounts.begin(), minute.accounts.end());
        std::reverse(minute.leaderChanges.begin(), minute.leaderChanges.end());
    }
    QVERIFY(changes == run(turned, minutes));
}

void TestIncidentBook::aShiftShiftsEverything()
{
    constexpr std::int64_t kShift = -(17 * 60 + 23) * 1000;
    IncidentBook here;
    IncidentBook there;
    std::vector<MinuteFacts> minutes = story();
    run(here, minutes);
    for (MinuteFacts& minute : minutes)
        minute.startMs += kShift;
    run(there, minutes);
    std::vector<Incident> back = there.all();
    const std::vector<Incident> all = here.all();
    QCOMPARE(back.size(), all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        Incident& incident = back[i];
        QCOMPARE(incident.parent.empty(), all[i].parent.empty());
        incident.id = all[i].id;
        incident.parent = all[i].parent;
        for (std::int64_t* at : {&incident.onsetMs, &incident.detectedMs, &incident.peakMs})
            *at -= kShift;
        if (incident.endMs) *incident.endMs -= kShift;
        for (IncidentEvent& event : incident.events)
            event.atMs -= kShift;
        QVERIFY(incident == all[i]);
    }
}

void TestIncidentBook::goesOnAfterARestart()
{
    Feed before;
    before.repeat(3, calls(0, 30));
    Feed after;
    after.book.adopt(before.book.all());
    after.nowMs = before.nowMs + 40 * kMinuteMs;
    after.feed(calls(0, 30));
    QCOMPARE(after.told(), "outage 0- partial_errors 0-");
    QCOMPARE(after.book.open()[0].id, before.book.open()[0].id);
    after.repeat(20, calls(100));
    QCOMPARE(after.told(), "outage 0-44 partial_errors 0-44");
    Feed silent;
    silent.book.adopt(before.book.all());
    silent.nowMs = before.nowMs;
    for (int i = 0; i < 10; ++i)
        silent.feed(MinuteFacts{});
    QVERIFY(silent.book.open().empty());
}

void TestIncidentBook::countsCallsByClass()
{
    MinuteFactsBuilder builder;
    CallFact fact;
    fact.ttftUs = 2'000'000;
    countCall(builder.route("m", "t", "p"), fact);
    fact.inputUncached = 10;
    fact.inputCached = 90;
    countCall(builder.route("m", "t", "p"), fact); // mostly cached: tells no TTFT
    fact = {};
    fact.outcome = Outcome::TtftTimeout;
    fact.durationUs = 60'000'000;
    countCall(builder.route("m", "t", "p"), fact);
    for (const Outcome outcome :
         {Outcome::RateLimited,
          Outcome::NoCredit,
          Outcome::Auth,
          Outcome::BadRequest,
          Outcome::ClientCancelled,
          Outcome::StreamBroken}) {
        fact.outcome = outcome;
        countCall(builder.route("m", "t", "p"), fact);
    }
    const MinuteFacts facts = builder.take(kTen);
    QCOMPARE(facts.routes.size(), 1U);
    const RouteMinute& row = facts.routes[0];
    QCOMPARE(row.calls, 9);
    QCOMPARE(row.successes, 2);
    QCOMPARE(row.failed, 2);
    QCOMPARE(row.rateLimited, 1);
    QCOMPARE(row.credit, 1);
    QCOMPARE(row.auth, 1);
    QCOMPARE(row.neutral, 2);
    QCOMPARE(row.ttftCalls, 2);
    QCOMPARE(row.lnTtftMicro, std::llround((std::log(2e6) + std::log(6e7)) * 1e6));
    QVERIFY(builder.take(kTen).routes.empty());
}

QTEST_APPLESS_MAIN(TestIncidentBook)
#include "tst_incident_book.moc"
