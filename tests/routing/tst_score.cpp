// SPDX-License-Identifier: Apache-2.0
#include "common/routing/score.h"

#include <QTest>

#include <random>
#include <vector>

using namespace weir;
using namespace weir::routing;

namespace {

Standing at(std::int64_t cost, std::int64_t timeUs, bool trusted = true)
{
    Standing standing;
    standing.costNanoUsd = cost;
    standing.timeUs = timeUs;
    standing.ttftUs = timeUs / 3;
    standing.trusted = trusted;
    return standing;
}

std::vector<Standing> scored(std::vector<Standing> routes, const RoutingPolicy& policy = {})
{
    score(routes, policy);
    return routes;
}

std::vector<Standing> anyRoutes(std::mt19937_64& dice, std::size_t count)
{
    std::vector<Standing> routes;
    for (std::size_t i = 0; i < count; ++i) {
        const auto cost = static_cast<std::int64_t>(1'000'000 + dice() % 3'000'000);
        const auto time = static_cast<std::int64_t>(1'000'000 + dice() % 8'000'000);
        routes.push_back(at(cost, time, dice() % 6 != 0));
        routes.back().failurePpm = static_cast<std::int64_t>(dice() % 300'000);
    }
    return routes;
}

RoutingPolicy byRoutingCost()
{
    RoutingPolicy policy;
    policy.objective = Objective::RoutingCost;
    return policy;
}

} // namespace

class TestScore final : public QObject
{
    Q_OBJECT

private slots:
    void theExampleOfTheSource();
    void atMost75PercentMoreForSpeed();
    void aSlowRouteMovesNobodyElse();
    void anUntrustedLuckyRouteMovesNobodyElse();
    void scaleDoesNotMatter_data();
    void scaleDoesNotMatter();
    void betterIsNeverWorse();
    void theBiasMultiplies();
    void unknownFigures();
    void routingCostPricesTimeAndFailure();
    void extremesDoNotOverflow();
};

void TestScore::theExampleOfTheSource()
{
    // B costs 10 % more and is a third faster: first when fresh, by 4.0 %.
    const auto routes = scored({at(1'000'000, 1'500'000), at(1'100'000, 1'000'000)});
    QCOMPARE(routes[0].score, 900'000'000);
    QCOMPARE(routes[1].score, 936'363'636);
    QVERIFY(routes[1].score * 100 < routes[0].score * 105);
}

void TestScore::atMost75PercentMoreForSpeed()
{
    // Inside the factor of three a faster route may cost at most 1.4 times as much.
    const auto near = scored({at(1'000'000, 3'000'000), at(1'399'000, 1'000'000)});
    QVERIFY(near[1].score > near[0].score);
    const auto beyond = scored({at(1'000'000, 3'000'000), at(1'401'000, 1'000'000)});
    QVERIFY(beyond[1].score < beyond[0].score);
}

void TestScore::aSlowRouteMovesNobodyElse()
{
    // C is cheap and ten times slower: it may not become the measure of cost.
    const auto without = scored({at(1'000'000, 1'000'000), at(1'100'000, 666'667)});
    const auto with =
        scored({at(1'000'000, 1'000'000), at(1'100'000, 666'667), at(300'000, 10'000'000)});
    QVERIFY(with[2].slow && !with[0].slow && !with[1].slow);
    QCOMPARE(with[0].score, without[0].score);
    QCOMPARE(with[1].score, without[1].score);
    // Exactly three times is not more than three times.
    QVERIFY(!scored({at(1, 1'000'000), at(1, 3'000'000)})[1].slow);
    QVERIFY(scored({at(1, 1'000'000), at(1, 3'000'001)})[1].slow);
}

void TestScore::anUntrustedLuckyRouteMovesNobodyElse()
{
    std::mt19937_64 dice(5);
    for (int i = 0; i < 5'000; ++i) {
        auto routes = anyRoutes(dice, 2 + dice() % 5);
        const auto alone = scored(routes);
        routes.push_back(at(1, 1, false));
        const auto together = scored(routes);
        for (std::size_t r = 0; r < alone.size(); ++r) {
            QCOMPARE(together[r].score, alone[r].score);
            QCOMPARE(together[r].slow, alone[r].slow);
        }
    }
}

void TestScore::scaleDoesNotMatter_data()
{
    QTest::addColumn<bool>("routingCost");
    QTest::newRow("score") << false;
    QTest::newRow("routing_cost") << true;
}

void TestScore::scaleDoesNotMatter()
{
    QFETCH(bool, routingCost);
    const RoutingPolicy policy = routingCost ? byRoutingCost() : RoutingPolicy{};
    std::mt19937_64 dice(6);
    for (int i = 0; i < 2'000; ++i) {
        auto routes = anyRoutes(dice, 2 + dice() % 5);
        const auto before = scored(routes, policy);
        for (Standing& route : routes) {
            route.costNanoUsd *= 1000;
            route.failedCostNanoUsd *= 1000;
            route.timeUs *= 16;
            route.ttftUs *= 16;
            route.failedTimeUs *= 16;
        }
        const auto after = scored(routes, policy);
        for (std::size_t r = 0; r < routes.size(); ++r) {
            // The division rounds elsewhere, never by more than a few of 1e9.
            QVERIFY(std::abs(before[r].score - after[r].score) < 5'000);
            QCOMPARE(before[r].slow, after[r].slow);
        }
    }
}

void TestScore::betterIsNeverWorse()
{
    std::mt19937_64 dice(7);
    const auto rank = [](const std::vector<Standing>& routes, std::size_t of) {
        return std::count_if(routes.begin(), routes.end(), [&routes, of](const Standing& each) {
            return std::pair(!each.slow, each.score) >
                   std::pair(!routes[of].slow, routes[of].score);
        });
    };
    for (int i = 0; i < 5'000; ++i) {
        auto routes = anyRoutes(dice, 2 + dice() % 5);
        const std::size_t of = dice() % routes.size();
        const auto before = rank(scored(routes), of);
        if (dice() % 2 == 0) {
            routes[of].costNanoUsd -= routes[of].costNanoUsd / 3;
        } else {
            routes[of].timeUs -= routes[of].timeUs / 3;
        }
        QVERIFY(rank(scored(routes), of) <= before);
    }
}

void TestScore::theBiasMultiplies()
{
    std::vector<Standing> routes = {at(1'000'000, 1'000'000), at(1'000'000, 1'000'000)};
    routes[1].biasPpm = 1'100'000;
    score(routes, {});
    QCOMPARE(routes[0].score, 1'000'000'000);
    QCOMPARE(routes[1].score, 1'100'000'000);
}

/// B116.
void TestScore::unknownFigures()
{
    // An unknown price earns nothing for cost; where no price is known, cost tells nobody apart.
    QCOMPARE(scored({at(0, 1'000'000), at(5, 1'000'000)})[0].score, 300'000'000);
    QCOMPARE(scored({at(0, 1'000'000), at(0, 2'000'000)})[1].score, 850'000'000);
    // Nothing trusted: no scores, nobody is slow.
    const auto none = scored({at(5, 1, false), at(5, 100, false)});
    QVERIFY(none[0].score == 0 && none[1].score == 0 && !none[1].slow);
    QVERIFY(scored({}).empty());
}

void TestScore::routingCostPricesTimeAndFailure()
{
    // Time at the reference is 3/7 of its cost; TTFT counts twice; a try that fails one time in
    // five costs a quarter of what a failed try costs.
    Standing a = at(7'000'000, 3'000'000);
    a.ttftUs = 1'000'000;
    Standing b = a;
    b.failurePpm = 200'000;
    b.failedTimeUs = 3'000'000;
    const auto routes = scored({a, b}, byRoutingCost());
    // a: .7*7 + .3*7*(4/3) = 7.7; b: + .25 * .3*7 = 8.225.
    QCOMPARE(routes[0].score, 1'000'000'000);
    QVERIFY(std::abs(routes[1].score - 7'700'000LL * 1'000'000'000 / 8'225'000) < 100);
    // Never-failing and always-failing: the cap keeps it finite.
    b.failurePpm = 1'000'000;
    QVERIFY(scored({a, b}, byRoutingCost())[1].score > 0);
}

void TestScore::extremesDoNotOverflow()
{
    constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max() / 4;
    for (const RoutingPolicy& policy : {RoutingPolicy{}, byRoutingCost()}) {
        auto routes = scored({at(kHuge, kHuge), at(1, 1), at(kHuge, 1), at(1, kHuge)}, policy);
        for (const Standing& route : routes)
            QVERIFY(route.score >= 0 && route.score <= kScoreOne);
        QCOMPARE(routes[1].score, kScoreOne);
    }
}

QTEST_APPLESS_MAIN(TestScore)
#include "tst_score.moc"
