// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/content_blocks.h"
#include "agent/protocol/json_node.h"
#include "agent/protocol/stream_event.h"
#include "agent/protocol/usage.h"
#include "common/base/time.h"
#include "common/model/price.h"

#include <cstddef>
#include <string>

namespace weir::protocol {

/// Makes an Anthropic stream out of the chunks of an OpenAI stream, of which the first choice
/// counts. Appends whole events to `out`.
class ChatToMessages final
{
public:
    /// `counts` are those seen so far, this chunk's too.
    void read(const json::Node& chunk, const UsageCounts& counts, UtcTime now, std::string& out);

    /// A chunk that is one piece of text or arguments; false where it must be read in whole.
    [[nodiscard]] bool addText(const StreamEvent& chunk, std::string& out);

    /// Stop reason, usage and `message_stop`; once only. The usage is held until then because most
    /// servers send it behind the finish reason (wire case B063).
    void end(const TokenUsage& usage, UtcTime now, std::string& out);

    /// A tool call ended before its arguments did (but for an answer that says it was cut): the
    /// stream must not end as if it were whole.
    [[nodiscard]] bool hasBrokenCall() const { return m_blocks.hasBrokenCall(); }

    /// Text that waits for its turn.
    [[nodiscard]] std::size_t heldBytes() const { return m_blocks.heldBytes(); }

private:
    void start(const TokenUsage& known, UtcTime now, std::string& out);
    void readChoice(const json::Node& choice, std::string& out);
    void closeBlocks(std::string& out);
    void readDelta(const json::Node& delta, std::string& out);

    ContentBlocks m_blocks;
    /// As written, like all texts here.
    std::string m_id;
    std::string m_model;
    std::string m_finishReason;
    std::string m_stopSequence;
    bool m_hasStarted = false;
    bool m_hasEnded = false;
};

} // namespace weir::protocol
