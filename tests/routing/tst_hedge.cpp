// SPDX-License-Identifier: Apache-2.0
#include "common/routing/hedge.h"
#include "tests/routing/decision_text.h"

#include <QTest>

#include <functional>

using namespace weir;
using namespace weir::routing;
using namespace weir::routing::test;

namespace {

/// A request that may be hedged, and all that the rule looks at.
struct Case
{
    HedgeWish wish{true, false, 512};
    PoolSummary summary;
    DecisionInput input;
    Decision decision;

    Case()
        : summary(pool({figures("a", 1000, 4'000'000), figures("b", 1000, 4'000'000)}, "a"))
    {
        summary.routes[0].ttftP95Us = 3'500'000;
        input.routes.push_back({});
        input.routes.push_back({});
        decision.candidates.push_back({0, ReasonCode::Best, Reason::Leader});
        decision.candidates.push_back({1, ReasonCode::Failover, Reason::Failover});
    }

    [[nodiscard]] std::optional<std::int64_t> delay() const
    {
        const std::vector<std::string> providers{"a", "b"};
        const PoolView view(summary, providers);
        return hedgeDelayMs(wish, view, input, decision);
    }
};

using Change = std::function<void(Case&)>;

} // namespace

Q_DECLARE_METATYPE(Change)

class TestHedge final : public QObject
{
    Q_OBJECT

private slots:
    void waitsForTheSlowestTwentieth();
    void isLeftUndone_data();
    void isLeftUndone();
    void oneInFifty();
};

void TestHedge::waitsForTheSlowestTwentieth()
{
    Case request;
    QCOMPARE(request.delay().value_or(0), 3500);
    request.summary.routes[0].ttftP95Us = 300'000;
    QCOMPARE(request.delay().value_or(0), 2000);
}

void TestHedge::isLeftUndone_data()
{
    QTest::addColumn<Change>("change");
    const auto row = [](const char* name, Change change) { QTest::newRow(name) << change; };
    row("not asked for", [](Case& c) { c.wish.isAllowed = false; });
    row("tools", [](Case& c) { c.wish.hasTools = true; });
    row("long answer", [](Case& c) { c.wish.maxTokens = 1025; });
    row("endless answer", [](Case& c) { c.wish.maxTokens.reset(); });
    row("single-shot", [](Case& c) { c.input.singleShot = true; });
    row("batch", [](Case& c) { c.input.batch = true; });
    row("nobody else", [](Case& c) { c.decision.candidates.resize(1); });
    row("only a last resort",
        [](Case& c) { c.decision.candidates[1].reason = Reason::LastResort; });
    row("a probe", [](Case& c) { c.decision.candidates[1].code = ReasonCode::Probe; });
    row("no rate to spare", [](Case& c) { c.input.routes[1].gate.admitPpm[3] = 999'999; });
    row("breaker open", [](Case& c) { c.input.routes[1].gate.breaker = BreakerState::Open; });
    row("held", [](Case& c) { c.input.routes[1].gate.hold = HoldKind::RetryAfter; });
    row("unknown speed", [](Case& c) { c.summary.routes[0].ttftP95Us = 0; });
    row("slow as a whole",
        [](Case& c) { c.summary.routes[0].ttftUs.state = WindowState::Lowered; });
}

void TestHedge::isLeftUndone()
{
    QFETCH(Change, change);
    Case request;
    change(request);
    QVERIFY(!request.delay());
}

void TestHedge::oneInFifty()
{
    HedgeBudget budget;
    int hedges = 0;
    for (int i = 0; i < 1000; ++i) {
        budget.onRequest();
        if (!budget.has()) continue;
        budget.take();
        ++hedges;
    }
    QCOMPARE(hedges, 20);
    // A quiet hour saves up one, not a storm.
    for (int i = 0; i < 10'000; ++i)
        budget.onRequest();
    budget.take();
    QVERIFY(!budget.has());
}

QTEST_APPLESS_MAIN(TestHedge)
#include "tst_hedge.moc"
