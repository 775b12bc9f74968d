// SPDX-License-Identifier: Apache-2.0
#include "tests/routing/decision_text.h"

#include <QTest>

using namespace weir;
using namespace weir::routing;
using namespace weir::routing::test;

namespace {

/// Three routes: a leads, b is nearly as good, c is cheap and far too slow.
struct World
{
    PoolSummary summary = pool(
        {figures("a", 1000, 10'000'000),
         figures("b", 1100, 10'000'000),
         figures("c", 300, 100'000'000)},
        "a");
    std::vector<std::string> providers = names(3);

    [[nodiscard]] Decision decide(const DecisionInput& input) const
    {
        return routing::decide(PoolView(summary, providers), input);
    }
};

} // namespace

class TestDecide final : public QObject
{
    Q_OBJECT

private slots:
    void theLeaderServesAndTheOthersFollowByScore();
    void aSlowRouteIsLastHoweverCheap();
    void excludedRoutesAreNeverCandidates();
    void overItsRateItSpills();
    void aBrokenOrHeldLeaderFailsOver_data();
    void aBrokenOrHeldLeaderFailsOver();
    void halfOpenServesOnlyWhatMayFailOver();
    void aHoldIsProbedByWhatMayFailOver();
    void theListIsNeverEmpty();
    void pins_data();
    void pins();
    void singleShotGoesToItsOrigin();
    void singleShotNeverExploresNorFailsOver();
    void theCallersOwnChoice_data();
    void theCallersOwnChoice();
    void nothingKnownIsTheConfiguredOrder();
    void theLeaderMayBeIneligible();
    void classesOfTheGate();
};

void TestDecide::theLeaderServesAndTheOthersFollowByScore()
{
    const Decision decision = World{}.decide(request(3));
    QCOMPARE(spoken(decision), "a:leader b:failover c:failover");
    QCOMPARE(codes(decision), "a:best b:failover c:slow3x");
    QCOMPARE(decision.scores[0], 1'000'000'000);
    // 0.7 * 1000 / 1100 + 0.3
    QCOMPARE(decision.scores[1], 936'363'636);
    QCOMPARE(decision.askedMask, 0b001U);
    QCOMPARE(decision.propensityPpm, 1'000'000);
}

void TestDecide::aSlowRouteIsLastHoweverCheap()
{
    World world;
    world.summary.routes[2].costNanoUsd = 1;
    QCOMPARE(spoken(world.decide(request(3))), "a:leader b:failover c:failover");
    // It serves where nobody else may, and is then no longer slow: there is nothing faster.
    DecisionInput input = request(3);
    input.routes[0].exclusion = input.routes[1].exclusion = Exclusion::Region;
    QCOMPARE(spoken(world.decide(input)), "c:leader");
}

void TestDecide::excludedRoutesAreNeverCandidates()
{
    World world;
    for (const Exclusion why : {Exclusion::Disabled, Exclusion::Region, Exclusion::Caller}) {
        DecisionInput input = request(3);
        input.explorable = true;
        input.pin = 0;
        input.preferred = {0};
        input.routes[0].exclusion = why;
        for (auto& route : input.routes)
            route.gate.hold = HoldKind::Credit;
        const Decision decision = world.decide(input);
        QCOMPARE(decision.candidates.size(), 2U);
        QCOMPARE(decision.codes[0], ReasonCode::Ineligible);
        QCOMPARE(decision.eligibleMask, 0b110U);
        for (const Candidate& candidate : decision.candidates)
            QVERIFY(candidate.route != 0);
    }
}

void TestDecide::overItsRateItSpills()
{
    World world;
    DecisionInput input = request(3);
    input.routes[0].gate.admitPpm = {0, 0, 0, 0};
    Decision decision = world.decide(input);
    QCOMPARE(spoken(decision), "b:spill c:failover a:last-resort");
    QCOMPARE(decision.codes[0], ReasonCode::OverRate);
    QCOMPARE(decision.askedMask, 0b011U);
    QCOMPARE(decision.heldMask, 0U);

    input.routes[0].gate.capMilliRps = 10;
    input.routes[0].gate.permittedMilliRps = 20;
    QCOMPARE(world.decide(input).codes[0], ReasonCode::Cap);

    DecisionInput guarded = request(3);
    guarded.routes[0].gate.guardOpen = false;
    QCOMPARE(spoken(world.decide(guarded)), "b:spill c:failover a:last-resort");
}

void TestDecide::aBrokenOrHeldLeaderFailsOver_data()
{
    QTest::addColumn<int>("breaker");
    QTest::addColumn<int>("hold");
    QTest::addColumn<int>("mode");
    QTest::addColumn<QString>("says");
    QTest::addColumn<QString>("code");
    const int adaptive = static_cast<int>(EffectiveMode::Adaptive);
    const int fixed = static_cast<int>(EffectiveMode::Fixed);
    const int open = static_cast<int>(BreakerState::Open);
    const auto hold = [](HoldKind kind) { return static_cast<int>(kind); };
    QTest::newRow("open") << open << 0 << adaptive << "b:failover c:failover a:last-resort"
                          << "breaker";
    QTest::newRow("credit") << 0 << hold(HoldKind::Credit) << adaptive
                            << "b:failover c:failover a:last-resort"
                            << "hold_credit";
    QTest::newRow("auth") << 0 << hold(HoldKind::Auth) << adaptive
                          << "b:failover c:failover a:last-resort"
                          << "hold_auth";
    QTest::newRow("retry-after") << 0 << hold(HoldKind::RetryAfter) << adaptive
                                 << "b:failover c:failover a:last-resort"
                                 << "hold_retry_after";
    QTest::newRow("open, fixed order")
        << open << 0 << fixed << "b:failover c:failover a:last-resort"
        << "breaker";
}

void TestDecide::aBrokenOrHeldLeaderFailsOver()
{
    QFETCH(int, breaker);
    QFETCH(int, hold);
    QFETCH(int, mode);
    QFETCH(QString, says);
    QFETCH(QString, code);
    DecisionInput input = request(3);
    input.mode = static_cast<EffectiveMode>(mode);
    input.routes[0].gate.breaker = static_cast<BreakerState>(breaker);
    input.routes[0].gate.hold = static_cast<HoldKind>(hold);
    const Decision decision = World{}.decide(input);
    QCOMPARE(spoken(decision), says);
    QCOMPARE(QString::fromStdString(std::string(toWord(decision.codes[0]))), code);
    QCOMPARE(decision.heldMask, 0b001U);
}

void TestDecide::halfOpenServesOnlyWhatMayFailOver()
{
    World world;
    DecisionInput input = request(3);
    input.routes[0].gate.breaker = BreakerState::HalfOpen;
    QCOMPARE(spoken(world.decide(input)), "b:failover c:failover a:last-resort");
    input.routes[0].gate.probeFree = true;
    QCOMPARE(spoken(world.decide(input)), "a:leader b:failover c:failover");
    input.mode = EffectiveMode::Fixed;
    const Decision probe = world.decide(input);
    QCOMPARE(spoken(probe), "a:fixed b:failover c:failover");
    QCOMPARE(probe.codes[0], ReasonCode::Probe);
    input.singleShot = true;
    QCOMPARE(spoken(world.decide(input)), "b:single-shot");
    input.singleShot = false;
    input.routes[1].exclusion = input.routes[2].exclusion = Exclusion::Terms;
    QCOMPARE(spoken(world.decide(input)), "a:last-resort");
}

/// Credit that is back shows in an answer alone: without probes a hold would never end.
void TestDecide::aHoldIsProbedByWhatMayFailOver()
{
    World world;
    DecisionInput input = request(3);
    input.routes[0].gate.hold = HoldKind::Credit;
    QCOMPARE(spoken(world.decide(input)), "b:failover c:failover a:last-resort");
    input.routes[0].gate.probeFree = true;
    const Decision probe = world.decide(input);
    QCOMPARE(spoken(probe), "a:leader b:failover c:failover");
    QCOMPARE(probe.codes[0], ReasonCode::Probe);
    input.singleShot = true;
    QCOMPARE(spoken(world.decide(input)), "b:single-shot");
    input.singleShot = false;
    input.routes[1].exclusion = input.routes[2].exclusion = Exclusion::Terms;
    QCOMPARE(spoken(world.decide(input)), "a:last-resort");
}

void TestDecide::theListIsNeverEmpty()
{
    World world;
    DecisionInput input = request(3);
    input.routes[0].gate.breaker = BreakerState::Open;
    input.routes[0].gate.recoversInMs = 9000;
    input.routes[1].gate.hold = HoldKind::RetryAfter;
    input.routes[1].gate.recoversInMs = 2000;
    input.routes[2].gate.admitPpm = {0, 0, 0, 0};
    const Decision decision = world.decide(input);
    QCOMPARE(spoken(decision), "c:last-resort b:last-resort a:last-resort");
    QCOMPARE(decision.candidates[0].code, ReasonCode::ForcedOverrun);
}

void TestDecide::pins_data()
{
    QTest::addColumn<int>("change");
    QTest::addColumn<QString>("says");
    QTest::newRow("holds") << 0 << "b:pinned a:failover c:failover";
    QTest::newRow("breaks for a hold") << 1 << "a:leader c:failover b:last-resort";
    QTest::newRow("breaks for a breaker") << 2 << "a:leader c:failover b:last-resort";
    QTest::newRow("breaks for slowness") << 3 << "a:leader b:failover c:failover";
    QTest::newRow("explored: not for slowness") << 4 << "c:pinned a:failover b:failover";
    QTest::newRow("spills over its rate") << 5 << "a:spill c:failover b:last-resort";
    QTest::newRow("not in the fixed order") << 6 << "a:fixed b:failover c:failover";
}

void TestDecide::pins()
{
    QFETCH(int, change);
    QFETCH(QString, says);
    DecisionInput input = request(3);
    input.pin = 1;
    if (change == 1) input.routes[1].gate.hold = HoldKind::RetryAfter;
    if (change == 2) input.routes[1].gate.breaker = BreakerState::Open;
    if (change == 3 || change == 4) input.pin = 2;
    input.pinExplored = change == 4;
    if (change == 5) input.routes[1].gate.admitPpm = {0, 0, 0, 0};
    if (change == 6) input.mode = EffectiveMode::Shadow;
    QCOMPARE(spoken(World{}.decide(input)), says);
}

void TestDecide::singleShotGoesToItsOrigin()
{
    World world;
    DecisionInput input = request(3);
    input.singleShot = true;
    input.origin = 1;
    QCOMPARE(spoken(world.decide(input)), "b:single-shot");
    // Nobody else can continue: neither rate nor hold nor the switch moves it.
    input.routes[1].gate.hold = HoldKind::RetryAfter;
    input.routes[1].gate.admitPpm = {0, 0, 0, 0};
    QCOMPARE(spoken(world.decide(input)), "b:single-shot");
    input.mode = EffectiveMode::Fixed;
    QCOMPARE(spoken(world.decide(input)), "b:single-shot");
    input.mode = EffectiveMode::Adaptive;
    input.origin.reset();
    QCOMPARE(spoken(world.decide(input)), "a:single-shot");
    input.routes[0].gate.breaker = BreakerState::Open;
    QCOMPARE(spoken(world.decide(input)), "c:single-shot");
}

/// B159.
void TestDecide::singleShotNeverExploresNorFailsOver()
{
    const World world;
    for (std::uint64_t task = 0; task < 20'000; ++task) {
        DecisionInput input = request(3, task);
        input.explorable = true;
        input.singleShot = true;
        const Decision decision = world.decide(input);
        QCOMPARE(decision.candidates.size(), 1U);
        QVERIFY(decision.gateClass != GateClass::Explore && !decision.exploreArm);
    }
}

void TestDecide::theCallersOwnChoice_data()
{
    QTest::addColumn<int>("sort");
    QTest::addColumn<int>("preferred");
    QTest::addColumn<QString>("says");
    QTest::newRow("price") << 1 << -1 << "c:override a:failover b:failover";
    QTest::newRow("speed") << 2 << -1 << "a:override b:failover c:failover";
    QTest::newRow("own order") << 0 << 1 << "b:override a:failover c:failover";
    QTest::newRow("own order, then price") << 1 << 1 << "b:override c:failover a:failover";
}

void TestDecide::theCallersOwnChoice()
{
    QFETCH(int, sort);
    QFETCH(int, preferred);
    QFETCH(QString, says);
    DecisionInput input = request(3);
    input.explorable = true;
    input.pin = 0;
    input.sort = static_cast<SortBy>(sort);
    if (preferred >= 0) input.preferred = {static_cast<std::uint8_t>(preferred)};
    input.routes[0].listPriceNanoUsd = 800;
    input.routes[1].listPriceNanoUsd = 900;
    input.routes[2].listPriceNanoUsd = 200;
    QCOMPARE(spoken(World{}.decide(input)), says);
}

/// B116.
void TestDecide::nothingKnownIsTheConfiguredOrder()
{
    DecisionInput input = request(3);
    QCOMPARE(spoken(decide({}, input)), "a:fixed b:failover c:failover");
    input.mode = EffectiveMode::Failsafe;
    const Decision stale = decide({}, input);
    QCOMPARE(stale.codes[0], ReasonCode::StaleFixed);
    // Adaptive with nothing known yet still explores, or nothing ever would be known.
    int explored = 0;
    for (std::uint64_t task = 0; task < 10'000; ++task) {
        DecisionInput first = request(3, task);
        first.explorable = true;
        explored += decide({}, first).gateClass == GateClass::Explore ? 1 : 0;
    }
    QVERIFY2(explored > 850 && explored < 1150, qPrintable(QString::number(explored)));
}

void TestDecide::theLeaderMayBeIneligible()
{
    DecisionInput input = request(3);
    input.routes[0].exclusion = Exclusion::Capability;
    QCOMPARE(spoken(World{}.decide(input)), "b:leader c:failover");
    const World world;
    for (std::uint64_t task = 0; task < 2'000; ++task) {
        input = request(3, task);
        input.routes[0].exclusion = Exclusion::Capability;
        input.explorable = true;
        const Decision decision = world.decide(input);
        QVERIFY(decision.candidates[0].route != 0);
        // The stand-in leads, so it is not explored.
        QVERIFY(!decision.exploreArm || *decision.exploreArm == 2);
    }
}

void TestDecide::classesOfTheGate()
{
    World world;
    DecisionInput input = request(3);
    QCOMPARE(world.decide(input).gateClass, GateClass::Fresh);
    input.pin = 0;
    QCOMPARE(world.decide(input).gateClass, GateClass::Pinned);
    input.batch = true;
    QCOMPARE(world.decide(input).gateClass, GateClass::Batch);
    // Each class is asked with its own chance.
    DecisionInput batch = request(3);
    batch.routes[0].gate.admitPpm = {1'000'000, 1'000'000, 1'000'000, 0};
    QCOMPARE(spoken(world.decide(batch)), "a:leader b:failover c:failover");
    batch.batch = true;
    // What may wait goes over no route's rate, not even where the others fail.
    QCOMPARE(spoken(world.decide(batch)), "b:spill c:failover");
    batch.routes[1].gate.guardOpen = batch.routes[2].gate.guardOpen = false;
    const Decision nowhere = world.decide(batch);
    QCOMPARE(nowhere.candidates[0].code, ReasonCode::ForcedOverrun);
    QCOMPARE(nowhere.candidates.size(), std::size_t{3});
}

QTEST_APPLESS_MAIN(TestDecide)
#include "tst_decide.moc"
