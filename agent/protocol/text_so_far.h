// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/api.h"
#include "agent/protocol/json_tree.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace weir::protocol {

/// The text of an answer while it streams, for as long as it is one text and nothing else: only
/// that can be gone on with elsewhere (`mid_stream = "continue"`). A tool call, reasoning or a
/// second choice ends it.
class TextSoFar final
{
public:
    explicit TextSoFar(Api api)
        : m_api(api)
    {
    }

    /// One event's data, with `kBodyPadding` readable bytes behind it.
    void read(std::string_view padded);

    [[nodiscard]] bool isMixed() const { return m_isMixed; }

    /// As between the quotes of a JSON string.
    [[nodiscard]] const std::string& text() const { return m_text; }

private:
    void readChunk(const json::Node& chunk);
    void readMessagesEvent(const json::Node& event);

    Api m_api;
    json::Tree m_tree;
    std::string m_text;
    bool m_isMixed = false;
};

/// Where in whole events of that call the first one with output begins; their size where none has.
[[nodiscard]] std::size_t outputStart(Api api, std::string_view events);

} // namespace weir::protocol
