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
///      length of a turn, least time between turns (0 = not to be waited for), most messages
/// Answers {time, born, reply or ""} and, where it is this agent's turn, {…, token, gate, inbox,
/// used}.
/// What nobody of the fleet can have written is thrown away, and the fleet learns anew: a key of
/// another type, a head that makes no sense, a time that neither the clock nor the agent knows of.
inline constexpr std::string_view kEnterScript = R"(
local function number(value)
    local found = tonumber(value or 0)
    return found and found > -1e14 and found < 1e14 and math.floor(found)
end
local guess = tonumber(ARGV[4])
local function head()
    local clock = redis.call('TIME')
    local fields = redis.call('HMGET', KEYS[1], 'shift', 'seen', 'born', 'token', 'until', 'next')
    for i = 1, 6 do fields[i] = number(fields[i]) end
    local shift, seen, born, token, turn, pause = unpack(fields)
    if not (shift and seen and born and token and turn and pause) then return end
    local now = clock[1] * 1000 + math.floor(clock[2] / 1000) + shift
    if now <= 0 or now >= 1e14 or (guess and seen > now + 60000 and seen > guess + 60000) then
        return
    end
    local line = now
    if now < seen then
        line = seen
    elseif guess and now > seen + 2000 and now > guess + 2000 then
        line = math.max(seen, guess)
    end
    local taken = ARGV[6] == '0' and turn or math.max(turn, pause)
    if taken > line + ARGV[5] then taken = 0 end
    return {line = line, shift = shift + line - now, born = born, token = token, taken = taken}
end
local function enter()
    local at = head()
    if not at then
        redis.call('DEL', KEYS[1])
        at = head()
    end
    local line = at.line
    local born = at.born == 0 and line or at.born
    redis.call('HSET', KEYS[1], 'shift', at.shift, 'seen', line, 'born', born)
    redis.call('PEXPIRE', KEYS[1], 1213000000)
    if ARGV[3] ~= '' then
        local waiting, most = redis.call('HLEN', KEYS[2]), tonumber(ARGV[7])
        if waiting > most then redis.call('DEL', KEYS[2]) end
        if waiting ~= most or redis.call('HEXISTS', KEYS[2], ARGV[1]) == 1 then
            redis.call('HSET', KEYS[2], ARGV[1], ARGV[2] .. ' ' .. line .. ' ' .. ARGV[3])
            redis.call('PEXPIRE', KEYS[2], 61000)
        end
    else
        local reply = redis.call('GET', KEYS[4])
        local mine = ARGV[2] .. ' '
        if reply and string.sub(reply, 1, #mine) == mine then return {line, born, reply} end
    end
    if line < at.taken or redis.call('EXISTS', KEYS[2]) == 0 then return {line, born, ''} end
    local token = at.token + 1
    redis.call('HSET', KEYS[1], 'token', token, 'until', line + ARGV[5], 'next', line + ARGV[6])
    return {line, born, '', token, redis.call('HGETALL', KEYS[1]), redis.call('HGETALL', KEYS[2]),
            redis.call('SMEMBERS', KEYS[3])}
end
local done, answer = pcall(enter)
if done then return answer end
local spoilt = false
for i, kind in ipairs({'hash', 'hash', 'set', 'string'}) do
    local found = redis.call('TYPE', KEYS[i]).ok
    if found ~= kind and found ~= 'none' then
        redis.call('DEL', KEYS[i])
        spoilt = true
    end
end
if not spoilt then return redis.error_reply(type(answer) == 'table' and answer.err or answer) end
return enter()
)";

/// KEYS gate, inbox, used, the replies' keys
/// ARGV token; how many fields of the gate, and each with its value; how many models were used, and
///      each; how many messages were stepped, and each one's agent and number ("" = that is none);
///      the replies
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
    local isIt = message and string.sub(message, 1, #number) == number
    if isIt or number == ' ' then
        redis.call('HDEL', KEYS[2], agent)
    end
end
for i = 4, #KEYS do redis.call('SET', KEYS[i], take(), 'PX', 5000) end
redis.call('HSET', KEYS[1], 'until', 0)
return 1
)";

} // namespace weir::fleet
