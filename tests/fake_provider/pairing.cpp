// SPDX-License-Identifier: Apache-2.0
#include "tests/fake_provider/pairing.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace weir::fake {

namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using Ids = std::vector<std::string_view>;

std::string_view wordOf(element from, std::string_view key)
{
    std::string_view word;
    return from[key].get_string().get(word) == simdjson::SUCCESS ? word : std::string_view();
}

/// What stands in the array of that name; nothing if there is none.
std::vector<element> partsOf(element from, std::string_view key)
{
    array list;
    if (from[key].get_array().get(list) != simdjson::SUCCESS) return {};
    return {list.begin(), list.end()};
}

bool has(const Ids& ids, std::string_view id)
{
    return std::find(ids.begin(), ids.end(), id) != ids.end();
}

std::string joined(const Ids& ids)
{
    std::string all;
    for (const std::string_view id : ids)
        all.append(all.empty() ? "" : ", ").append(id);
    return all;
}

tl::unexpected<Error> unansweredChat(const Ids& open, std::size_t at)
{
    return fail(
        "bad_request",
        "messages.[" + std::to_string(at) + "].role",
        "An assistant message with 'tool_calls' must be followed by tool messages responding to "
        "each 'tool_call_id'. The following tool_call_ids did not have response messages: " +
            joined(open));
}

tl::unexpected<Error> unansweredMessages(const Ids& open, std::size_t at)
{
    return fail(
        "bad_request",
        "messages." + std::to_string(at),
        "messages." + std::to_string(at) +
            ": `tool_use` ids were found without `tool_result` blocks immediately after: " +
            joined(open) +
            ". Each `tool_use` block must have a corresponding `tool_result` block in the next "
            "message.");
}

/// The turns of a Messages conversation: what stands together under one role, over as many messages
/// as it takes.
class Turns final
{
public:
    Status<> add(element message, std::size_t at)
    {
        const std::string_view role = wordOf(message, "role");
        if (role != m_role) {
            // The turn that is over was to bring the results of the calls before it.
            if (m_role != "assistant" && !m_open.empty())
                return unansweredMessages(m_open, m_calledAt);
            m_role = role;
            m_leading = true;
        }
        // Text alone may be given without a block.
        if (message["content"].is_string()) m_leading = false;
        for (element block : partsOf(message, "content")) {
            if (auto added = addBlock(block, at); !added) return added;
        }
        return {};
    }

    [[nodiscard]] Status<> end() const
    {
        if (!m_open.empty()) return unansweredMessages(m_open, m_calledAt);
        return {};
    }

private:
    Status<> addBlock(element block, std::size_t at)
    {
        const std::string_view type = wordOf(block, "type");
        if (m_role == "assistant") {
            if (type != "tool_use") return {};
            const std::string_view id = wordOf(block, "id");
            if (has(m_seen, id))
                return fail(
                    "bad_request",
                    "messages." + std::to_string(at),
                    "messages." + std::to_string(at) + ": `tool_use` ids must be unique");
            m_open.push_back(id);
            m_seen.push_back(id);
            m_calledAt = at;
            return {};
        }
        if (type != "tool_result") {
            m_leading = false;
            return {};
        }
        const std::string_view id = wordOf(block, "tool_use_id");
        if (m_leading && std::erase(m_open, id) > 0) return {};
        if (!m_open.empty()) return unansweredMessages(m_open, m_calledAt);
        return fail(
            "bad_request",
            "messages." + std::to_string(at),
            "messages." + std::to_string(at) +
                ": unexpected `tool_use_id` found in `tool_result` blocks: " + std::string(id) +
                ". Each `tool_result` block must have a corresponding `tool_use` block in the "
                "previous message.");
    }

    std::string_view m_role;
    bool m_leading = true; // nothing but results so far in this turn
    Ids m_open;            // calls whose results are due
    Ids m_seen;
    std::size_t m_calledAt = 0;
};

} // namespace

Status<> checkChatPairs(array messages)
{
    Ids open;
    std::size_t at = 0;
    for (element message : messages) {
        const std::string_view role = wordOf(message, "role");
        if (role == "tool") {
            if (std::erase(open, wordOf(message, "tool_call_id")) == 0)
                return fail(
                    "bad_request",
                    "messages.[" + std::to_string(at) + "].role",
                    "Invalid parameter: messages with role 'tool' must be a response to a "
                    "preceeding message with 'tool_calls'.");
        } else if (!open.empty()) {
            return unansweredChat(open, at);
        }
        for (element call : partsOf(message, "tool_calls"))
            open.push_back(wordOf(call, "id"));
        ++at;
    }
    if (!open.empty()) return unansweredChat(open, at);
    return {};
}

Status<> checkMessagesPairs(array messages)
{
    Turns turns;
    std::size_t at = 0;
    for (element message : messages) {
        if (auto added = turns.add(message, at++); !added) return added;
    }
    return turns.end();
}

Status<> checkItemPairs(array items, bool continues)
{
    Ids calls;
    Ids results;
    for (element item : items) {
        const std::string_view type = wordOf(item, "type");
        if (type == "function_call") calls.push_back(wordOf(item, "call_id"));
        if (type == "function_call_output") results.push_back(wordOf(item, "call_id"));
    }
    for (const std::string_view id : calls) {
        if (!has(results, id))
            return fail(
                "bad_request",
                "input",
                "No tool output found for function call " + std::string(id) + ".");
    }
    for (const std::string_view id : results) {
        if (!continues && !has(calls, id))
            return fail(
                "bad_request",
                "input",
                "No tool call found for function call output with call_id " + std::string(id) +
                    ".");
    }
    return {};
}

} // namespace weir::fake
