// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/api.h"
#include "agent/protocol/classify.h"
#include "common/model/config.h"
#include "common/model/price.h"

#include <optional>
#include <string>
#include <string_view>

namespace weir::protocol {

/// What a complete JSON answer (not a stream) says.
struct AnswerFacts
{
    /// `Ok`, `Length`, `Refused` (content policy), `Malformed`, or the class of the error envelope.
    Outcome outcome = Outcome::Ok;
    std::string finishReason;
    TokenUsage usage;
    /// Where `outcome` is a failure: what to tell the client.
    std::optional<Failure> failure;
};

/// Reads the body of a 200 that is not an event stream. Empty content with `length`, tool calls, a
/// content filter or only reasoning is an answer; no choices, HTML or an error envelope is none.
/// `body` must be followed by `kBodyPadding` readable bytes.
[[nodiscard]] AnswerFacts readAnswer(Api api, std::string_view body, UtcTime now);

[[nodiscard]] inline AnswerFacts readAnswer(Protocol protocol, std::string_view body, UtcTime now)
{
    return readAnswer(conversationApi(protocol), body, now);
}

/// What the provider's word for the end of an answer means (finish_words.h): `Length`, `Refused`,
/// `ServerError` or, whatever else it says, `Ok`.
[[nodiscard]] Outcome outcomeOfFinish(std::string_view finishReason);

} // namespace weir::protocol
