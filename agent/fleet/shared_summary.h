// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/fleet/redis_reply.h"

#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weir::fleet {

/// KEYS the summary. ARGV id, time of making, token, JSON. Answers 1, or 0 where a newer one is
/// there, or one of a later elected agent's; which holds for ten minutes, so that no nonsense in
/// its place keeps all others out.
inline constexpr std::string_view kPublishScript = R"(
if redis.call('TYPE', KEYS[1]).ok ~= 'hash' then redis.call('DEL', KEYS[1]) end
local now = tonumber(redis.call('TIME')[1])
local known = redis.call('HMGET', KEYS[1], 'token', 'computed_at_ms', 'put_at_s')
local token, made, put = tonumber(known[1] or -1), tonumber(known[2] or -1), tonumber(known[3])
local counts = token and made and put and put <= now and put > now - 600
if counts and (tonumber(ARGV[3]) < token or tonumber(ARGV[2]) <= made) then return 0 end
redis.call('HSET', KEYS[1], 'id', ARGV[1], 'computed_at_ms', ARGV[2], 'token', ARGV[3],
           'json', ARGV[4], 'put_at_s', now)
redis.call('PEXPIRE', KEYS[1], 3607000)
return 1
)";

/// The newest summary in Redis: the elected agent puts it there, and everybody else sees by its id
/// that there is another one. It travels with what the gates ask of Redis anyway.
class SharedSummary final
{
public:
    /// `script`: `kPublishScript`, as the client knows it.
    explicit SharedSummary(const RedisScript& script);

    /// `token`: of the lease under which it was made. Any thread.
    void publish(std::string id, std::int64_t computedAtMs, std::string json, std::int64_t token);

    /// What to ask this time. The fleet's thread alone, as the following.
    [[nodiscard]] std::vector<RedisCommand> commands();

    /// Its answers, as many. Returns the JSON of a summary that was not seen before.
    [[nodiscard]] std::optional<std::string> take(std::span<const RedisReply> replies);

private:
    [[nodiscard]] bool isOwn(const std::string& id) const;

    struct Made
    {
        std::string id;
        std::int64_t computedAtMs = 0;
        std::string json;
        std::int64_t token = 0;
    };

    const RedisScript& m_script;
    std::mutex m_mutex;
    /// This agent's newest; kept, in case that Redis loses it.
    std::optional<Made> m_made;
    bool m_due = false;
    /// Of this question: this agent's newest then, and whether it begins with it or asks for the
    /// other one's JSON.
    std::string m_ownId;
    bool m_sends = false;
    bool m_fetches = false;
    std::string m_knownId;
};

} // namespace weir::fleet
