// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weir::protocol {

/// What an error body says, whichever of the usual shapes it has: `{"error":{…}}` (OpenAI,
/// Anthropic, Google, OpenRouter), `{"error":"…"}`, `{"message":…,"code":…}`, `{"detail":…}`,
/// `{"errors":[…]}`, `{"base_resp":{…}}` (MiniMax), any of them in an array, in `choices[0]`, or as
/// text inside another one's message.
struct Envelope
{
    /// An error was found in JSON.
    bool isError = false;
    /// It looks like a page.
    bool isHtml = false;
    std::string type;
    std::string code;
    /// Further words for the kind: Google's `status` and `details[].reason`, OpenRouter's
    /// `metadata.error_type`, Azure's `innererror.code`, Anthropic's `details.error_code`, those of
    /// an envelope inside this one.
    std::vector<std::string> words;
    std::string message;
    std::string param;
    /// The words of the provider behind an aggregator (OpenRouter's `metadata.raw`): for looking
    /// only.
    std::string inner;
    /// 400 to 599 where the code is an HTTP status, else 0.
    int status = 0;
};

/// Bodies above 256 KiB are not read as JSON.
[[nodiscard]] Envelope readEnvelope(std::string_view body);

} // namespace weir::protocol
