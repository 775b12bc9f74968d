// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/routing/summarise.h"

#include <cstdint>
#include <string>
#include <vector>

namespace weir::routing {

inline constexpr std::int64_t kMinute = 60'000;
inline constexpr std::int64_t kHour = 60 * kMinute;
inline constexpr std::int64_t kDay = 24 * kHour;

/// Draws that are the same everywhere: a 64-bit linear congruential generator, and normal numbers
/// as sums of twelve of it.
class Draws final
{
public:
    explicit Draws(std::uint64_t seed)
        : m_state(seed)
    {
    }

    /// In [0, 1).
    double uniform()
    {
        m_state = m_state * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<double>(m_state >> 11U) / 9007199254740992.0;
    }

    std::int64_t below(std::int64_t n)
    {
        return static_cast<std::int64_t>(uniform() * static_cast<double>(n));
    }

    double normal()
    {
        double sum = -6;
        for (int i = 0; i < 12; ++i)
            sum += uniform();
        return sum;
    }

private:
    std::uint64_t m_state;
};

/// A served call that read nothing from cache: 1000 tokens in, 100 out, 2 s to the first output.
inline CallFact callAt(std::int64_t endedMs, std::uint16_t route = 0, std::int64_t ttftMs = 2000)
{
    CallFact fact;
    fact.endedMs = endedMs;
    fact.startedMs = endedMs - ttftMs - 1000;
    fact.route = route;
    fact.ttftUs = ttftMs * 1000;
    fact.durationUs = (ttftMs + 1000) * 1000;
    fact.inputUncached = 1000;
    fact.inputCached = 0;
    fact.cacheWrite = 0;
    fact.output = 100;
    fact.milliTps = 100'000;
    return fact;
}

/// Routes "b", "f", "c" …, all at one dollar a million in and out, a tenth of that cached.
inline PoolSetup poolOf(std::size_t routes)
{
    PoolSetup pool;
    pool.model = "glm";
    pool.taskType = "default";
    for (std::size_t i = 0; i < routes; ++i) {
        RouteSetup route;
        route.provider = std::string(1, "bfcdeg"[i]);
        route.price = Price{1'000'000, 100'000, 0, 1'000'000};
        route.fixedPosition = static_cast<std::uint16_t>(i);
        pool.routes.push_back(route);
    }
    return pool;
}

/// The summary job: rows come in, and every five minutes there is a summary.
class Job final
{
public:
    explicit Job(std::size_t routes, std::int64_t originMs = 0)
        : setup({poolOf(routes)})
        , learner(originMs)
        , nowMs(originMs)
    {
        summary.originMs = originMs;
        summary.computedAtMs = originMs;
    }

    void add(const CallFact& fact) { learner.add(fact); }

    const PoolSummary& summariseAt(std::int64_t ms)
    {
        nowMs = ms;
        summary = summarise(summary, learner, setup, policy, ms);
        return summary.pools.front();
    }

    std::vector<PoolSetup> setup;
    Learner learner;
    RoutingPolicy policy;
    std::int64_t nowMs;
    Summary summary;
};

} // namespace weir::routing
