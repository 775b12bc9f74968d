// SPDX-License-Identifier: Apache-2.0
#include "common/model/decision_record.h"
#include "common/routing/replay.h"
#include "tests/routing/decision_text.h"

#include <QTest>

#include <random>

using namespace weir;
using namespace weir::routing;
using namespace weir::routing::test;

namespace {

/// A deterministic source of anything.
class Dice final
{
public:
    explicit Dice(std::uint64_t seed)
        : m_engine(seed)
    {
    }

    std::uint64_t below(std::uint64_t n) { return m_engine() % n; }

    bool coin() { return below(2) == 0; }

private:
    std::mt19937_64 m_engine;
};

GateView anyGate(Dice& dice)
{
    GateView gate;
    if (dice.coin()) return gate;
    for (auto& chance : gate.admitPpm)
        chance = static_cast<std::int32_t>(dice.below(1'000'001));
    gate.guardOpen = dice.below(8) != 0;
    gate.breaker = static_cast<BreakerState>(dice.below(3));
    gate.probeFree = dice.coin();
    gate.hold = static_cast<HoldKind>(dice.below(10) < 5 ? 0 : dice.below(5));
    gate.recoversInMs = static_cast<std::int64_t>(dice.below(300'000));
    gate.aboveFloor = dice.below(4) != 0;
    gate.permittedMilliRps = static_cast<std::int64_t>(dice.below(100'000));
    gate.capMilliRps = dice.coin() ? -1 : static_cast<std::int64_t>(dice.below(100'000));
    gate.version = static_cast<std::int64_t>(dice.below(1000));
    return gate;
}

DecisionInput anyInput(Dice& dice, std::size_t routes)
{
    DecisionInput input = request(routes, dice.below(1'000'000));
    input.mode =
        dice.below(4) == 0 ? static_cast<EffectiveMode>(dice.below(4)) : EffectiveMode::Adaptive;
    input.seed = dice.below(~0ULL);
    input.nowMs = static_cast<std::int64_t>(dice.below(10'000'000));
    input.requestKey = {dice.below(~0ULL), static_cast<std::uint32_t>(dice.below(1ULL << 32U))};
    input.singleShot = dice.below(10) == 0;
    input.explorable = dice.coin();
    input.batch = dice.below(5) == 0;
    input.sort = static_cast<SortBy>(dice.below(10) < 8 ? 0 : dice.below(3));
    if (dice.below(3) == 0) input.pin = static_cast<std::uint8_t>(dice.below(routes));
    input.pinExplored = dice.coin();
    if (dice.below(5) == 0) input.origin = static_cast<std::uint8_t>(dice.below(routes));
    if (dice.below(8) == 0) input.preferred = {static_cast<std::uint8_t>(dice.below(routes))};
    for (RouteOption& route : input.routes) {
        if (dice.below(6) == 0) route.exclusion = static_cast<Exclusion>(dice.below(10));
        route.biasPpm = static_cast<std::int32_t>(500'000 + dice.below(1'000'001));
        route.listPriceNanoUsd = static_cast<std::int64_t>(dice.below(5000));
        route.gate = anyGate(dice);
    }
    if (dice.below(10) == 0) input.policy.objective = Objective::RoutingCost;
    return input;
}

PoolSummary anyPool(Dice& dice, std::size_t routes)
{
    PoolSummary summary;
    summary.model = "m";
    summary.taskType = "default";
    const std::vector<std::string> providers = names(routes);
    for (const std::string& provider : providers) {
        RouteFigures route = figures(
            provider,
            static_cast<std::int64_t>(dice.below(1'000'000)),
            static_cast<std::int64_t>(dice.below(60'000'000)));
        route.sampleOk = dice.below(8) != 0;
        route.qualityFlag = dice.below(12) == 0;
        route.failurePpm = static_cast<std::int64_t>(dice.below(1'000'000));
        route.explorePpm = static_cast<std::int64_t>(dice.below(100'000));
        route.shareFromPpm = static_cast<std::int64_t>(dice.below(1'000'000));
        route.shareToPpm = static_cast<std::int64_t>(dice.below(1'000'000));
        summary.routes.push_back(route);
    }
    if (dice.below(8) != 0) summary.leader = providers[dice.below(routes)];
    summary.rampStartMs = static_cast<std::int64_t>(dice.below(10'000'000));
    summary.rampMs = static_cast<std::int64_t>(dice.below(400'000));
    return summary;
}

} // namespace

class TestReplay final : public QObject
{
    Q_OBJECT

private slots:
    void everyDecisionReplaysFromItsText();
    void whateverGoesInTheDecisionIsSound();
    void theOrderOfTheInputDoesNotMatter();
    void underOtherSettingsTheLeaderKeepsItsMargin();
    void whatDiffersIsNamed();
    void aShiftOfTimeDoesNotMatter();
    void junkIsRefused_data();
    void junkIsRefused();
};

void TestReplay::everyDecisionReplaysFromItsText()
{
    Dice dice(1);
    for (int i = 0; i < 20'000; ++i) {
        const std::size_t routes = 1 + dice.below(8);
        const PoolSummary summary = anyPool(dice, routes);
        const std::vector<std::string> providers = names(routes);
        const PoolView view(summary, providers);
        DecisionRecord record{"0123456789abcdef", anyInput(dice, routes), {}};
        record.decision = decide(view, record.input);
        const std::string text = encode(record);
        const Result<DecisionRecord> back = decodeDecision(text);
        QVERIFY2(back, text.c_str());
        QVERIFY(*back == record);
        DecisionRecord again{back->snapshotId, back->input, decide(view, back->input)};
        QCOMPARE(encode(again), text);
    }
}

void TestReplay::whateverGoesInTheDecisionIsSound()
{
    Dice dice(2);
    for (int i = 0; i < 50'000; ++i) {
        const std::size_t routes = 1 + dice.below(10);
        const PoolSummary summary = anyPool(dice, routes);
        const DecisionInput input = anyInput(dice, routes);
        const Decision decision = decide(PoolView(summary, names(routes)), input);
        std::uint64_t eligible = 0;
        for (std::size_t r = 0; r < routes; ++r) {
            if (input.routes[r].exclusion == Exclusion::None) eligible |= 1ULL << r;
        }
        QCOMPARE(decision.eligibleMask, eligible);
        QCOMPARE(decision.candidates.empty(), eligible == 0);
        std::uint64_t seen = 0;
        for (const Candidate& candidate : decision.candidates) {
            QVERIFY(((eligible >> candidate.route) & 1U) != 0);
            QVERIFY(((seen >> candidate.route) & 1U) == 0);
            seen |= 1ULL << candidate.route;
        }
        for (std::size_t r = 0; r < routes && !input.singleShot; ++r) {
            if (((eligible & ~seen) >> r & 1U) == 0) continue;
            // Nobody is left out, but batch work where it would go over a rate.
            const ReasonCode code = decision.codes[r];
            QVERIFY(input.batch && input.mode == EffectiveMode::Adaptive);
            QVERIFY(code == ReasonCode::OverRate || code == ReasonCode::Cap);
        }
        if (input.singleShot && eligible != 0) QCOMPARE(decision.candidates.size(), 1U);
        QVERIFY(decision.propensityPpm >= 0 && decision.propensityPpm <= kPpm);
        for (const std::int64_t score : decision.scores)
            QVERIFY(score >= 0 && score <= 1'500'000'000);
    }
}

void TestReplay::theOrderOfTheInputDoesNotMatter()
{
    Dice dice(3);
    for (int i = 0; i < 20'000; ++i) {
        const std::size_t routes = 2 + dice.below(6);
        const PoolSummary summary = anyPool(dice, routes);
        const DecisionInput input = anyInput(dice, routes);
        const std::vector<std::string> providers = names(routes);
        const Decision decision = decide(PoolView(summary, providers), input);

        // The same routes, listed backwards.
        const auto mirrored = [routes](std::size_t r) {
            return static_cast<std::uint8_t>(routes - 1 - r);
        };
        DecisionInput reversed = input;
        for (std::size_t r = 0; r < routes; ++r)
            reversed.routes[mirrored(r)] = input.routes[r];
        if (input.pin) reversed.pin = mirrored(*input.pin);
        if (input.origin) reversed.origin = mirrored(*input.origin);
        for (auto& route : reversed.preferred)
            route = mirrored(route);
        const std::vector<std::string> back(providers.rbegin(), providers.rend());
        const Decision other = decide(PoolView(summary, back), reversed);
        QCOMPARE(other.candidates.size(), decision.candidates.size());
        for (std::size_t c = 0; c < decision.candidates.size(); ++c) {
            Candidate expected = decision.candidates[c];
            expected.route = mirrored(expected.route);
            QVERIFY(other.candidates[c] == expected);
        }
    }
}

void TestReplay::aShiftOfTimeDoesNotMatter()
{
    Dice dice(4);
    for (int i = 0; i < 5'000; ++i) {
        const std::size_t routes = 2 + dice.below(5);
        PoolSummary summary = anyPool(dice, routes);
        DecisionInput input = anyInput(dice, routes);
        const Decision decision = decide(PoolView(summary, names(routes)), input);
        constexpr std::int64_t kShift = 1'043'000; // 17 min 23 s
        summary.rampStartMs += kShift;
        input.nowMs += kShift;
        QVERIFY(decide(PoolView(summary, names(routes)), input) == decision);
    }
}

void TestReplay::junkIsRefused_data()
{
    DecisionRecord record{"", request(2), {}};
    record.decision = decide({}, record.input);
    const QByteArray good = QByteArray::fromStdString(encode(record));
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("later version") << "2" + good.mid(1);
    QTest::newRow("cut") << good.left(good.lastIndexOf(" "));
    QTest::newRow("longer") << good + " 1";
    QTest::newRow("letters") << QByteArray(good).replace(" 42 ", " x ");
    QTest::newRow("a word") << QByteArray("select * from decisions");
}

void TestReplay::junkIsRefused()
{
    QFETCH(QByteArray, text);
    const Result<DecisionRecord> record = decodeDecision(text.toStdString());
    QVERIFY(!record);
    QCOMPARE(record.error().code, "bad_decision");
}

void TestReplay::underOtherSettingsTheLeaderKeepsItsMargin()
{
    // a is cheap and slow, b the other way round; a led by its price.
    const PoolSummary saved =
        pool({figures("a", 100'000, 9'000'000), figures("b", 130'000, 6'000'000)}, "a");
    const std::vector<std::string> providers = names(2);
    RoutingPolicy policy;
    DecisionRecord record{"00ab", request(2), {}};
    record.input.explorable = false;
    record.decision = decideAgain(record, &saved, providers);
    QCOMPARE(spoken(record.decision), QStringLiteral("a:leader b:failover"));

    const auto under = [&](const RoutingPolicy& other) {
        const PoolSummary planned = planUnder(saved, other, record.input.nowMs);
        const DecisionRecord decided = decideUnder(record, &planned, providers, other);
        return QString::fromStdString(planned.leader) + u' ' + spoken(decided.decision);
    };
    policy.costWeightPpm = 100'000;
    policy.speedWeightPpm = 900'000;
    QCOMPARE(under(policy), QStringLiteral("b b:leader a:failover"));
    policy.switchMarginPpm = 500'000;
    QVERIFY(under(policy).startsWith(QStringLiteral("a ")));
}

void TestReplay::whatDiffersIsNamed()
{
    const PoolSummary saved = pool({figures("a", 100, 9000), figures("b", 100, 6000)}, "b");
    const std::vector<std::string> providers = names(2);
    DecisionRecord record{"00ab", request(2), {}};
    const Decision again = decideAgain(record, &saved, providers);
    record.decision = again;
    QVERIFY(differences(record, again, providers).empty());
    std::swap(record.decision.candidates[0], record.decision.candidates[1]);
    const auto list = differences(record, again, providers);
    QCOMPARE(list.size(), 1U);
    QCOMPARE(
        QString::fromStdString(list[0]),
        QStringLiteral("order: saved a (failover), b (best), recomputed b (best), a (failover)"));
    record.decision = again;
    record.decision.askedMask ^= 1U;
    QCOMPARE(differences(record, again, providers).size(), 1U);
}

QTEST_APPLESS_MAIN(TestReplay)
#include "tst_replay.moc"
