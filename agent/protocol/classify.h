// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/http/head.h"
#include "agent/protocol/errors.h"
#include "common/base/time.h"
#include "common/model/outcome.h"

#include <chrono>
#include <optional>
#include <span>
#include <string_view>

namespace weir::protocol {

/// What a provider's refusal means (contract section 3: the body decides before the status).
struct Failure
{
    Outcome outcome = Outcome::ServerError;
    /// What the client is told where this failure is the answer: the provider's own words and
    /// status.
    ApiError error;
    std::optional<std::chrono::milliseconds> retryAfter;
    /// The provider's `x-should-retry`, passed on unchanged.
    std::optional<bool> shouldRetry;
};

/// Classifies an answer whose status is not 2xx, or the error envelope found in a 200 (then
/// `status` is the code in the envelope, or 200). `body` needs no padding and may be anything, HTML
/// too.
[[nodiscard]] Failure
classify(int status, std::span<const http::Field> fields, std::string_view body, UtcTime now);

} // namespace weir::protocol
