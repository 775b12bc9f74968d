// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/fleet/redis_reply.h"

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace weir::fleet {

/// Where a conversation was served last, in words that all agents of a fleet understand.
struct SharedPin
{
    /// Hashes under the fleet's secret; the route's is `RouteStates::pinKeys`.
    std::uint64_t conversation = 0;
    std::uint64_t route = 0;
    bool explored = false;
    /// Since then.
    std::int64_t ageMs = 0;

    bool operator==(const SharedPin&) const = default;
};

/// Pins spread over the fleet in batches, behind everybody's back: a conversation that comes to
/// another agent, or to one that was restarted, finds its warm cache. A pin that gets lost costs a
/// cold cache and nothing else. It travels with what the gates ask of Redis; one thread.
class SharedPins final
{
public:
    explicit SharedPins(std::string agentId);

    /// What to ask this time. `served`: since the last time. `life`: what is older nobody needs.
    /// `agents`: that all write, and all read what they write.
    [[nodiscard]] std::vector<RedisCommand> commands(
        const std::vector<SharedPin>& served, std::chrono::milliseconds life, std::int64_t agents);

    /// Its answers, as many: what others have served, the oldest first.
    [[nodiscard]] std::vector<SharedPin> take(std::span<const RedisReply> replies);

private:
    std::string m_agentId;
    std::int64_t m_lifeMs = 0;
    std::size_t m_readMax = 0;
    /// So often it may still read on through what others had served before it began.
    int m_catchUps = 50;
    /// The stream is to be thrown away.
    bool m_isSpoilt = false;
    /// The last entry read; empty before the time of Redis is known.
    std::string m_last;
};

[[nodiscard]] std::string packed(const std::vector<SharedPin>& pins);
/// Nothing where it is damaged.
[[nodiscard]] std::vector<SharedPin> unpackPins(std::string_view bytes);

} // namespace weir::fleet
