// SPDX-License-Identifier: Apache-2.0
#include "agent/fleet/redis_reply.h"

#include <array>
#include <utility>

namespace weir::fleet {

std::string_view toWord(RedisFault fault)
{
    switch (fault) {
    case RedisFault::None:
        return "none";
    case RedisFault::Unreachable:
        return "unreachable";
    case RedisFault::Loading:
        return "loading";
    case RedisFault::ReadOnly:
        return "readonly";
    case RedisFault::NoAuth:
        return "noauth";
    case RedisFault::OutOfMemory:
        return "oom";
    case RedisFault::Moved:
        return "moved";
    case RedisFault::NoScript:
        return "noscript";
    case RedisFault::Other:
        break;
    }
    return "other";
}

RedisFault faultOf(std::string_view errorText)
{
    using Row = std::pair<std::string_view, RedisFault>;
    static constexpr std::array<Row, 13> kWords{
        Row{"LOADING", RedisFault::Loading},
        Row{"READONLY", RedisFault::ReadOnly},
        Row{"MASTERDOWN", RedisFault::ReadOnly},
        Row{"NOAUTH", RedisFault::NoAuth},
        Row{"WRONGPASS", RedisFault::NoAuth},
        Row{"NOPERM", RedisFault::NoAuth},
        Row{"OOM", RedisFault::OutOfMemory},
        Row{"MOVED", RedisFault::Moved},
        Row{"ASK", RedisFault::Moved},
        Row{"CLUSTERDOWN", RedisFault::Moved},
        Row{"TRYAGAIN", RedisFault::Moved},
        Row{"CROSSSLOT", RedisFault::Moved},
        Row{"NOSCRIPT", RedisFault::NoScript}};
    const std::string_view word = errorText.substr(0, errorText.find(' '));
    for (const auto& [name, fault] : kWords) {
        if (word == name) return fault;
    }
    // A password is set for nobody, but one was given.
    return errorText.find("AUTH <password>") == std::string_view::npos ? RedisFault::Other
                                                                       : RedisFault::NoAuth;
}

bool isSpoilt(const RedisReply& reply)
{
    return reply.isError() && (reply.text.starts_with("WRONGTYPE") ||
                               reply.text.starts_with("ERR The stream has exhausted"));
}

RedisReply redisError(RedisFault fault, std::string text)
{
    RedisReply reply;
    reply.kind = RedisReply::Kind::Error;
    reply.fault = fault;
    reply.text = std::move(text);
    return reply;
}

} // namespace weir::fleet
