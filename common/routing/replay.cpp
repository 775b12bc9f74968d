// SPDX-License-Identifier: Apache-2.0
#include "common/routing/replay.h"

#include "common/routing/decide.h"
#include "common/routing/plan.h"

#include <algorithm>
#include <utility>

namespace weir::routing {
namespace {

/// A promotion at most doubles a share with each summary: from one in ten thousand to all.
constexpr int kPlansMost = 16;

std::string nameOf(const std::vector<std::string>& providers, std::size_t route)
{
    return route < providers.size() ? providers[route] : "route " + std::to_string(route);
}

std::string orderOf(const Decision& decision, const std::vector<std::string>& providers)
{
    std::string order;
    for (const Candidate& candidate : decision.candidates) {
        order.append(order.empty() ? "" : ", ").append(nameOf(providers, candidate.route));
        order.append(" (").append(toWord(candidate.code)).append(")");
    }
    return order.empty() ? "nobody" : order;
}

} // namespace

Decision decideAgain(
    const DecisionRecord& record,
    const PoolSummary* pool,
    const std::vector<std::string>& providers)
{
    return decide(pool != nullptr ? PoolView(*pool, providers) : PoolView{}, record.input);
}

bool replays(
    const DecisionRecord& record,
    const PoolSummary* pool,
    const std::vector<std::string>& providers)
{
    DecisionRecord again = record;
    again.decision = decideAgain(record, pool, providers);
    return encode(again) == encode(record);
}

PoolSummary planUnder(const PoolSummary& saved, const RoutingPolicy& policy, std::int64_t nowMs)
{
    PoolSummary planned = saved;
    for (int i = 0; i < kPlansMost; ++i) {
        PoolSummary next = replan(&planned, saved, policy, nowMs);
        // Its ramp is over by now, and the next one goes on from its end.
        next.rampStartMs = nowMs - next.rampMs;
        const bool isSettled = next == planned;
        planned = std::move(next);
        if (isSettled) break;
    }
    return planned;
}

DecisionRecord decideUnder(
    const DecisionRecord& record,
    const PoolSummary* pool,
    const std::vector<std::string>& providers,
    const RoutingPolicy& policy)
{
    DecisionRecord other = record;
    other.input.policy = policy;
    other.input.mode = EffectiveMode::Adaptive;
    other.decision = decideAgain(other, pool, providers);
    return other;
}

std::vector<std::string> differences(
    const DecisionRecord& record, const Decision& again, const std::vector<std::string>& providers)
{
    std::vector<std::string> list;
    const Decision& saved = record.decision;
    const auto compare = [&list](const std::string& what, const std::string& was, const auto& is) {
        if (was != is) list.push_back(what + ": saved " + was + ", recomputed " + is);
    };
    compare("order", orderOf(saved, providers), orderOf(again, providers));
    const std::size_t routes = std::min(saved.scores.size(), again.scores.size());
    for (std::size_t i = 0; i < routes; ++i) {
        compare(
            "score of " + nameOf(providers, i),
            std::to_string(saved.scores[i]),
            std::to_string(again.scores[i]));
    }
    compare(
        "chance of the first choice in ppm",
        std::to_string(saved.propensityPpm),
        std::to_string(again.propensityPpm));
    const bool isTheRest = list.empty() && !(saved == again);
    if (isTheRest) list.emplace_back("reasons, masks or exploration differ; the order does not");
    return list;
}

} // namespace weir::routing
