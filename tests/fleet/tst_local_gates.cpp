// SPDX-License-Identifier: Apache-2.0
#include "agent/fleet/gate_text.h"
#include "agent/fleet/local_gates.h"

#include <QTest>

using namespace std::chrono_literals;
using namespace weir;
using namespace weir::fleet;

namespace {

constexpr UtcTime kUtc = fromEpochMs(1'796'032'800'000);
const RouteStates::Key kKey{"m", "p"};

Instant at(Duration sinceStart)
{
    return Instant{1000s + sinceStart};
}

/// An agent whose workers send requests while its gates are asked four times a second.
struct World
{
    RouteStates states{{}, at(0s), kUtc};
    std::shared_ptr<RouteState> route = states.of("m", "p", at(0s));
    LocalGates gates{states};
    Duration now{0};

    void attempt(Outcome outcome)
    {
        states.requestsOf("m")->fetch_add(1);
        route->asked(GateClass::Fresh);
        RouteState::Flight flight(*route, at(now));
        flight.ended(outcome, 0ms, at(now + 50ms));
    }

    /// `perSecond` attempts a second for so long.
    void run(Duration length, int perSecond, Outcome outcome)
    {
        const Duration end = now + length;
        const Duration gap = Duration{1s} / perSecond;
        Duration nextExchange = now;
        for (; now < end; now += gap) {
            attempt(outcome);
            if (now < nextExchange) continue;
            gates.exchange(at(now));
            nextExchange = now + 250ms;
        }
    }

    GateView view() { return route->view(at(now)); }
};

} // namespace

class TestLocalGates final : public QObject
{
    Q_OBJECT

private slots:

    void countsFlights()
    {
        World world;
        QVERIFY(!world.route->used());
        {
            const RouteState::Flight one(*world.route, at(0s));
            const RouteState::Flight two(*world.route, at(0s));
            QCOMPARE(world.route->inFlight(), 2);
        }
        QCOMPARE(world.route->inFlight(), 0);
        QVERIFY(world.route->used());
        QCOMPARE(world.states.of("m", "p", at(9s)), world.route);
        QVERIFY(world.states.of("m", "q", at(9s))->id() != world.route->id());
    }

    void aDeadRouteOpensItsBreakerAndAnAnswerThatBreaksCounts()
    {
        World world;
        world.run(10s, 5, Outcome::Ok);
        QCOMPARE(world.view().breaker, BreakerState::Closed);
        world.run(8s, 5, Outcome::ServerError);
        QCOMPARE(world.view().breaker, BreakerState::Open);
        QVERIFY(world.view().recoversInMs > 0);
        const auto gauge = world.gates.gauges(at(world.now)).at(kKey);
        QCOMPARE(gauge.view.breaker, BreakerState::Open);
    }

    void aBurstCutsTheRateAndIsCounted()
    {
        World world;
        world.run(30s, 20, Outcome::Ok);
        const std::int64_t before = world.view().permittedMilliRps;
        world.run(15s, 20, Outcome::RateLimited);
        const auto gauge = world.gates.gauges(at(world.now)).at(kKey);
        QVERIFY(gauge.cuts > 0);
        QVERIFY(gauge.cut);
        QVERIFY(gauge.view.permittedMilliRps < before);
        QCOMPARE(gauge.view.breaker, BreakerState::Closed);
    }

    /// Two refusals for lack of credit hold every route of the provider; who has another is not
    /// asked to wait.
    void noCreditHoldsAllRoutesOfTheAccount()
    {
        World world;
        const auto sibling = world.states.of("other", "p", at(0s));
        const auto stranger = world.states.of("other", "q", at(0s));
        world.run(5s, 5, Outcome::Ok);
        world.run(2s, 5, Outcome::NoCredit);
        QCOMPARE(world.view().hold, HoldKind::Credit);
        QCOMPARE(sibling->view(at(world.now)).hold, HoldKind::Credit);
        QCOMPARE(stranger->view(at(world.now)).hold, HoldKind::None);
    }

    void anUnknownRouteStartsSlowlyAndAKnownOneDoesNot()
    {
        World fresh;
        fresh.run(10s, 20, Outcome::Ok);
        World known;
        known.gates.restore({{"m", "p", "nonsense"}}, at(0s));
        known.run(10s, 20, Outcome::Ok);
        QVERIFY(known.view().permittedMilliRps >= 4 * fresh.view().permittedMilliRps);
    }

    void atTheVeryFirstStartNothingStartsSlowly()
    {
        World first;
        first.gates.restore({}, at(0s));
        first.run(10s, 20, Outcome::Ok);
        QVERIFY(first.view().permittedMilliRps >= 10'000);
        QVERIFY(first.view().aboveFloor);
        // One that comes to a model with known ones does.
        World later;
        later.gates.restore({{"m", "other", "nonsense"}}, at(0s));
        later.run(10s, 20, Outcome::Ok);
        QVERIFY(later.view().permittedMilliRps < 5'000);
    }

    /// What a restart must not forget: rate, breaker, and the hold of the account.
    void goesOnAfterARestart()
    {
        World before;
        before.run(30s, 20, Outcome::Ok);
        before.run(15s, 20, Outcome::RateLimited);
        before.run(2s, 20, Outcome::NoCredit);
        const std::int64_t rate = before.view().permittedMilliRps;
        World after;
        after.now = before.now;
        after.gates.restore(before.gates.save(), at(after.now));
        after.gates.exchange(at(after.now));
        QCOMPARE(after.view().hold, HoldKind::Credit);
        QVERIFY(after.view().permittedMilliRps <= rate * 11 / 10);
        QVERIFY(after.view().permittedMilliRps >= rate * 9 / 10);
        World broken;
        broken.run(20s, 10, Outcome::Reset);
        QCOMPARE(broken.view().breaker, BreakerState::Open);
        World restarted;
        restarted.now = broken.now;
        restarted.gates.restore(broken.gates.save(), at(restarted.now));
        restarted.gates.exchange(at(restarted.now));
        QCOMPARE(restarted.view().breaker, BreakerState::Open);
    }

    void savesOnlyRoutesThatWereUsed()
    {
        World world;
        static_cast<void>(world.states.of("m", "idle", at(0s)));
        world.run(1s, 5, Outcome::Ok);
        const std::vector<SavedGate> saved = world.gates.save();
        QCOMPARE(saved.size(), 1U);
        QCOMPARE(saved[0].provider, std::string{"p"});
    }

    void refusesWhatIsNoState()
    {
        World world;
        world.run(5s, 5, Outcome::Ok);
        const std::string good = world.gates.save().front().state;
        routing::GateState state;
        routing::AccountHold account;
        QVERIFY(decodeGate(good, state, account));
        QCOMPARE(encodeGate(state, account), good);
        for (const std::string& bad :
             {std::string{},
              std::string{"gate1"},
              good + " 1",
              "gate2" + good.substr(5),
              good.substr(0, good.size() - 2),
              "gate1 9" + good.substr(5)}) {
            QCOMPARE(decodeGate(bad, state, account).error().code, std::string{"bad_gate_state"});
        }
        QCOMPARE(encodeGate(state, account), good);
    }
};

QTEST_APPLESS_MAIN(TestLocalGates)
#include "tst_local_gates.moc"
