// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/http/head.h"
#include "common/model/call_record.h"
#include "common/model/settings.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir::proxy {

/// What every answer says of its own making (contract section 2, response headers).
struct AnswerFields
{
    std::string_view requestId;
    /// Empty where no route was reached.
    std::string_view provider;
    std::string_view route;
    EffectiveMode mode = EffectiveMode::Fixed;
    Reason reason = Reason::Fixed;
    /// Nothing before the request has a ladder.
    std::optional<int> level;
    int attempts = 0;
    std::optional<std::chrono::milliseconds> retryAfter;
    std::optional<bool> shouldRetry;
    /// The drill that had a hand in it; empty = none.
    std::string_view drill{};
    /// Lines for a browser (`ClientRequest::cors`), or empty.
    std::string_view cors;
};

/// How the body that follows is framed towards the client.
struct AnswerFraming
{
    /// Nothing = chunked for HTTP/1.1, until the end of the connection for HTTP/1.0.
    std::optional<std::uint64_t> contentLength;
    int versionMinor = 1;
    bool keepAlive = true;
};

/// A whole head. `passed` are lines copied from the upstream by `passedFields`, or empty.
[[nodiscard]] std::string answerHead(
    int status,
    std::string_view contentType,
    const AnswerFields& fields,
    const AnswerFraming& framing,
    std::string_view passed);

/// The upstream's fields that a client may see, as lines: request ids and rate-limit figures, never
/// cookies or anything of the connection.
[[nodiscard]] std::string passedFields(const http::ResponseHead& head);

} // namespace weir::proxy
