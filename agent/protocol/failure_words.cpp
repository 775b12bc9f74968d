// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/failure_words.h"

namespace weir::protocol {

FailureWords failureWords(Outcome outcome)
{
    switch (outcome) {
    case Outcome::Auth:
        return {"authentication_error", "invalid_api_key", "authentication_error"};
    case Outcome::NoCredit:
        return {"insufficient_quota", "insufficient_quota", "billing_error"};
    case Outcome::RateLimited:
        return {"rate_limit_error", "rate_limit_exceeded", "rate_limit_error"};
    case Outcome::Overloaded:
        return {"overloaded_error", "", "overloaded_error"};
    case Outcome::ModelUnavailable:
        return {"invalid_request_error", "model_not_found", "not_found_error"};
    case Outcome::Refused:
        return {"invalid_request_error", "content_filter", ""};
    case Outcome::ContextOverflow:
        return {"invalid_request_error", "context_length_exceeded", "invalid_request_error"};
    case Outcome::BadRequest:
        return {"invalid_request_error", "", ""};
    default:
        return {"api_error", "", ""};
    }
}

} // namespace weir::protocol
