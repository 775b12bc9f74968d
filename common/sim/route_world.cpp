// SPDX-License-Identifier: Apache-2.0
#include "common/sim/route_world.h"

#include <algorithm>
#include <cmath>

namespace weir::sim {
namespace {

/// Contract section 8.
constexpr Micros kUnavailableAfter = 300'000;
constexpr Micros kStatusAfter = 100'000;

/// One second's depth; but a bucket that cannot hold one call would never let one through.
double depthOf(const RouteShape& shape)
{
    return std::max(1.0, *shape.capacityRps);
}

std::int64_t secondOf(Micros at)
{
    return (at - (((at % kSecond) + kSecond) % kSecond)) / kSecond;
}

} // namespace

void Busyness::moveTo(std::int64_t second)
{
    const auto size = static_cast<std::int64_t>(m_counts.size());
    const std::int64_t steps = std::min(second - m_second, size);
    for (std::int64_t i = 1; i <= steps; ++i) {
        const std::int64_t place = (((second - steps + i) % size) + size) % size;
        auto& count = m_counts[static_cast<std::size_t>(place)];
        m_sum -= count;
        count = 0;
    }
    m_second = std::max(m_second, second);
}

void Busyness::count(Micros now)
{
    const std::int64_t second = secondOf(now);
    moveTo(second);
    const auto size = static_cast<std::int64_t>(m_counts.size());
    ++m_counts[static_cast<std::size_t>(((second % size) + size) % size)];
    ++m_sum;
}

double Busyness::rate(Micros now)
{
    moveTo(secondOf(now));
    return static_cast<double>(m_sum) / static_cast<double>(m_counts.size());
}

RouteWorld::RouteWorld(const Draws& draws, std::uint32_t index, const RouteShape& shape)
    : m_draws(draws)
    , m_index(index)
    , m_shape(shape)
    , m_tokens(shape.capacityRps ? depthOf(shape) : 0.0)
    , m_tokensAt(INT64_MIN)
    , m_lineEnd(-1e18)
{
}

void RouteWorld::change(const RouteShape& shape, Micros now)
{
    if (m_shape.capacityRps && shape.capacityRps) {
        m_tokens = std::min(tokensAt(now), depthOf(shape));
        m_tokensAt = now;
    } else if (shape.capacityRps) {
        m_tokens = depthOf(shape);
        m_tokensAt = now;
    }
    // Those who stand in line are served at the new rate.
    const double wait = std::max(0.0, m_lineEnd - static_cast<double>(now));
    if (!shape.queueRps) {
        m_lineEnd = static_cast<double>(now);
    } else if (m_shape.queueRps) {
        m_lineEnd = static_cast<double>(now) + wait * *m_shape.queueRps / *shape.queueRps;
    }
    m_shape = shape;
}

bool RouteWorld::isKnown(Micros now) const
{
    return m_shape.enabledFromS == 0.0 || static_cast<double>(now) >= m_shape.enabledFromS * 1e6;
}

double RouteWorld::tokensAt(Micros now) const
{
    if (m_tokensAt == INT64_MIN) return m_tokens;
    const double passed = static_cast<double>(now - m_tokensAt) / 1e6;
    return std::min(depthOf(m_shape), m_tokens + passed * *m_shape.capacityRps);
}

bool RouteWorld::failsByChance(const Ask& ask) const
{
    if (m_shape.success >= 1.0) return false;
    const auto draw =
        m_draws.block(DrawFor::Answer, m_index, ask.task, ask.call << 8U | ask.attempt);
    return uniform(draw[0]) >= m_shape.success;
}

bool RouteWorld::wouldAccept(const Ask& ask, Micros now) const
{
    if (now < m_burstUntil || m_shape.status != 200) return false;
    if (m_shape.capacityRps && (*m_shape.capacityRps <= 0.0 || tokensAt(now) < 1.0)) return false;
    return !failsByChance(ask);
}

Micros RouteWorld::waitNow(Micros now) const
{
    if (!m_shape.queueRps) return 0;
    return std::max<Micros>(0, std::llround(m_lineEnd - static_cast<double>(now)));
}

Micros RouteWorld::joinLine(Micros now)
{
    if (!m_shape.queueRps) return 0;
    const Micros wait = waitNow(now);
    m_lineEnd = std::max(m_lineEnd, static_cast<double>(now)) + 1e6 / *m_shape.queueRps;
    return wait;
}

void RouteWorld::leaveLine(Micros now)
{
    if (!m_shape.queueRps) return;
    m_lineEnd = std::max(static_cast<double>(now), m_lineEnd - 1e6 / *m_shape.queueRps);
}

Answer RouteWorld::answer(const Ask& ask, Micros now, Busyness& busyness)
{
    Answer answer;
    const auto failed = [&answer](Outcome outcome, int status, Micros after) {
        answer.outcome = outcome;
        answer.status = status;
        answer.end = after;
        return answer;
    };
    if (now < m_burstUntil) return failed(Outcome::RateLimited, 429, 0);
    if (m_shape.status != 200)
        return failed(outcomeOfStatus(m_shape.status), m_shape.status, kStatusAfter);
    if (m_shape.capacityRps) {
        m_tokens = tokensAt(now);
        m_tokensAt = now;
        if (*m_shape.capacityRps <= 0.0 || m_tokens < 1.0)
            return failed(Outcome::RateLimited, 429, 0);
        m_tokens -= 1.0;
    }
    if (failsByChance(ask)) return failed(Outcome::ServerError, 503, kUnavailableAfter);

    const auto speed =
        m_draws.block(DrawFor::Speed, m_index, ask.task, ask.call << 8U | ask.attempt);
    const CacheShape& cache = m_shape.cache;
    const bool isWarm =
        ask.lastServedAgo >= 0 && static_cast<double>(ask.lastServedAgo) <= cache.ttlS * 1e6;
    const double rate = busyness.rate(now);
    const double found = isWarm ? 1.0 : cache.sharedPrefix * rate / (rate + 1.0);
    busyness.count(now);
    const double ttft = logNormal(m_shape.ttftS, speed[0], speed[1]) *
                        (1.0 - (1.0 - m_shape.ttftCachedFactor) * found);
    const double tps = logNormal(m_shape.tokensPerS, speed[2], speed[3]);
    answer.cachedTokens = static_cast<std::int64_t>(
        std::floor(static_cast<double>(ask.inputTokens) * cache.hitWarm * found));
    answer.queued = joinLine(now);
    answer.firstOutput = answer.queued + std::max<Micros>(1, std::llround(ttft * 1e6));
    answer.milliTps = std::llround(tps * 1000.0);
    answer.end =
        answer.firstOutput + std::llround(static_cast<double>(ask.outputTokens) / tps * 1e6);
    return answer;
}

Outcome outcomeOfStatus(int status)
{
    switch (status) {
    case 401:
    case 403:
        return Outcome::Auth;
    case 402:
        return Outcome::NoCredit;
    case 404:
        return Outcome::ModelUnavailable;
    case 429:
        return Outcome::RateLimited;
    case 529:
        return Outcome::Overloaded;
    default:
        return status >= 500 ? Outcome::ServerError : Outcome::BadRequest;
    }
}

} // namespace weir::sim
