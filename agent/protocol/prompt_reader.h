// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/json_view.h"
#include "agent/protocol/prompt_shape.h"
#include "agent/protocol/row.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace weir::protocol {

/// Reads what stands in a request's prompt, in any API, as the request is walked through: the texts
/// that name a conversation, images, reasoning state that only its issuer can continue, and
/// thinking blocks that Weir itself has made.
class PromptReader final
{
public:
    PromptReader(Api api, std::string_view body)
        : m_api(api)
        , m_body(body)
    {
    }

    /// Texts of the system that stand beside the messages.
    [[nodiscard]] json::error_code readSystem(json::od::value& value);

    /// The array of messages, or of a Responses request's input items.
    [[nodiscard]] json::error_code readMessages(json::od::value& value);

    /// A prompt that is one text, or that is not looked into.
    [[nodiscard]] json::error_code readWhole(json::od::value& value);

    /// An element of `messages` is no object.
    [[nodiscard]] bool hasBadMessage() const { return m_hasBadMessage; }

    [[nodiscard]] bool hasImages() const { return m_shape.images > 0; }

    [[nodiscard]] bool hasIssuersState() const { return m_hasIssuersState; }

    /// JSON that the model reads: a tool's declaration, or what a call holds.
    [[nodiscard]] json::error_code addTools(json::od::value& value);

    [[nodiscard]] const PromptShape& shape() const { return m_shape; }

    /// From now on `texts`, which must outlive the reading, gets all that the shape is made of.
    void keepTexts(std::vector<std::string_view>& texts) { m_kept = &texts; }

    /// The turn whose tools have just answered began with reasoning of Weir's own mark.
    [[nodiscard]] bool cutsTurn() const { return m_cutsTurn; }

    /// See `RequestFacts::promptHash`.
    [[nodiscard]] std::uint64_t hash() const;

    /// Where Weir's own thinking blocks stand in a Messages request; a message that has nothing
    /// else goes whole.
    void appendRemovals(std::vector<Span>& removals) const;

private:
    using Texts = std::vector<std::string_view>;

    struct Message;
    struct Part;

    json::error_code readTexts(json::od::value& value, std::string_view& whole);
    json::error_code readMessage(json::od::value& value);
    json::error_code readField(json::Raw key, json::od::value& field, Message& message);
    json::error_code readContent(json::od::value& value, Texts& texts, int depth);
    json::error_code readPart(json::od::value& value, Texts& texts, int depth);
    json::error_code
    readPartField(json::Raw key, json::od::value& field, Part& part, Texts& texts, int depth);
    json::error_code readToolCalls(json::od::value& value);
    json::error_code placeMessage(const Message& message, json::od::object& object);
    void addText(std::string_view text);
    [[nodiscard]] Span spanOf(std::string_view piece) const;

    Api m_api;
    std::string_view m_body;
    /// Of a Messages request: the messages, and the blocks of the one that is being read.
    Row m_messages;
    Row m_blocks;
    std::vector<Span> m_blockRemovals;
    Texts m_topSystemTexts;
    Texts m_systemTexts;
    Texts m_userTexts;
    PromptShape m_shape;
    Texts* m_kept = nullptr;
    /// Of the message that is being read.
    bool m_callsTool = false;
    bool m_hasToolResult = false;
    bool m_cutsTurn = false;
    bool m_hasUser = false;
    bool m_hasBadMessage = false;
    bool m_hasIssuersState = false;
};

} // namespace weir::protocol
