// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir::bench {

/// What a request asks the upstream to do. It stands in fields that every proxy hands on untouched:
/// `max_tokens` is the number of chunks, `seed` the microseconds between two of them.
struct Wish
{
    bool stream = false;
    bool usage = false;
    std::int64_t chunks = 0;
    std::int64_t intervalUs = 0;

    [[nodiscard]] static Wish read(std::string_view body);
};

/// The whole answer to a request without a stream: a chat completion of about one kilobyte.
[[nodiscard]] const std::string& jsonAnswer();

[[nodiscard]] std::string_view streamHead();

/// The n-th event of a stream, framed as one HTTP chunk. Its text holds "@", the time in sixteen
/// digits, "@", so that whoever reads it can tell how long it travelled.
void appendEvent(std::string& out, std::int64_t number, std::int64_t nowNs);

/// Everything after the last event: the finish, the usage where asked for, [DONE] and the last
/// chunk.
void appendEnd(std::string& out, const Wish& wish);

} // namespace weir::bench
