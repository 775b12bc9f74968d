// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/api.h"
#include "agent/protocol/json_raw.h"
#include "agent/protocol/usage.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace weir::protocol {

/// What one event of an answer that streams says. Its views point into the event's data.
struct StreamEvent
{
    bool isError = false;
    /// A choice stands in it (OpenAI).
    bool hasChoices = false;
    /// All bytes of an `error` that is not the event's own but of something in it.
    std::string_view innerError;
    json::Raw type;
    json::Raw blockType;
    std::string finishReason;
    /// One bit a choice, by index.
    std::uint64_t seenChoices = 0;
    std::uint64_t finishedChoices = 0;
    UsageCounts counts;
    OutputSeen output;
};

/// Reads data with `kBodyPadding` readable bytes behind them. False where they are no JSON object;
/// then `event` holds nothing that counts.
[[nodiscard]] bool readStreamEvent(Api api, std::string_view padded, StreamEvent& event);

} // namespace weir::protocol
