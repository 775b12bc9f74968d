// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/outcome.h"
#include "common/sim/draws.h"
#include "common/sim/scenario.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace weir::sim {

/// What a provider has done lately over all its routes: the busier, the warmer the prefix that
/// conversations share.
class Busyness final
{
public:
    void count(Micros now);
    /// Calls per second over the last minute.
    [[nodiscard]] double rate(Micros now);

private:
    void moveTo(std::int64_t second);

    std::array<std::uint32_t, 60> m_counts{};
    /// Before all time: a history begins long before second 0.
    std::int64_t m_second = -(std::int64_t{1} << 60U);
    std::uint64_t m_sum = 0;
};

/// One attempt, as the provider sees it.
struct Ask
{
    std::uint64_t task = 0;
    std::uint32_t call = 0;
    std::uint32_t attempt = 1;
    std::int64_t inputTokens = 0;
    std::int64_t outputTokens = 0;
    /// This provider served the conversation last; since then.
    Micros lastServedAgo = -1;
    /// Where the request's data may be processed; null or empty = anywhere.
    const std::vector<std::string>* regions = nullptr;
};

/// How the provider would answer if nobody left.
struct Answer
{
    /// `Ok`, or what it failed with.
    Outcome outcome = Outcome::Ok;
    int status = 200;
    /// From the attempt's start; a failed attempt ends there.
    Micros firstOutput = 0;
    Micros end = 0;
    /// Of `firstOutput`, what the line cost.
    Micros queued = 0;
    std::int64_t cachedTokens = 0;
    /// In thousandths of a token per second.
    std::int64_t milliTps = 0;
};

/// One provider's offer of one model: latency, limits, cache, failures (contract section 8).
class RouteWorld final
{
public:
    RouteWorld(const Draws& draws, std::uint32_t index, const RouteShape& shape);

    void change(const RouteShape& shape, Micros now);

    void burst(Micros until) { m_burstUntil = until; }

    [[nodiscard]] Answer answer(const Ask& ask, Micros now, Busyness& busyness);
    /// A client that left while it stood in line gives its place back.
    void leaveLine(Micros now);

    [[nodiscard]] const RouteShape& shape() const { return m_shape; }

    [[nodiscard]] bool isKnown(Micros now) const;
    /// The attempt would be answered: no 429, no forced status, not the 503 that chance holds
    /// ready.
    [[nodiscard]] bool wouldAccept(const Ask& ask, Micros now) const;
    /// Time that a call would stand in line now.
    [[nodiscard]] Micros waitNow(Micros now) const;

private:
    [[nodiscard]] double tokensAt(Micros now) const;
    [[nodiscard]] bool failsByChance(const Ask& ask) const;
    [[nodiscard]] Micros joinLine(Micros now);

    Draws m_draws;
    std::uint32_t m_index;
    RouteShape m_shape;
    Micros m_burstUntil = INT64_MIN;
    double m_tokens = 0.0;
    Micros m_tokensAt = 0;
    /// When the line will have been served.
    double m_lineEnd = 0.0;
};

/// What a forced status means (contract sections 3 and 8).
[[nodiscard]] Outcome outcomeOfStatus(int status);

} // namespace weir::sim
