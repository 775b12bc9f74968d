// SPDX-License-Identifier: Apache-2.0
#include "common/routing/admission.h"
#include "tests/routing/gate_fleet.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace weir;
using namespace weir::routing;
using namespace weir::routing::test;

/// What a contract allows is a limit from the first second on (routing.md sections 4 and 5).
class TestQuota final : public QObject
{
    Q_OBJECT

private slots:
    void theFleetKeepsToTheQuota_data();
    void theFleetKeepsToTheQuota();
    void aProviderThatCountsStrictlyRefusesNothing_data();
    void aProviderThatCountsStrictlyRefusesNothing();
    void growthAfterACutEndsAtTheQuota();
    void requestsAndTokensAreCountedApart_data();
    void requestsAndTokensAreCountedApart();
    void tokensOfSmallAndLargeRequests_data();
    void tokensOfSmallAndLargeRequests();
    void whatWasNotUsedIsGivenBack();
    void batchLeavesRoomForTheOthers();
    void exploringGivesWay();
    void withoutAnswersThePartsStillAddUp();
    void anotherContractCountsAtOnce();
    void largestFiguresStayInRange();
};

namespace {

constexpr std::int64_t kWarmMs = 120'000;

double real(std::int64_t count)
{
    return static_cast<double>(count);
}

/// Counts as a provider does: a bucket of one second, refilled steadily.
GateFleet::Provider strict(double rps)
{
    return [rps, level = rps, atMs = std::int64_t{0}](std::int64_t now, Chance&) mutable {
        level = std::min(std::max(rps, 1.0), level + rps * real(now - atMs) / 1000);
        atMs = now;
        if (level < 1) return Answer{Outcome::RateLimited, 20};
        level -= 1;
        return Answer{};
    };
}

} // namespace

void TestQuota::theFleetKeepsToTheQuota_data()
{
    QTest::addColumn<int>("agents");
    QTest::addColumn<double>("quota");
    QTest::addColumn<double>("demand");
    QTest::newRow("one agent") << 1 << 4.5 << 12.0;
    QTest::newRow("just enough") << 1 << 4.5 << 4.4;
    QTest::newRow("one in a second") << 1 << 1.0 << 10.0;
    QTest::newRow("tiny") << 1 << 0.1 << 10.0;
    QTest::newRow("twenty agents") << 20 << 20.0 << 60.0;
    QTest::newRow("few for many") << 10 << 5.0 << 40.0;
}

void TestQuota::theFleetKeepsToTheQuota()
{
    QFETCH(int, agents);
    QFETCH(double, quota);
    QFETCH(double, demand);
    GateFleet fleet{agents, true, 0};
    fleet.demandRps = demand;
    fleet.setQuota({static_cast<std::int64_t>(quota * 1000), 0});
    // Before the first exchange every agent is alone as far as it knows.
    if (agents > 1) fleet.runFor(3'000);
    const double depths = agents * std::max(1.0, quota / agents);
    const std::int64_t before = fleet.sent;
    for (int i = 0; i < 60; ++i) {
        const std::int64_t start = fleet.sent;
        fleet.runFor(10'000);
        const double most = 10 * quota + depths + (agents > 1 ? 3 * std::sqrt(10 * quota) : 0);
        QVERIFY2(real(fleet.sent - start) <= most, qPrintable(QString::number(fleet.sent - start)));
    }
    const double all = real(fleet.sent - before);
    QVERIFY2(all <= 600 * quota * 1.01 + depths, qPrintable(QString::number(all)));
    // Buckets of one place each lose a little.
    const double least = std::min(quota, demand) * 600 * (agents > 1 ? 0.75 : 0.85);
    QVERIFY2(all >= least, qPrintable(QString::number(all)));
    QCOMPARE(fleet.count(GateEventKind::Cut), 0);
}

void TestQuota::aProviderThatCountsStrictlyRefusesNothing_data()
{
    QTest::addColumn<double>("quota");
    QTest::newRow("4.5") << 4.5;
    QTest::newRow("33") << 33.0;
    QTest::newRow("1.5") << 1.5;
}

void TestQuota::aProviderThatCountsStrictlyRefusesNothing()
{
    QFETCH(double, quota);
    GateFleet fleet{1, true, 0};
    fleet.demandRps = 2.7 * quota;
    fleet.setQuota({static_cast<std::int64_t>(quota * 1000), 0});
    fleet.provider = strict(quota);
    fleet.runFor(300'000);
    QVERIFY(real(fleet.rateLimited) < 0.005 * real(fleet.sent));
    QVERIFY(real(fleet.ok) > 0.9 * quota * 300);
}

void TestQuota::growthAfterACutEndsAtTheQuota()
{
    GateFleet fleet{1, true, 0};
    fleet.demandRps = 30;
    fleet.setQuota({10'000, 0});
    fleet.runFor(60'000);
    fleet.provider = [](std::int64_t, Chance& chance) {
        return chance.happens(600'000) ? Answer{Outcome::RateLimited, 20} : Answer{};
    };
    fleet.runFor(30'000);
    QVERIFY(fleet.count(GateEventKind::Cut) > 0);
    const double after = fleet.rate();
    QVERIFY(after < 8);
    fleet.provider = [](std::int64_t, Chance&) { return Answer{}; };
    for (int i = 0; i < 60; ++i) {
        fleet.runFor(60'000);
        QVERIFY2(fleet.rate() <= 10.001, qPrintable(QString::number(fleet.rate())));
    }
    QVERIFY(fleet.rate() > 9);
}

/// B113.
void TestQuota::requestsAndTokensAreCountedApart_data()
{
    QTest::addColumn<std::int64_t>("tokensACall");
    QTest::addColumn<double>("allowedRps");
    QTest::newRow("the requests limit") << std::int64_t{10} << 4.0;
    QTest::newRow("both limit alike") << std::int64_t{1000} << 4.0;
    QTest::newRow("the tokens limit") << std::int64_t{2000} << 2.0;
}

void TestQuota::requestsAndTokensAreCountedApart()
{
    QFETCH(std::int64_t, tokensACall);
    QFETCH(double, allowedRps);
    GateFleet fleet{4, true, 0};
    fleet.demandRps = 12;
    fleet.setQuota({4'000, 240'000});
    fleet.provider = [=](std::int64_t, Chance&) {
        return Answer{Outcome::Ok, 300, 0, tokensACall, tokensACall};
    };
    fleet.runFor(kWarmMs);
    for (int window = 0; window < 10; ++window) {
        const std::int64_t before = fleet.sent;
        fleet.runFor(60'000);
        const double rps = real(fleet.sent - before) / 60;
        QVERIFY2(rps <= 1.05 * allowedRps + 0.1, qPrintable(QString::number(rps)));
        QVERIFY2(rps >= 0.75 * allowedRps, qPrintable(QString::number(rps)));
    }
}

void TestQuota::tokensOfSmallAndLargeRequests_data()
{
    QTest::addColumn<double>("wrongBy");
    QTest::newRow("estimates are right") << 1.0;
    QTest::newRow("estimates are a quarter") << 0.25;
    QTest::newRow("estimates are three times too large") << 3.0;
}

/// A hundred tokens or a hundred thousand: what is sent stays within the quota, and the large ones
/// are not starved by the small.
void TestQuota::tokensOfSmallAndLargeRequests()
{
    QFETCH(double, wrongBy);
    constexpr std::int64_t kPerMinute = 1'000'000;
    GateFleet fleet{1, true, 0};
    fleet.demandRps = 4;
    fleet.setQuota({0, kPerMinute});
    std::int64_t large = 0;
    std::int64_t all = 0;
    fleet.provider = [&](std::int64_t, Chance& chance) {
        const bool isLarge = chance.happens(200'000);
        ++all;
        large += isLarge ? 1 : 0;
        const std::int64_t tokens = isLarge ? 100'000 : 100;
        return Answer{
            Outcome::Ok, 2000, 0, static_cast<std::int64_t>(real(tokens) * wrongBy), tokens};
    };
    fleet.runFor(120'000);
    const std::int64_t before = fleet.tokens;
    for (int i = 0; i < 60; ++i) {
        const std::int64_t start = fleet.tokens;
        fleet.runFor(60'000);
        // The depth, one that overdraws, and what is under way at too small an estimate.
        const double most = 1.1 * kPerMinute + 100'000 + (wrongBy < 1 ? 400'000 : 0);
        QVERIFY2(
            real(fleet.tokens - start) <= most, qPrintable(QString::number(fleet.tokens - start)));
    }
    const double share = real(fleet.tokens - before) / (60.0 * kPerMinute);
    QVERIFY2(share < 1.02, qPrintable(QString::number(share)));
    QVERIFY2(share > 0.85, qPrintable(QString::number(share)));
    QVERIFY(std::abs(real(large) / real(all) - 0.2) < 0.05);
}

void TestQuota::whatWasNotUsedIsGivenBack()
{
    AgentGate gate{1, true, {.quota = {0, 60'000}}, 0};
    QVERIFY(gate.view(0).guardOpen);
    gate.dispatched(0, 20'000);
    QVERIFY(!gate.view(1000).guardOpen);
    gate.corrected(-20'000, 1000);
    QVERIFY(gate.view(1000).guardOpen);
    gate.corrected(10'000, 1000);
    QVERIFY(!gate.view(1000).guardOpen);
    QVERIFY(!gate.view(4'900).guardOpen);
    QVERIFY(gate.view(5'100).guardOpen);
}

void TestQuota::batchLeavesRoomForTheOthers()
{
    AgentGate gate{1, true, {.quota = {8'000, 0}}, 0};
    int batch = 0;
    for (; batch < 100 && gate.view(0, {.batch = true}).guardOpen; ++batch)
        gate.dispatched(0);
    int interactive = 0;
    for (; interactive < 100 && gate.view(0).guardOpen; ++interactive)
        gate.dispatched(0);
    QCOMPARE(batch, 4);
    QCOMPARE(interactive, 4);
    // Where so little is allowed that there is one place, it is for whoever comes.
    AgentGate narrow{1, true, {.quota = {500, 0}}, 0};
    QVERIFY(narrow.view(0, {.batch = true}).guardOpen);
}

void TestQuota::exploringGivesWay()
{
    GateScene scene;
    scene.wants = {0, 20'000'000, 5'000'000, 5'000'000};
    scene.demand = 30'000'000;
    scene.group = 40'000'000;
    scene.sampling = 2'000'000;
    const auto explore = static_cast<std::size_t>(GateClass::Explore);
    QVERIFY(admission(scene, 10'000'000, 0)[explore] > 0);
    scene.quota = 10'000'000;
    QCOMPARE(admission(scene, 10'000'000, 0)[explore], 0);
    // A rate that was cut below the quota is what has to be found out.
    QVERIFY(admission(scene, 8'000'000, 0)[explore] > 0);
}

void TestQuota::withoutAnswersThePartsStillAddUp()
{
    GateFleet fleet{10, true, 0};
    fleet.demandRps = 60;
    fleet.setQuota({20'000, 0});
    fleet.runFor(30'000);
    fleet.connected = false;
    fleet.runFor(10'000);
    const std::int64_t start = fleet.sent;
    fleet.runFor(60'000);
    QVERIFY2(
        real(fleet.sent - start) <= 1.05 * 20 * 60 + 20, qPrintable(QString::number(fleet.sent)));
    QVERIFY(real(fleet.sent - start) >= 0.7 * 20 * 60);
}

void TestQuota::anotherContractCountsAtOnce()
{
    GateFleet fleet{1, true, 0};
    fleet.demandRps = 30;
    fleet.setQuota({5'000, 0});
    fleet.runFor(60'000);
    fleet.setQuota({20'000, 0});
    fleet.runFor(10'000);
    const std::int64_t more = fleet.sent;
    fleet.runFor(20'000);
    QVERIFY2(fleet.sent - more > 340, qPrintable(QString::number(fleet.sent - more)));
    fleet.setQuota({});
    fleet.runFor(10'000);
    const std::int64_t free = fleet.sent;
    fleet.runFor(20'000);
    QVERIFY2(fleet.sent - free > 540, qPrintable(QString::number(fleet.sent - free)));
}

void TestQuota::largestFiguresStayInRange()
{
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    AgentGate gate{1, true, {.quota = {1'000'000'000, 1'000'000'000'000}}, 0};
    GateState state = newGate(true);
    const GateParams params{.quota = {1'000'000'000, 1'000'000'000'000}};
    for (std::int64_t now = 0; now < 60'000; now += 1000) {
        gate.dispatched(now, kMost);
        gate.corrected(-kMost / 2, now);
        gate.corrected(kMost / 2, now);
        GateReport report = gate.report(now, 1'000'000'000);
        report.tokens = now % 2000 == 0 ? kMost : -kMost;
        const GateReply reply = step(state, report, now, params);
        gate.apply(reply, now);
        QVERIFY(reply.quotaMilliRps >= -1);
        QVERIFY(reply.quotaPpm >= 0 && reply.quotaPpm <= 1'000'000);
    }
    QVERIFY(gate.view(120'000'000).guardOpen);
}

QTEST_APPLESS_MAIN(TestQuota)
#include "tst_quota.moc"
