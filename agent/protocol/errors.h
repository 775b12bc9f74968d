// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/api.h"
#include "agent/protocol/overflow.h"
#include "common/model/config.h"

#include <optional>
#include <string>
#include <string_view>

namespace weir::protocol {

/// An error as a client sees it, before it is put into the shape of a protocol. `message` never
/// holds a secret.
struct ApiError
{
    int status = 500;
    /// OpenAI's `type`.
    std::string type = "api_error";
    /// OpenAI's `code`; empty = null.
    std::string code;
    std::string message;
    /// The parameter, as the client's protocol calls it; empty = null.
    std::string param;
    /// The figures of a context overflow, where they are known.
    std::optional<Overflow> overflow{};
    /// Anthropic's `type`, where it does not follow from the status.
    std::string_view anthropicType{};
    /// Anthropic's `details.error_code`, by which its SDKs know what they can do themselves.
    std::string_view anthropicCode{};
};

/// The JSON body of an error answer: OpenAI `{"error":{"message","type","param","code"}}`,
/// Anthropic
/// `{"type":"error","error":{"type","message","details"}}`. Invalid UTF-8 in the texts is replaced.
[[nodiscard]] std::string errorBody(Protocol protocol, const ApiError& error);

/// The in-band end of a stream that broke after output: one `data: {"error":…}` event (Chat
/// Completions) or one `event: error` (Messages; Responses, where the error's members are the
/// event's own), with its blank line and no terminator after it.
[[nodiscard]] std::string errorEvent(Api api, const ApiError& error);

} // namespace weir::protocol
