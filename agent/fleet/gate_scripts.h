// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace weir::fleet {

/// What runs inside Redis: who may step a provider's gates, on which time line, with what. Nothing
/// of routing: that is `routing::step`, which the agent calls whose turn it is.
///
/// Keys of a provider, all in one place of a cluster:
///   gate   hash: the line's `shift` and newest time `seen`; `born` once; the turn's `token`,
///          `until`, `next`; account `a`; each route's state `s:MODEL`
///   inbox  hash by agent: "NUMBER TIME MESSAGE", its last message that nobody has stepped yet
///   used   set of the models whose route here has ever been sent anything
///   reply  one of each agent: "NUMBER MESSAGE"

/// KEYS gate, inbox, used, own reply
/// ARGV agent, number, message ("" = only look), own estimate of the line now ("" = none),
///      length of a turn, least time between turns, most messages
/// Answers {time, born, reply or ""} and, where it is this agent's turn, {…, token, gate, inbox,
/// used}.
inline constexpr std::string_view kEnterScript = R"(
local clock = redis.call('TIME')
local head = redis.call('HMGET', KEYS[1], 'shift', 'seen', 'born', 'token', 'until', 'next')
local function field(i) return tonumber(head[i] or 0) end
local now = clock[1] * 1000 + math.floor(clock[2] / 1000) + field(1)
local seen, born = field(2), field(3)
local guess = tonumber(ARGV[4])
local line = now
if now < seen then
    line = seen
elseif guess and now > seen + 2000 and now > guess + 2000 then
    line = math.max(seen, guess)
end
local shift = field(1) + line - now
if born == 0 then born = line end
redis.call('HSET', KEYS[1], 'shift', shift, 'seen', line, 'born', born)
redis.call('PEXPIRE', KEYS[1], 1213000000)
if ARGV[3] ~= '' then
    local known = redis.call('HEXISTS', KEYS[2], ARGV[1]) == 1
    if known or redis.call('HLEN', KEYS[2]) < tonumber(ARGV[7]) then
        redis.call('HSET', KEYS[2], ARGV[1], ARGV[2] .. ' ' .. line .. ' ' .. ARGV[3])
        redis.call('PEXPIRE', KEYS[2], 61000)
    end
else
    local reply = redis.call('GET', KEYS[4])
    local mine = ARGV[2] .. ' '
    if reply and string.sub(reply, 1, #mine) == mine then return {line, born, reply} end
end
if line < field(5) or line < field(6) or redis.call('EXISTS', KEYS[2]) == 0 then
    return {line, born, ''}
end
local token = field(4) + 1
redis.call('HSET', KEYS[1], 'token', token, 'until', line + ARGV[5], 'next', line + ARGV[6])
return {line, born, '', token, redis.call('HGETALL', KEYS[1]), redis.call('HGETALL', KEYS[2]),
        redis.call('SMEMBERS', KEYS[3])}
)";

/// KEYS gate, inbox, used, the replies' keys
/// ARGV token; how many fields of the gate, and each with its value; how many models were used, and
///      each; how many messages were stepped, and each one's agent and number; the replies
/// Answers 1, or 0 where the turn was lost to another agent: then nothing was changed.
inline constexpr std::string_view kLeaveScript = R"(
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then return 0 end
local at = 1
local function take()
    at = at + 1
    return ARGV[at]
end
for i = 1, tonumber(take()) do redis.call('HSET', KEYS[1], take(), take()) end
for i = 1, tonumber(take()) do redis.call('SADD', KEYS[3], take()) end
for i = 1, tonumber(take()) do
    local agent, number = take(), take() .. ' '
    local message = redis.call('HGET', KEYS[2], agent)
    if message and string.sub(message, 1, #number) == number then
        redis.call('HDEL', KEYS[2], agent)
    end
end
for i = 4, #KEYS do redis.call('SET', KEYS[i], take(), 'PX', 5000) end
redis.call('HSET', KEYS[1], 'until', 0)
return 1
)";

} // namespace weir::fleet
