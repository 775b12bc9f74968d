// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/chat_to_messages.h"
#include "agent/protocol/json_tree.h"
#include "agent/protocol/messages_to_chat.h"
#include "agent/protocol/stream_event.h"

#include <string>
#include <string_view>
#include <variant>

namespace weir::protocol {

/// Makes events of the client's protocol out of those of the upstream's. Appends to `out`.
class StreamTranslator final
{
public:
    StreamTranslator(Protocol to, bool wantsUsage);

    /// One event's data, with `kBodyPadding` readable bytes behind it, and what was read in it.
    /// `counts` are the stream's so far. False where nothing can be made of it: it is no JSON that
    /// could be copied, too much waits for its turn, or a tool call ends half.
    [[nodiscard]] bool read(
        std::string_view padded,
        const StreamEvent& event,
        const UsageCounts& counts,
        UtcTime now,
        std::string& out);

    /// What the client's protocol ends with; once only. False, and nothing written, where a tool
    /// call is half.
    [[nodiscard]] bool end(const TokenUsage& usage, UtcTime now, std::string& out);

    /// See `ChatToMessages::hasBrokenCall`.
    [[nodiscard]] bool hasBrokenCall() const;

private:
    [[nodiscard]] bool addText(const StreamEvent& event, std::string& out);

    json::Tree m_tree;
    std::variant<ChatToMessages, MessagesToChat> m_stream;
};

} // namespace weir::protocol
