// SPDX-License-Identifier: Apache-2.0
#include "common/model/outcome.h"

namespace weir {
namespace {

constexpr std::array<std::string_view, kOutcomeCount> kWords = {
    "ok",
    "length",
    "refused",
    "client_cancelled",
    "bad_request",
    "context_overflow",
    "model_unavailable",
    "auth",
    "no_credit",
    "rate_limited",
    "overloaded",
    "server_error",
    "connect_failed",
    "reset",
    "ttft_timeout",
    "idle_timeout",
    "deadline",
    "stream_broken",
    "malformed",
};

} // namespace

std::string_view toWord(Outcome outcome)
{
    return kWords[static_cast<std::size_t>(outcome)];
}

std::optional<Outcome> outcomeFromWord(std::string_view word)
{
    for (std::size_t i = 0; i < kWords.size(); ++i) {
        if (kWords[i] == word) return static_cast<Outcome>(i);
    }
    return std::nullopt;
}

bool isNeutral(Outcome outcome)
{
    switch (outcome) {
    case Outcome::Refused:
    case Outcome::ClientCancelled:
    case Outcome::BadRequest:
    case Outcome::ContextOverflow:
        return true;
    default:
        return false;
    }
}

bool isSuccess(Outcome outcome)
{
    return outcome == Outcome::Ok || outcome == Outcome::Length;
}

bool mayFailOver(Outcome outcome)
{
    // A context overflow may only go to a route with a larger window, which eligibility decides; a
    // used-up deadline leaves no time for anybody.
    return !isSuccess(outcome) && outcome != Outcome::Deadline &&
           (!isNeutral(outcome) || outcome == Outcome::ContextOverflow);
}

} // namespace weir
