// SPDX-License-Identifier: Apache-2.0
#include "tests/routing/decision_text.h"

#include <QTest>

#include <cstdlib>
#include <new>

namespace {

std::size_t allocations = 0;

} // namespace

void* operator new(std::size_t size)
{
    ++allocations;
    if (void* const memory = std::malloc(size)) return memory; // NOLINT(*-no-malloc)
    throw std::bad_alloc{};
}

void operator delete(void* memory) noexcept
{
    std::free(memory); // NOLINT(*-no-malloc)
}

void operator delete(void* memory, std::size_t) noexcept
{
    std::free(memory); // NOLINT(*-no-malloc)
}

using namespace weir;
using namespace weir::routing;
using namespace weir::routing::test;

class TestNoAllocation final : public QObject
{
    Q_OBJECT

private slots:
    void decidingAllocatesNothing();
};

void TestNoAllocation::decidingAllocatesNothing()
{
    std::vector<RouteFigures> routes;
    for (int i = 0; i < 6; ++i)
        routes.push_back(figures(std::string(1, static_cast<char>('a' + i)), 1000 + i, 1'000'000));
    const PoolSummary summary = pool(routes, "a");
    const std::vector<std::string> providers = names(6);
    const PoolView view(summary, providers);
    DecisionInput input = request(6);
    input.explorable = true;
    input.routes[2].gate.breaker = BreakerState::HalfOpen;
    std::size_t candidates = 0;
    allocations = 0;
    for (std::uint64_t task = 0; task < 1000; ++task) {
        input.taskKey.low = task;
        candidates += decide(view, input).candidates.size();
    }
    const std::size_t made = allocations;
    QCOMPARE(candidates, 6000U);
    QCOMPARE(made, 0U);
}

QTEST_APPLESS_MAIN(TestNoAllocation)
#include "tst_no_allocation.moc"
