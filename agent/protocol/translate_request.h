// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/errors.h"
#include "agent/protocol/json_node.h"
#include "agent/protocol/translation_target.h"
#include "common/base/result.h"

#include <optional>
#include <string>

namespace weir::protocol {

/// Why `request`, which `client` sent, cannot be expressed in the target's protocol; nothing where
/// it can. The error is a 400 whose `param` and message name the member as the client's protocol
/// calls it. Copies no texts, so that every request can be asked about before a route is chosen.
[[nodiscard]] std::optional<ApiError>
inexpressible(Protocol client, const json::Node& request, const TranslationTarget& target);

/// The whole body for the target: model name, length limit and `stream_options` included. What has
/// an effect on the answer is translated or refused, never left out; what has none
/// (`ignored_members.cpp` lists it) goes no further. Texts and schemas stay the bytes that the
/// client wrote; equal requests give equal bodies; the translated prompt of a conversation's turn
/// is a prefix of the next turn's (wire case B091).
[[nodiscard]] Result<std::string, ApiError>
translateRequest(Protocol client, const json::Node& request, const TranslationTarget& target);

} // namespace weir::protocol
