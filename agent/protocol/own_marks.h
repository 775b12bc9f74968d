// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace weir::protocol {

/// The signature of a thinking block that holds reasoning of an OpenAI-protocol upstream: nobody
/// signed it, nobody needs it to go on. A client sends such blocks back with its next request.
inline constexpr std::string_view kOwnSignature = "weir:unsigned";

/// `format` of the `reasoning_details` that carry an Anthropic answer's thinking blocks through a
/// client of OpenAI's protocol. Each is of one of the two types; its `index` is the block's place
/// in the answer's content, where all texts count as one and what was left out as none:
/// `{"type":"reasoning.text","text":…,"signature":…,"format":…,"index":0}`
/// `{"type":"reasoning.encrypted","data":…,"format":…,"index":1}`
inline constexpr std::string_view kReasoningFormat = "anthropic-claude-v1";
inline constexpr std::string_view kReasoningText = "reasoning.text";
inline constexpr std::string_view kReasoningEncrypted = "reasoning.encrypted";

} // namespace weir::protocol
