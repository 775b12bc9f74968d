// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/classify.h"
#include "common/base/result.h"
#include "common/base/time.h"
#include "common/model/config.h"

#include <string>
#include <string_view>

namespace weir::protocol {

/// A whole JSON answer in the other protocol, after `readAnswer` found it good. `paddedBody` has
/// `kBodyPadding` readable bytes behind it; `now` stands for what an Anthropic answer does not say,
/// when it was made. Texts stay the bytes that the provider wrote. Content that the other protocol
/// has no words for (Anthropic's server tools and their results) is left out.
/// Fails as `Malformed` where a tool call's arguments are no JSON object.
[[nodiscard]] Result<std::string, Failure>
translateAnswer(Protocol from, std::string_view paddedBody, UtcTime now);

} // namespace weir::protocol
