// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

namespace weir::protocol {

/// Makes the ids of tool calls what Anthropic takes: letters, digits, `_` and `-`, each once in a
/// request. Other servers write "functions.f:0", or the same "call_0" in every turn. What an id
/// becomes depends on those before it alone, so that it stays the same in the next turn's request.
class ToolIds final
{
public:
    /// The name of the next call of the conversation.
    [[nodiscard]] std::string next(std::string_view given);

private:
    /// With the number that the next equal one gets, so that many equal ones cost no search.
    std::unordered_map<std::string, int> m_taken;
};

/// A name that Anthropic takes for a tool.
[[nodiscard]] bool isToolName(std::string_view name);

} // namespace weir::protocol
