// SPDX-License-Identifier: Apache-2.0
#include "common/routing/decide.h"

#include <QTest>

using namespace std::chrono_literals;
using namespace weir;
using namespace weir::routing;

namespace {

constexpr Instant kNow{100s};

/// "b:fixed c:failover a:last-resort": routes by letter, as a reader would say the decision.
QString spoken(const routing::Decision& decision)
{
    QStringList words;
    for (const routing::Candidate& candidate : decision.candidates) {
        const auto reason = toWord(candidate.reason);
        words += QChar(static_cast<char16_t>(u'a' + candidate.route)) + QLatin1String(":") +
                 QLatin1String(reason.data(), static_cast<qsizetype>(reason.size()));
    }
    return words.join(u' ');
}

RouteView at(std::size_t position, Exclusion exclusion = Exclusion::None, Duration held = 0s)
{
    return {position, exclusion, held > 0s ? Hold{kNow + held, Outcome::RateLimited} : Hold{}};
}

} // namespace

class TestDecide final : public QObject
{
    Q_OBJECT

private slots:
    void followsTheConfiguredOrder();
    void heldRoutesStandBehindAndComeBack();
    void neverEmptyWhileOneIsEligible();
    void excludedRoutesAreNeverCandidates();
    void inputOrderChangesNothing();
};

void TestDecide::followsTheConfiguredOrder()
{
    const std::vector<RouteView> routes = {at(2), at(0), at(1)};
    QCOMPARE(spoken(decideFixed(routes, kNow)), "b:fixed c:failover a:failover");
}

void TestDecide::heldRoutesStandBehindAndComeBack()
{
    const std::vector<RouteView> routes = {
        at(0, Exclusion::None, 5s), at(1), at(2, Exclusion::None, 2s)};
    const routing::Decision now = decideFixed(routes, kNow);
    QCOMPARE(spoken(now), "b:failover c:last-resort a:last-resort");
    QCOMPARE(now.heldMask, 0b101U);
    QCOMPARE(spoken(decideFixed(routes, kNow + 5s)), "a:fixed b:failover c:failover");
}

void TestDecide::neverEmptyWhileOneIsEligible()
{
    const std::vector<RouteView> routes = {
        at(0, Exclusion::None, 300s), at(1, Exclusion::None, 60s)};
    QCOMPARE(spoken(decideFixed(routes, kNow)), "b:last-resort a:last-resort");
}

void TestDecide::excludedRoutesAreNeverCandidates()
{
    const std::vector<RouteView> routes = {
        at(0, Exclusion::Region), at(1, Exclusion::None, 60s), at(2, Exclusion::Disabled)};
    const routing::Decision decision = decideFixed(routes, kNow);
    QCOMPARE(spoken(decision), "b:last-resort");
    QCOMPARE(decision.eligibleMask, 0b010U);
    const std::vector<RouteView> none = {at(0, Exclusion::Terms)};
    QVERIFY(decideFixed(none, kNow).candidates.empty());
}

void TestDecide::inputOrderChangesNothing()
{
    // Whatever the order in the file, the same positions lead: checked over all orders of four
    // routes.
    std::vector<std::size_t> positions = {0, 1, 2, 3};
    do {
        std::vector<RouteView> routes;
        for (const std::size_t position : positions)
            routes.push_back(at(position));
        const routing::Decision decision = decideFixed(routes, kNow);
        for (std::size_t i = 0; i < decision.candidates.size(); ++i) {
            QCOMPARE(routes[decision.candidates[i].route].fixedPosition, i);
        }
    } while (std::next_permutation(positions.begin(), positions.end()));
}

QTEST_APPLESS_MAIN(TestDecide)
#include "tst_decide.moc"
