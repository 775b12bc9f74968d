// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/decision_input.h"
#include "common/model/route_config.h"
#include "common/model/route_figures.h"

#include <cstdint>
#include <optional>
#include <span>

namespace weir::routing {

/// Room for an answer where the request does not say how long it may get: enough for most, and at
/// most a quarter of the window.
inline constexpr std::int64_t kAnswerAllowance = 1024;
/// What a provider puts around a prompt of its own accord (roles, some words where there are
/// tools), at most a sixteenth of the window.
inline constexpr std::int64_t kContextMargin = 256;

/// How long a request is, as far as that is known without the tokenizer of who is to serve it; in
/// tokens.
struct PromptLength
{
    /// Nearly every tokenizer counts so many; 0 = nothing is known.
    std::int64_t atLeast = 0;
    std::int64_t estimate = 0;
    /// What the request allows the answer.
    std::optional<std::int64_t> answerMax;
};

/// Whether a request fits into a route's window.
enum class Fit : std::uint8_t { Surely, Perhaps, No };

/// Holds the prompt's tokens, at most `bound` times the estimate, the answer and a margin against
/// the window; a route whose window is not known fits. `counted`: tokens of the prompt by the
/// route's own tokenizer, to which no bound has anything to add.
[[nodiscard]] Fit fitOf(
    const PromptLength& length,
    const RouteConfig& route,
    const TokenBound& bound,
    std::optional<std::int64_t> counted = std::nullopt);

/// Neither on hold nor with an open breaker.
[[nodiscard]] bool isSound(const RouteOption& route);

/// Excludes routes that the prompt is too long for, `fits[i]` being that of `routes[i]`; the last
/// of all rules, for it is an estimate, which refuses no request by itself. While there is a sound
/// route into which the prompt surely fits, the others go; else those into which it perhaps fits
/// stay too; and without any of these, all.
void excludeTooSmall(std::span<RouteOption> routes, std::span<const Fit> fits);

} // namespace weir::routing
