// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/translation.h"

#include <cstdint>
#include <vector>

namespace weir::protocol {

/// Thinking blocks of an Anthropic answer that a client of OpenAI's protocol sends back as
/// `reasoning_details` (see own_marks.h): each is put back at the place it had, byte for byte,
/// because its issuer signed it (wire cases B078, B079).
class ReasoningSlots final
{
public:
    explicit ReasoningSlots(const Translation& to)
        : m_to(to)
    {
    }

    /// Looks through what the message carries.
    [[nodiscard]] bool read(const json::Node& details, const Place& place);

    [[nodiscard]] bool isEmpty() const { return m_blocks.empty(); }

    /// Writes those whose places come before the next other block, which is about to be written.
    void beforeBlock();

    /// Writes those at the end; refuses where one has found no place.
    [[nodiscard]] bool atEnd(const Place& place);

private:
    struct Block
    {
        json::Node node;
        std::int64_t index = 0;
    };

    void writeDue();

    const Translation& m_to;
    std::vector<Block> m_blocks;
    std::size_t m_written = 0;
    std::int64_t m_place = 0;
};

} // namespace weir::protocol
