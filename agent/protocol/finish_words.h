// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/config.h"

#include <cstdint>
#include <string_view>

namespace weir::protocol {

/// What a provider's word for the end of an answer means, whichever protocol it is of.
enum class Ending : std::uint8_t { Stop, StopSequence, Length, ToolCalls, ContentFilter, Failed };

/// A word that is not known is `Stop`: it is the end of an answer all the same (wire case B077).
[[nodiscard]] Ending endingOf(std::string_view finishReason);

[[nodiscard]] bool isFinishWord(std::string_view word);

/// The word of that protocol. Servers differ in what they say of an answer that calls tools, so the
/// calls decide between stop and tool use (wire cases B075, B076).
[[nodiscard]] std::string_view finishWord(Protocol to, Ending ending, bool hasToolCalls);

} // namespace weir::protocol
