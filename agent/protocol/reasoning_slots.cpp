// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/reasoning_slots.h"

#include "agent/protocol/own_marks.h"

namespace weir::protocol {

using json::Node;

bool ReasoningSlots::read(const Node& details, const Place& place)
{
    if (!details.isGiven()) return true;
    if (!details.isArray()) return m_to.refusal.invalid(place, "an array");
    for (const Node detail : details) {
        const Place at = place.element(m_blocks.size());
        const bool isText = detail["type"].is(kReasoningText) && detail["text"].isString() &&
                            detail["signature"].isString() &&
                            !detail["signature"].string().bytes.empty();
        const bool isEncrypted =
            detail["type"].is(kReasoningEncrypted) && detail["data"].isString();
        const auto index = detail["index"].integer();
        if (!detail["format"].is(kReasoningFormat) || !index || (!isText && !isEncrypted)) {
            return m_to.refusal.unsupported(at, "reasoning that another provider has issued");
        }
        m_blocks.push_back({detail, *index});
    }
    return true;
}

void ReasoningSlots::writeDue()
{
    for (; m_written < m_blocks.size() && m_blocks[m_written].index == m_place; ++m_place) {
        const Node detail = m_blocks[m_written++].node;
        m_to.out.beginObject();
        m_to.out.key("type");
        if (detail["type"].is(kReasoningText)) {
            m_to.out.text("thinking");
            writeGiven(m_to.out, "thinking", detail["text"]);
            writeGiven(m_to.out, "signature", detail["signature"]);
        } else {
            m_to.out.text("redacted_thinking");
            writeGiven(m_to.out, "data", detail["data"]);
        }
        m_to.out.endObject();
    }
}

void ReasoningSlots::beforeBlock()
{
    writeDue();
    ++m_place;
}

bool ReasoningSlots::atEnd(const Place& place)
{
    writeDue();
    if (m_written == m_blocks.size()) return true;
    return m_to.refusal.unsupported(
        place.element(m_written), "reasoning whose place in the message cannot be found");
}

} // namespace weir::protocol
