// SPDX-License-Identifier: Apache-2.0
#include "agent/fleet/gate_codec.h"
#include "agent/fleet/gate_fields.h"
#include "agent/fleet/message_fields.h"
#include "agent/fleet/packed.h"
#include "common/routing/agent_gate.h"
#include "tests/routing/chance.h"

#include <QTest>

#include <algorithm>
#include <functional>
#include <limits>
#include <type_traits>

using namespace weir;
using namespace weir::fleet;
using namespace weir::routing;
using weir::routing::test::Chance;

namespace {

constexpr std::int64_t kStartMs = 1'796'032'800'000;

/// A route of three agents with all the troubles there are, on its way from second to second.
struct Life
{
    GateParams params{.routeKey = 77, .quota = {.milliRps = 90'000, .tokensPerMinute = 4'000'000}};
    GateState state = newGate(false);
    AccountHold account;
    std::vector<AgentGate> agents;
    std::int64_t nowMs = kStartMs;
    Chance chance{5};
    GateReport lastReport;
    GateReply lastReply;

    Life()
    {
        for (std::uint32_t i = 0; i < 3; ++i)
            agents.emplace_back(0xFFFFFFF0U + i, false, params, nowMs);
    }

    void second()
    {
        nowMs += 1000;
        for (AgentGate& agent : agents) {
            for (std::int64_t i = chance.below(8); i > 0; --i) {
                const std::int64_t at = nowMs - chance.below(1000);
                agent.asked(static_cast<GateClass>(chance.below(4)));
                agent.dispatched(at, chance.below(3000));
                constexpr std::array kOutcomes{
                    Outcome::Ok, Outcome::RateLimited, Outcome::ServerError, Outcome::NoCredit};
                const auto which =
                    static_cast<std::size_t>(chance.below(400) < 300 ? 0 : chance.below(4));
                agent.finished(at, kOutcomes[which], chance.below(2) * 1500, nowMs);
            }
            lastReport = agent.report(nowMs, 20'000);
            lastReply = step(state, account, lastReport, nowMs, params);
            agent.apply(lastReply, nowMs);
        }
    }
};

/// Everything that decoding could confuse shows in what comes next.
void compareNext(GateState first, GateState second, const Life& life)
{
    AccountHold firstAccount = life.account;
    AccountHold secondAccount = life.account;
    for (std::int64_t later = 0; later < 700'000; later += 20'000) {
        GateReport report{.agent = 9, .groupMilliRps = 5000, .sent = 3};
        report.cohorts.push_back(
            {.startMs = life.nowMs + later, .dispatched = 3, .rateLimited = 1});
        QCOMPARE(
            step(first, firstAccount, report, life.nowMs + later, life.params),
            step(second, secondAccount, report, life.nowMs + later, life.params));
    }
}

std::vector<std::string> samples()
{
    Life life;
    for (int i = 0; i < 100; ++i)
        life.second();
    const RouteReport report{"m", false, life.params, life.lastReport};
    const RouteReply reply{"m", life.lastReply, {3, true, false}, 20'000};
    return {
        packed(SharedGate{life.state, {}}),
        packed(life.account),
        packed(ReportMessage{kStartMs, {report, report}}),
        packed(ReplyMessage{3, {reply, reply}})};
}

/// Writes the ends of each field's range into it.
struct Extremes
{
    Chance& chance;

    template <class T>
    void bounded(T& value, std::int64_t least, std::int64_t most)
    {
        const std::array<std::int64_t, 5> values{least, most, 0, most / 2, kStartMs};
        const std::int64_t chosen = values[static_cast<std::size_t>(chance.below(values.size()))];
        value = static_cast<T>(std::clamp(chosen, least, most));
    }

    template <class T>
    void number(T& value)
    {
        constexpr std::int64_t kMost = PackedReader::kNumberMax;
        if constexpr (sizeof(T) < sizeof(std::int64_t)) {
            bounded(value, std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
        } else {
            bounded(value, std::is_signed_v<T> ? -kMost : 0, kMost);
        }
    }

    void wide(std::int64_t& value) { bounded(value, kNeverMs, -kNeverMs); }

    void rate(std::int64_t& value) { bounded(value, 0, kMicroMax); }

    void flag(bool& value) { value = chance.happens(500'000); }

    template <class T>
    void word(T& value, T last)
    {
        value = static_cast<T>(chance.below(static_cast<std::int64_t>(last) + 1));
    }
};

/// How many of the four readers take it.
int readable(const std::string& bytes)
{
    return int{unpackGate(bytes).has_value()} + int{unpackAccount(bytes).has_value()} +
           int{unpackReport(bytes).has_value()} + int{unpackReply(bytes).has_value()};
}

} // namespace

/// What agents put into Redis comes back whole or not at all.
class TestGateCodec final : public QObject
{
    Q_OBJECT

private slots:
    void aGateGoesOnAsIfNothingHadHappened();
    void aNewGateComesBack();
    void messagesComeBack();
    void isSmall();
    void whatIsDamagedIsRefused();
    void whatIsOutOfRangeIsRefused_data();
    void whatIsOutOfRangeIsRefused();
    void whatIsInRangeCanBeStepped();
};

void TestGateCodec::aGateGoesOnAsIfNothingHadHappened()
{
    Life life;
    for (int i = 0; i < 900; ++i) {
        life.second();
        if (i % 90 != 0) continue;
        const SharedGate gate{life.state, {i, i % 2 == 0, i % 2 != 0}};
        const auto read = unpackGate(packed(gate));
        QVERIFY(read);
        QCOMPARE(read->counters, gate.counters);
        QCOMPARE(packed(*read), packed(gate));
        compareNext(read->state, life.state, life);
        QCOMPARE(unpackAccount(packed(life.account)), life.account);
    }
    QVERIFY(life.state.rate.lastCutMs != kNeverMs);
    QVERIFY(life.account.releases > 0 || life.account.holds());
}

void TestGateCodec::aNewGateComesBack()
{
    const auto read = unpackGate(packed(SharedGate{newGate(true), {}}));
    QVERIFY(read);
    QCOMPARE(read->state, newGate(true));
    QCOMPARE(unpackAccount(packed(AccountHold{})), AccountHold{});
}

void TestGateCodec::messagesComeBack()
{
    Life life;
    for (int i = 0; i < 30; ++i)
        life.second();
    life.lastReport.cohorts = {
        {.startMs = kStartMs - 5000,
         .ok = -1,
         .failed = 1,
         .breakerHalves = 2,
         .failedSeconds = 31},
        {.startMs = kStartMs, .dispatched = 1'000'000'000, .neutral = 7}};
    const ReportMessage message{kStartMs, {{"a", true, life.params, life.lastReport}, {}}};
    const auto report = unpackReport(packed(message));
    QVERIFY(report);
    QCOMPARE(packed(*report), packed(message));
    QCOMPARE(report->sentMs, kStartMs);
    QCOMPARE(report->routes.size(), 2U);
    QCOMPARE(report->routes[0].model, std::string{"a"});
    QCOMPARE(report->routes[0].params.quota, life.params.quota);
    QCOMPARE(report->routes[0].report.cohorts, life.lastReport.cohorts);
    const auto reply = unpackReply(packed(ReplyMessage{20, {{"a", life.lastReply, {}, 5}}}));
    QVERIFY(reply);
    QCOMPARE(reply->agents, 20);
    QCOMPARE(reply->routes.at(0).groupMilliRps, 5);
    life.lastReply.events.clear();
    QCOMPARE(reply->routes.at(0).reply, life.lastReply);
}

void TestGateCodec::isSmall()
{
    Life life;
    for (int i = 0; i < 900; ++i)
        life.second();
    QVERIFY(packed(SharedGate{life.state, {}}).size() < 2500);
    QVERIFY(packed(ReportMessage{kStartMs, {{"model", true, {}, life.lastReport}}}).size() < 120);
    QVERIFY(packed(ReplyMessage{20, {{"model", life.lastReply, {}, 5}}}).size() < 100);
}

void TestGateCodec::whatIsDamagedIsRefused()
{
    Chance chance{11};
    for (const std::string& good : samples()) {
        QCOMPARE(readable(good), 1);
        for (std::size_t size = 0; size < good.size(); ++size)
            QCOMPARE(readable(good.substr(0, size)), 0);
        QCOMPARE(readable(good + '\0'), 0);
        for (int i = 0; i < 20'000; ++i) {
            std::string bad = good;
            for (std::int64_t flips = 1 + chance.below(3); flips > 0; --flips) {
                const auto at = static_cast<std::size_t>(chance.below(std::ssize(bad)));
                bad[at] = static_cast<char>(bad[at] ^ (1 << chance.below(8)));
            }
            if (bad != good) QCOMPARE(readable(bad), 0);
        }
    }
}

void TestGateCodec::whatIsOutOfRangeIsRefused_data()
{
    QTest::addColumn<std::function<void(SharedGate&)>>("harm");
    const auto row = [](const char* name, std::function<void(SharedGate&)> harm) {
        QTest::newRow(name) << harm;
    };
    row("rate", [](SharedGate& gate) { gate.state.rate.rateMicro = kMicroMax + 1; });
    row("rate below zero", [](SharedGate& gate) { gate.state.rate.usedMicro = -1; });
    row("opens", [](SharedGate& gate) { gate.state.breaker.opens = 31; });
    row("state", [](SharedGate& gate) { gate.state.breaker.state = static_cast<BreakerState>(3); });
    row("time", [](SharedGate& gate) { gate.state.lastMs = -kNeverMs + 1; });
    row("wants out of order", [](SharedGate& gate) {
        gate.state.wants = {{.agent = 2}, {.agent = 1}};
    });
    row("an agent twice", [](SharedGate& gate) {
        gate.state.wants = {{.agent = 2}, {.agent = 2}};
    });
    row("too many wants", [](SharedGate& gate) {
        for (std::uint32_t agent = 0; agent < 20'000; ++agent)
            gate.state.wants.push_back({.agent = agent, .seenMs = gate.state.lastMs});
    });
    row("cohort", [](SharedGate& gate) {
        gate.state.lastMs = -kNeverMs;
        gate.state.cohorts.buckets[0] = {.startMs = -kNeverMs, .ok = 1};
    });
}

void TestGateCodec::whatIsOutOfRangeIsRefused()
{
    QFETCH(std::function<void(SharedGate&)>, harm);
    SharedGate gate{newGate(true), {}};
    QVERIFY(unpackGate(packed(gate)));
    harm(gate);
    QVERIFY(!unpackGate(packed(gate)));
}

/// With the sanitizers: whoever may write to Redis can do no more than set rates.
void TestGateCodec::whatIsInRangeCanBeStepped()
{
    Chance chance{3};
    Extremes extremes{chance};
    for (int i = 0; i < 3000; ++i) {
        SharedGate gate{newGate(true), {}};
        AccountHold account;
        lastingFields(extremes, gate.state);
        passingFields(extremes, gate.state);
        lastingHoldFields(extremes, account);
        passingHoldFields(extremes, account);
        gate.state.lastMs = kStartMs;
        for (int j = 0; j < 5; ++j) {
            Cohort& cohort = gate.state.cohorts.at(kStartMs - 5000 * chance.below(130));
            extremes.number(cohort.dispatched);
            extremes.number(cohort.ok);
            extremes.number(cohort.rateLimited);
            extremes.number(cohort.breakerHalves);
        }
        auto read = unpackGate(packed(gate));
        const auto hold = unpackAccount(packed(account));
        QVERIFY(read && hold);
        account = *hold;
        for (std::int64_t later = 0; later < 10'000; later += 500) {
            GateReport report;
            reportFields(extremes, report);
            report.cohorts = {{.startMs = kStartMs + later, .dispatched = 5, .failed = 5}};
            const auto again = unpackReport(packed(ReportMessage{0, {{"m", true, {}, report}}}));
            QVERIFY(again);
            const GateReply reply =
                step(read->state, account, again->routes[0].report, kStartMs + later, {});
            QVERIFY(reply.permittedMilliRps >= 0);
        }
    }
}

QTEST_APPLESS_MAIN(TestGateCodec)
#include "tst_gate_codec.moc"
