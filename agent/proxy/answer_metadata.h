// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/proxy/answer_head.h"
#include "common/model/price.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir::proxy {

/// The member `"weir":{…}` for a client that asked for it (`X-Weir-Metadata`): what the response
/// headers say, and what the answer used and cost as far as it is known.
[[nodiscard]] std::string metadataMember(
    const AnswerFields& fields, const TokenUsage& usage, std::optional<std::int64_t> costMicroUsd);

/// Puts a member at the end of the JSON object that `text` is.
void addMember(std::string& text, std::string_view member);

/// Puts a member at the end of the last event whose data are a JSON object; a terminator, comments
/// and pings may follow it. `events` stay as they are where there is none.
void addMemberToLastEvent(std::string& events, std::string_view member);

} // namespace weir::proxy
