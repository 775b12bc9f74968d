// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/config.h"

#include <cstdint>
#include <string_view>

namespace weir::protocol {

/// What a translated request must know of the route that it goes to. Views hold for the call.
struct TranslationTarget
{
    /// The route's protocol, which is not the client's.
    Protocol protocol = Protocol::OpenAi;
    std::string_view upstreamModel;
    /// Fills `max_tokens` where the target's protocol demands it and the client gave none (wire
    /// case B084); 0 = unknown.
    std::int64_t maxOutputTokens = 0;
    /// An OpenAI-protocol route that understands `cache_control` marks (wire case B090).
    bool cacheMarks = false;
    /// A route that takes the wish for more or less reasoning.
    bool reasoning = false;
    /// `stream_options` may be sent (wire case B086).
    bool streamOptions = true;
    /// What the length limit is called there: `max_tokens` or `max_completion_tokens` (B083).
    std::string_view maxTokensName = "max_tokens";
};

} // namespace weir::protocol
