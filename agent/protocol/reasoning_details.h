// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/json_raw.h"
#include "agent/protocol/json_writer.h"

#include <cstdint>

namespace weir::protocol {

/// Write the elements of `reasoning_details` that own_marks.h describes; `index` is the block's
/// place in the answer's content.

void writeThinkingDetail(
    json::Raw text, json::Raw signature, std::int64_t index, json::Writer& writer);

void writeRedactedDetail(json::Raw data, std::int64_t index, json::Writer& writer);

} // namespace weir::protocol
