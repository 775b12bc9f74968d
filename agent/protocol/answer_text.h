// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/api.h"
#include "agent/protocol/json_tree.h"
#include "agent/protocol/sse.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace weir::protocol {

/// What an answer says, for whoever has to judge it: the text of its only choice, reasoning left
/// out. An answer that is more than that (a tool call, a second choice) has no text here, nor has
/// one of Responses or Embeddings.
class AnswerText final
{
public:
    /// `bytesMax`: of the text as written in JSON; more than that is not kept.
    AnswerText(Api api, std::size_t bytesMax);

    /// Bytes of a stream of events, as they arrive.
    void feed(std::string_view bytes);

    /// A whole JSON answer, with `kBodyPadding` readable bytes behind it.
    void readDocument(std::string_view body);

    [[nodiscard]] bool isTooLong() const { return m_isTooLong; }

    /// The protocol itself calls the text a refusal.
    [[nodiscard]] bool isRefusal() const { return m_isRefusal; }

    /// Nothing where it is more than one text, too long, or not to be read.
    [[nodiscard]] std::optional<std::string> text() const;

private:
    void readChunk(const json::Node& chunk);
    void readEvent(const json::Node& event);
    void readMessage(const json::Node& message);
    void readBlock(const json::Node& block);
    void append(const json::Node& text);

    Api m_api;
    std::size_t m_bytesMax;
    SseFramer m_framer;
    json::Tree m_tree;
    /// As between the quotes of a JSON string.
    std::string m_text;
    bool m_isMixed = false;
    bool m_isTooLong = false;
    bool m_isRefusal = false;
};

} // namespace weir::protocol
