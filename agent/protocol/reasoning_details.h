// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/json_raw.h"
#include "agent/protocol/json_writer.h"

#include <cstdint>

namespace weir::protocol {

/// Counts the blocks of an Anthropic answer as the client's next request will have them: all texts
/// are one content there, and what was left out does not come back. A signed block is given the
/// place that it must be put back at.
class BlockPlaces final
{
public:
    void text()
    {
        if (!m_hasText) ++m_next;
        m_hasText = true;
    }

    /// Of the next block that is no text.
    [[nodiscard]] std::int64_t next() { return m_next++; }

private:
    std::int64_t m_next = 0;
    bool m_hasText = false;
};

/// Write the elements of `reasoning_details` that own_marks.h describes.

void writeThinkingDetail(
    json::Raw text, json::Raw signature, std::int64_t index, json::Writer& writer);

void writeRedactedDetail(json::Raw data, std::int64_t index, json::Writer& writer);

} // namespace weir::protocol
