// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weir::fleet {

/// Why Redis did not do what it was asked; people read "down" for all but the last two.
enum class RedisFault : std::uint8_t {
    None,
    /// Not connected, or no answer in time.
    Unreachable,
    /// It reads its data in still.
    Loading,
    /// A replica.
    ReadOnly,
    /// User or password are wrong, or the user may not do this.
    NoAuth,
    OutOfMemory,
    /// The cluster does not serve this key now.
    Moved,
    /// It does not know the script by its sum.
    NoScript,
    Other,
};
[[nodiscard]] std::string_view toWord(RedisFault fault);

/// What an answer's first word says.
[[nodiscard]] RedisFault faultOf(std::string_view errorText);

/// One answer: a value, a miss, or an error, never one for another.
struct RedisReply
{
    enum class Kind : std::uint8_t { Miss, Number, Text, List, Error };

    Kind kind = Kind::Miss;
    std::int64_t number = 0;
    /// Of an error: what Redis or the system says. Never holds a password.
    std::string text;
    std::vector<RedisReply> items;
    RedisFault fault = RedisFault::None;

    [[nodiscard]] bool isMiss() const { return kind == Kind::Miss; }

    [[nodiscard]] bool isText() const { return kind == Kind::Text; }

    [[nodiscard]] bool isList() const { return kind == Kind::List; }

    [[nodiscard]] bool isError() const { return kind == Kind::Error; }
};

/// What lies at the key is of no use to anybody, and will not be: another type, or a stream that
/// has come to its end.
[[nodiscard]] bool isSpoilt(const RedisReply& reply);

[[nodiscard]] RedisReply redisError(RedisFault fault, std::string text);

/// One of a client's scripts: known to Redis by its sum once it has been loaded.
struct RedisScript
{
    std::string text;
    /// As the first server said; empty until then.
    std::string sum;
};

struct RedisCommand
{
    /// Name and arguments; for a script: keys and arguments.
    std::vector<std::string> words;
    /// Says which server of a cluster has it; empty = any will do.
    std::string key;
    const RedisScript* script = nullptr;
    /// Of a script: so many of the words are keys.
    std::size_t keys = 0;
};

} // namespace weir::fleet
