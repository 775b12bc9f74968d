// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/json_node.h"

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

namespace weir::protocol {

/// A message, or a call in one, with its place among its kind.
struct Numbered
{
    json::Node node;
    std::size_t index = 0;
};

/// A tool's call in OpenAI's messages.
struct Call
{
    /// As Anthropic gets it.
    std::string id;
    /// Where it stands: the message, and its place in `tool_calls`.
    std::size_t message = 0;
    std::size_t index = 0;
    /// The `tool` message that answers it, once it has come.
    Numbered result;
};

/// The calls of the assistant's last message, in order, as their results come in any order. Some
/// servers give one id to several calls: those are answered in their order.
class OpenCalls final
{
public:
    /// `given` is the id that the client knows.
    void add(const std::string& given, Call call);

    /// False where no call of that id waits.
    [[nodiscard]] bool answer(const std::string& given, const Numbered& result);

    void clear();

    [[nodiscard]] const std::vector<Call>& all() const { return m_calls; }

private:
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    /// Calls of one id that wait.
    struct Waiting
    {
        std::size_t next = kNone;
        std::size_t last = kNone;
    };

    std::vector<Call> m_calls;
    /// By call: the next one with the same id.
    std::vector<std::size_t> m_twins;
    std::unordered_map<std::string, Waiting> m_waiting;
};

} // namespace weir::protocol
