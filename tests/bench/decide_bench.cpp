// SPDX-License-Identifier: Apache-2.0
#include "common/model/decision_record.h"
#include "common/routing/decide.h"

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

using namespace weir;
using namespace weir::routing;

namespace {

/// Six routes in full work: scores apart, one slow, one over its rate, one half-open.
struct Bench
{
    PoolSummary summary;
    std::vector<std::string> providers;
    DecisionInput input;

    explicit Bench(std::size_t routes)
    {
        summary.model = "m";
        summary.taskType = "default";
        input.mode = EffectiveMode::Adaptive;
        input.explorable = true;
        input.seed = 42;
        input.nowMs = 1'000'000;
        for (std::size_t i = 0; i < routes; ++i) {
            RouteFigures route;
            route.provider = "p" + std::to_string(i);
            route.costNanoUsd = static_cast<std::int64_t>(1'000'000 + i * 70'000);
            route.timeUs = static_cast<std::int64_t>(5'000'000 + i * 400'000);
            route.sampleOk = route.trusted = true;
            route.shareFromPpm = route.shareToPpm = i == 0 ? 700'000 : i == 1 ? 300'000 : 0;
            route.explorePpm = i == 0 ? 0 : 40'000;
            summary.routes.push_back(route);
            providers.push_back(route.provider);
            RouteOption option;
            option.fixedPosition = static_cast<std::uint16_t>(i);
            option.listPriceNanoUsd = 1000;
            option.gate.permittedMilliRps = 50'000;
            input.routes.push_back(option);
        }
        summary.leader = "p0";
        if (routes >= 6) {
            summary.routes[5].timeUs = 90'000'000;
            input.routes[1].gate.admitPpm = {500'000, 400'000, 100'000, 0};
            input.routes[4].gate.breaker = BreakerState::HalfOpen;
        }
    }
};

void decideOnce(benchmark::State& state)
{
    Bench bench(static_cast<std::size_t>(state.range(0)));
    const PoolView view(bench.summary, bench.providers);
    std::uint64_t task = 0;
    for (auto unused : state) {
        static_cast<void>(unused);
        bench.input.taskKey.low = ++task;
        bench.input.requestKey.low = task * 3;
        benchmark::DoNotOptimize(decide(view, bench.input));
    }
}

void encodeOnce(benchmark::State& state)
{
    const Bench bench(static_cast<std::size_t>(state.range(0)));
    const PoolView view(bench.summary, bench.providers);
    const DecisionRecord record{"0123456789abcdef", bench.input, decide(view, bench.input)};
    for (auto unused : state) {
        static_cast<void>(unused);
        benchmark::DoNotOptimize(encode(record));
    }
}

BENCHMARK(decideOnce)->Arg(2)->Arg(6)->Arg(16)->Arg(64);
BENCHMARK(encodeOnce)->Arg(2)->Arg(6);

} // namespace

BENCHMARK_MAIN();
