// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/json_writer.h"
#include "common/model/config.h"
#include "common/model/price.h"

namespace weir::protocol {

/// Writes a `usage` object as that protocol counts: OpenAI's prompt holds what came out of a cache
/// or went into it, Anthropic's input does not (wire cases B080, B095). A count that is unknown is
/// written as 0, because clients add them up.
void writeUsage(Protocol to, const TokenUsage& usage, json::Writer& writer);

/// Both sides of the bill are known; else an OpenAI client is told nothing (wire case B087).
[[nodiscard]] bool isWholeUsage(const TokenUsage& usage);

} // namespace weir::protocol
