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
    {200, 499, Text, "flagged as potentially violating", Outcome::Refused},
    {200, 499, Text, "blocked by content filtering policy", Outcome::Refused},
    {200, 499, Text, "content management policy", Outcome::Refused},
    {200, 499, Text, "your input was flagged", Outcome::Refused},
    {200, 499, Text, "content exists risk", Outcome::Refused},
    {200, 499, Text, "content violates usage guidelines", Outcome::Refused},
    {200, 499, Text, "敏感内容", Outcome::Refused},

    // A 402 that passes by itself: too much is under way for what is left.
    {402, 402, Word, "openrouter_in_flight_budget", Outcome::RateLimited},

    // Out of credit, under any status.
    {200, kAny, Word, "insufficient_quota", Outcome::NoCredit},
    {200, kAny, Word, "insufficient_user_quota", Outcome::NoCredit},
    {200, kAny, Word, "insufficient_credits", Outcome::NoCredit},
    {200, kAny, Word, "insufficient_balance", Outcome::NoCredit},
    {200, kAny, Word, "insufficient_funds", Outcome::NoCredit},
    {200, kAny, Word, "not_enough_balance", Outcome::NoCredit},
    {200, kAny, Word, "billing_error", Outcome::NoCredit},
    {200, kAny, Word, "billing_not_active", Outcome::NoCredit},
    {200, kAny, Word, "billing_disabled", Outcome::NoCredit},
    {200, kAny, Word, "billing_hard_limit_reached", Outcome::NoCredit},
    {200, kAny, Word, "payment_required", Outcome::NoCredit},
    {200, kAny, Word, "exceeded_current_quota_error", Outcome::NoCredit},
    {200, kAny, Word, "enforced_spend_limit_reached", Outcome::NoCredit},
    {200, kAny, Word, "budget_exceeded", Outcome::NoCredit},
    {200, kAny, Word, "openrouter_key_limit", Outcome::NoCredit},
    {200, kAny, Word, "openrouter_workspace_budget", Outcome::NoCredit},
    {200, kAny, Word, "openrouter_guardrail_budget", Outcome::NoCredit},
    {200, kAny, Word, "credit_limit", Outcome::NoCredit},
    {200, kAny, Word, "arrearage", Outcome::NoCredit},
    {200, kAny, Text, "credit balance is too low", Outcome::NoCredit},
    {200, kAny, Text, "you have reached your specified", Outcome::NoCredit},
    {200, kAny, Text, "insufficient balance", Outcome::NoCredit},
    {200, kAny, Text, "insufficient credits", Outcome::NoCredit},
    {200, kAny, Text, "requires more credits", Outcome::NoCredit},
    {200, kAny, Text, "used all available credits", Outcome::NoCredit},
    {200, kAny, Text, "doesn't have any credits", Outcome::NoCredit},
    {200, kAny, Text, "run out of credits", Outcome::NoCredit},
    {200, kAny, Text, "credits are depleted", Outcome::NoCredit},
    {200, kAny, Text, "monthly spending limit", Outcome::NoCredit},
    {200, kAny, Text, "credit limit exceeded", Outcome::NoCredit},
    {200, kAny, Text, "check your billing details", Outcome::NoCredit},
    {200, kAny, Text, "余额不足", Outcome::NoCredit},
    {402, 402, Status, "", Outcome::NoCredit},

    // Google words its minute limits like a lack of money; from others it is one.
    {429, 429, Word, "resource_exhausted", Outcome::RateLimited},
    {429, 429, Text, "resource_exhausted", Outcome::RateLimited},
    {429, 429, Text, "check your plan and billing details", Outcome::NoCredit},

    // Load that has a word of its own. Without one a 5xx may be anything.
    {200, kAny, Word, "overloaded_error", Outcome::Overloaded},
    {200, kAny, Word, "overloaded", Outcome::Overloaded},
    {200, kAny, Word, "engine_overloaded_error", Outcome::Overloaded},
    {200, kAny, Word, "engine_overloaded", Outcome::Overloaded},
    {200, kAny, Word, "provider_overloaded", Outcome::Overloaded},
    {200, kAny, Word, "capacity_exceeded", Outcome::Overloaded},
    {200, kAny, Word, "service_tier_capacity_exceeded", Outcome::Overloaded},
    {200, kAny, Word, "model_capacity_exhausted", Outcome::Overloaded},
    {200, kAny, Word, "queue_exceeded", Outcome::Overloaded},
    {200, kAny, Word, "slow_down", Outcome::Overloaded},
    {500, 599, Text, "overloaded", Outcome::Overloaded},
    {500, 599, Text, "over capacity", Outcome::Overloaded},
    {500, 599, Text, "capacity exceeded", Outcome::Overloaded},
    {500, 599, Text, "no capacity available", Outcome::Overloaded},
    {500, 599, Text, "too busy", Outcome::Overloaded},
    {500, 599, Text, "server busy", Outcome::Overloaded},
    {500, 599, Text, "queue is full", Outcome::Overloaded},
    {498, 498, Status, "", Outcome::Overloaded},
    {529, 529, Status, "", Outcome::Overloaded},

    // Rate limits; the words may count tokens, as those of a prompt that is too long do.
    {200, kAny, Word, "rate_limit_error", Outcome::RateLimited},
    {200, kAny, Word, "rate_limit_exceeded", Outcome::RateLimited},
    {200, 499, Word, "resource_exhausted", Outcome::RateLimited},
    {403, 403, Text, "out of call volume quota", Outcome::RateLimited},
    {429, 429, Status, "", Outcome::RateLimited},

    // The prompt does not fit. A server that answers so with 5xx is still well.
    {200, 599, Word, "context_length_exceeded", Outcome::ContextOverflow},
    {200, 599, Word, "exceed_context_size_error", Outcome::ContextOverflow},
    {200, 599, Word, "context_window_exceeded", Outcome::ContextOverflow},
    {200, 599, Word, "model_context_window_exceeded", Outcome::ContextOverflow},
    {200, 599, Word, "model_max_prompt_tokens_exceeded", Outcome::ContextOverflow},
    {200, 599, Text, "maximum context length", Outcome::ContextOverflow},
    {200, 599, Text, "longer than the model's context length", Outcome::ContextOverflow},
    {200, 599, Text, "less than the context length of the model", Outcome::ContextOverflow},
    {200, 599, Text, "the model's context length is only", Outcome::ContextOverflow},
    {200, 599, Text, "longer than the maximum model length", Outcome::ContextOverflow},
    {200, 599, Text, "greater than the context length", Outcome::ContextOverflow},
    {200, 599, Text, "prompt is too long", Outcome::ContextOverflow},
    {200, 599, Text, "prompt too long; exceeded", Outcome::ContextOverflow},
    {200, 599, Text, "prompt exceeds max length", Outcome::ContextOverflow},
    {200, 599, Text, "exceed context limit", Outcome::ContextOverflow},
    {200, 599, Text, "context window exceeds limit", Outcome::ContextOverflow},
    {200, 599, Text, "exceeds the context window", Outcome::ContextOverflow},
    {200, 599, Text, "exceeds the model's context", Outcome::ContextOverflow},
    {200, 599, Text, "context length exceeded", Outcome::ContextOverflow},
    {200, 599, Text, "contextwindowexceedederror", Outcome::ContextOverflow},
    {200, 599, Text, "exceeds the available context size", Outcome::ContextOverflow},
    {200, 599, Text, "exceeded model token limit", Outcome::ContextOverflow},
    {200, 599, Text, "tokens exceed the configured limit", Outcome::ContextOverflow},
    {200, 599, Text, "maximum prompt length", Outcome::ContextOverflow},
    {200, 599, Text, "exceeds the maximum allowed input length", Outcome::ContextOverflow},
    {200, 599, Text, "tokens) exceeds the maximum allowed length", Outcome::ContextOverflow},
    {200, 599, Text, "tokens in the prompt cannot exceed", Outcome::ContextOverflow},
    {200, 599, Text, "range of input length should be", Outcome::ContextOverflow},
    {200, 599, Text, "input is too long for requested model", Outcome::ContextOverflow},
    {200, 599, Text, "exceeds the maximum number of tokens allowed", Outcome::ContextOverflow},
    {200, 599, Text, "reduce the length of the messages", Outcome::ContextOverflow},
    {200, 599, Text, "`inputs` tokens + `max_new_tokens` must be", Outcome::ContextOverflow},
    {200, 599, Text, "`inputs` must have less than", Outcome::ContextOverflow},

    // The route names a model that is not there, or not for us.
    {200, 499, Word, "model_not_found", Outcome::ModelUnavailable},
    {200, 499, Word, "model_not_available", Outcome::ModelUnavailable},
    {200, 499, Word, "model_not_supported", Outcome::ModelUnavailable},
    {200, 499, Word, "model_decommissioned", Outcome::ModelUnavailable},
    {200, 499, Word, "invalid_model", Outcome::ModelUnavailable},
    {200, 499, Word, "unknown_model", Outcome::ModelUnavailable},
    {200, 499, Word, "unavailable_model", Outcome::ModelUnavailable},
    {200, 499, Word, "operationnotsupported", Outcome::ModelUnavailable},
    {200, 200, Word, "not_found_error", Outcome::ModelUnavailable},
    {400, 400, Text, "is not a valid model id", Outcome::ModelUnavailable},
    {400, 400, Text, "model not exist", Outcome::ModelUnavailable},
    {400, 400, Text, "location is not supported for the api use", Outcome::ModelUnavailable},
    // 405 and 410: the base URL or the model is no longer what the configuration says.
    {404, 405, Status, "", Outcome::ModelUnavailable},
    {410, 410, Status, "", Outcome::ModelUnavailable},
    // Weir sends no conditions, so what fails is something about the account or the deployment.
    {412, 412, Status, "", Outcome::ModelUnavailable},
    {300, 399, Status, "", Outcome::ModelUnavailable},

    // Credentials; some providers answer a bad key with 400.
    {200, 499, Word, "invalid_api_key", Outcome::Auth},
    {200, 499, Word, "api_key_invalid", Outcome::Auth},
    {200, 499, Word, "authentication_error", Outcome::Auth},
    {200, 499, Word, "organization_restricted", Outcome::Auth},
    {200, 200, Word, "permission_error", Outcome::Auth},
    {400, 400, Text, "incorrect api key provided", Outcome::Auth},
    {400, 400, Text, "api key not valid", Outcome::Auth},
    {400, 400, Text, "api key expired", Outcome::Auth},
    {400, 400, Text, "organization has been disabled", Outcome::Auth},
    {401, 401, Status, "", Outcome::Auth},
    {403, 403, Status, "", Outcome::Auth},
    {407, 407, Status, "", Outcome::Auth},

    // The server had no time for the request, which is what a full one says.
    {408, 408, Status, "", Outcome::Overloaded},
    {425, 425, Status, "", Outcome::Overloaded},

    // What is left: the caller's own mistakes, then the provider's. A 499 says that someone hung
    // up, and it was not us; TGI gives up under a 424.
    {424, 424, Word, "generation", Outcome::ServerError},
    {499, 499, Status, "", Outcome::ServerError},
    {200, 200, Word, "invalid_request_error", Outcome::BadRequest},
    {200, 200, Word, "invalid_request", Outcome::BadRequest},
    {200, 200, Word, "invalid_argument", Outcome::BadRequest},
    {200, 200, Word, "badrequesterror", Outcome::BadRequest},
    {200, 200, Word, "request_too_large", Outcome::BadRequest},
    {200, 200, Word, "validation", Outcome::BadRequest},
    {400, 499, Status, "", Outcome::BadRequest},
    {0, kAny, Status, "", Outcome::ServerError},
});

} // namespace

std::span<const FailureRule> failureRules()
{
    return kRules;
}

} // namespace weir::protocol
