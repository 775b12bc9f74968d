// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace weir {

/// How an upstream attempt ended: the words of contract section 3, the same in the ledger, the
/// metrics and the incidents.
enum class Outcome : std::uint8_t {
    Ok,
    Length,
    Refused,
    ClientCancelled,
    BadRequest,
    ContextOverflow,
    ModelUnavailable,
    Auth,
    NoCredit,
    RateLimited,
    Overloaded,
    ServerError,
    ConnectFailed,
    Reset,
    TtftTimeout,
    IdleTimeout,
    Deadline,
    StreamBroken,
    Malformed,
};

inline constexpr std::size_t kOutcomeCount = 19;

/// "ok", "rate_limited", …
[[nodiscard]] std::string_view toWord(Outcome outcome);
[[nodiscard]] std::optional<Outcome> outcomeFromWord(std::string_view word);

/// Neither the route's success nor its failure: the caller's own doing, or a policy's.
[[nodiscard]] bool isNeutral(Outcome outcome);

/// The answer was served (`ok`, `length`).
[[nodiscard]] bool isSuccess(Outcome outcome);

/// Another route may be tried, as long as no output has reached the client.
[[nodiscard]] bool mayFailOver(Outcome outcome);

} // namespace weir
