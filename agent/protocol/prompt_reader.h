// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/json_view.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace weir::protocol {

/// Reads what stands in a request's prompt, in either protocol, as the request is walked through:
/// the texts that name a conversation, images, and reasoning state that only its issuer can
/// continue.
class PromptReader final
{
public:
    /// Anthropic's top-level `system`.
    [[nodiscard]] json::error_code readSystem(json::od::value& value);

    /// The array of messages.
    [[nodiscard]] json::error_code readMessages(json::od::value& value);

    /// An element of `messages` is no object.
    [[nodiscard]] bool hasBadMessage() const { return m_hasBadMessage; }

    [[nodiscard]] bool hasImages() const { return m_hasImages; }

    [[nodiscard]] bool hasIssuersState() const { return m_hasIssuersState; }

    /// See `RequestFacts::promptHash`.
    [[nodiscard]] std::uint64_t hash() const;

private:
    using Texts = std::vector<std::string_view>;

    json::error_code readMessage(json::od::value& value);
    json::error_code readContent(json::od::value& value, Texts& texts, int depth);
    json::error_code readPart(json::od::value& value, Texts& texts, int depth);
    json::error_code readToolCalls(json::od::value& value);

    Texts m_topSystemTexts;
    Texts m_systemTexts;
    Texts m_userTexts;
    bool m_hasUser = false;
    bool m_hasBadMessage = false;
    bool m_hasImages = false;
    bool m_hasIssuersState = false;
};

} // namespace weir::protocol
