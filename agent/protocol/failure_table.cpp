// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/failure_table.h"

#include <array>

namespace weir::protocol {
namespace {

constexpr int kAny = 999;
using enum Where;

constexpr auto kRules = std::to_array<FailureRule>({
    // Content policy, under any 4xx and inside a 200 (contract section 3).
    {200, 499, Word, "content_filter", Outcome::Refused},
    {200, 499, Word, "content_policy_violation", Outcome::Refused},
    {200, 499, Word, "content_policy", Outcome::Refused},
    {200, 499, Word, "responsibleaipolicyviolation", Outcome::Refused},
    {200, 499, Word, "data_inspection_failed", Outcome::Refused},
    {200, 499, Word, "moderation_blocked", Outcome::Refused},
    {200, 499, Word, "invalid_prompt", Outcome::Refused},
    {200, 499, Text, "blocked by content filtering policy", Outcome::Refused},
    {200, 499, Text, "content management policy", Outcome::Refused},
    {200, 499, Text, "your input was flagged", Outcome::Refused},

    // Out of credit, under any status.
    {200, kAny, Word, "insufficient_quota", Outcome::NoCredit},
    {200, kAny, Word, "insufficient_credits", Outcome::NoCredit},
    {200, kAny, Word, "insufficient_balance", Outcome::NoCredit},
    {200, kAny, Word, "insufficient_funds", Outcome::NoCredit},
    {200, kAny, Word, "not_enough_balance", Outcome::NoCredit},
    {200, kAny, Word, "billing_error", Outcome::NoCredit},
    {200, kAny, Word, "billing_not_active", Outcome::NoCredit},
    {200, kAny, Word, "billing_hard_limit_reached", Outcome::NoCredit},
    {200, kAny, Word, "payment_required", Outcome::NoCredit},
    {200, kAny, Word, "exceeded_current_quota_error", Outcome::NoCredit},
    {200, kAny, Word, "credit_limit", Outcome::NoCredit},
    {200, kAny, Word, "arrearage", Outcome::NoCredit},
    {200, kAny, Text, "credit balance is too low", Outcome::NoCredit},
    {200, kAny, Text, "specified api usage limits", Outcome::NoCredit},
    {200, kAny, Text, "insufficient balance", Outcome::NoCredit},
    {200, kAny, Text, "insufficient credits", Outcome::NoCredit},
    {200, kAny, Text, "requires more credits", Outcome::NoCredit},
    {200, kAny, Text, "used all available credits", Outcome::NoCredit},
    {200, kAny, Text, "monthly spending limit", Outcome::NoCredit},
    {200, kAny, Text, "credit limit exceeded", Outcome::NoCredit},
    {200, kAny, Text, "check your billing details", Outcome::NoCredit},
    {402, 402, Status, "", Outcome::NoCredit},

    // The prompt does not fit. A rate limit in tokens per minute is worded alike, so 429 is left
    // out.
    {200, 428, Word, "context_length_exceeded", Outcome::ContextOverflow},
    {200, 599, Word, "exceed_context_size_error", Outcome::ContextOverflow},
    {200, 428, Word, "context_window_exceeded", Outcome::ContextOverflow},
    {200, 428, Word, "model_context_window_exceeded", Outcome::ContextOverflow},
    {413, 413, Word, "rate_limit_exceeded", Outcome::RateLimited},
    {200, 428, Text, "maximum context length", Outcome::ContextOverflow},
    {200, 428, Text, "longer than the model's context length", Outcome::ContextOverflow},
    {200, 428, Text, "prompt is too long", Outcome::ContextOverflow},
    {200, 428, Text, "exceed context limit", Outcome::ContextOverflow},
    {200, 428, Text, "exceeds the context window", Outcome::ContextOverflow},
    {200, 428, Text, "exceeds the model's context", Outcome::ContextOverflow},
    {200, 428, Text, "context length exceeded", Outcome::ContextOverflow},
    {200, 599, Text, "exceeds the available context size", Outcome::ContextOverflow},
    {200, 428, Text, "maximum prompt length", Outcome::ContextOverflow},
    {200, 428, Text, "input is too long for requested model", Outcome::ContextOverflow},
    {200, 428, Text, "exceeds the maximum number of tokens allowed", Outcome::ContextOverflow},
    {200, 428, Text, "reduce the length of the messages", Outcome::ContextOverflow},
    {200, 428, Text, "`inputs` tokens + `max_new_tokens` must be", Outcome::ContextOverflow},

    // The route names a model that is not there.
    {200, 499, Word, "model_not_found", Outcome::ModelUnavailable},
    {200, 499, Word, "model_not_available", Outcome::ModelUnavailable},
    {200, 499, Word, "model_not_supported", Outcome::ModelUnavailable},
    {200, 499, Word, "invalid_model", Outcome::ModelUnavailable},
    {200, 200, Word, "not_found_error", Outcome::ModelUnavailable},
    {400, 400, Text, "is not a valid model id", Outcome::ModelUnavailable},
    {400, 400, Text, "model not exist", Outcome::ModelUnavailable},
    // 405 and 410: the base URL or the model is no longer what the configuration says.
    {404, 405, Status, "", Outcome::ModelUnavailable},
    {410, 410, Status, "", Outcome::ModelUnavailable},
    {300, 399, Status, "", Outcome::ModelUnavailable},

    // Credentials; some providers answer a bad key with 400.
    {200, 499, Word, "invalid_api_key", Outcome::Auth},
    {200, 499, Word, "authentication_error", Outcome::Auth},
    {200, 200, Word, "permission_error", Outcome::Auth},
    {400, 400, Text, "incorrect api key provided", Outcome::Auth},
    {400, 400, Text, "api key not valid", Outcome::Auth},
    {401, 401, Status, "", Outcome::Auth},
    {403, 403, Status, "", Outcome::Auth},
    {407, 407, Status, "", Outcome::Auth},

    // Load.
    {200, kAny, Word, "overloaded_error", Outcome::Overloaded},
    {200, kAny, Word, "engine_overloaded_error", Outcome::Overloaded},
    {200, kAny, Word, "engine_overloaded", Outcome::Overloaded},
    {200, 499, Word, "rate_limit_error", Outcome::RateLimited},
    {200, 499, Word, "rate_limit_exceeded", Outcome::RateLimited},
    {200, 499, Word, "resource_exhausted", Outcome::RateLimited},
    {429, 429, Status, "", Outcome::RateLimited},
    {529, 529, Status, "", Outcome::Overloaded},
    // The server had no time for the request, which is what a full one says.
    {408, 408, Status, "", Outcome::Overloaded},
    {425, 425, Status, "", Outcome::Overloaded},

    // What is left: the caller's own mistakes, then the provider's.
    {200, 200, Word, "invalid_request_error", Outcome::BadRequest},
    {200, 200, Word, "invalid_argument", Outcome::BadRequest},
    {200, 200, Word, "badrequesterror", Outcome::BadRequest},
    {200, 200, Word, "request_too_large", Outcome::BadRequest},
    {400, 499, Status, "", Outcome::BadRequest},
    {0, kAny, Status, "", Outcome::ServerError},
});

} // namespace

std::span<const FailureRule> failureRules()
{
    return kRules;
}

} // namespace weir::protocol
