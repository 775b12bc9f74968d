// SPDX-License-Identifier: Apache-2.0
#include "tests/fake_provider/prompt.h"

#include "tests/fake_provider/pairing.h"

namespace weir::fake {

namespace {

using simdjson::dom::array;
using simdjson::dom::element;

constexpr std::uint64_t kHashStart = 0xcbf29ce484222325u; // FNV-1a, 64 bit
constexpr std::uint64_t kHashPrime = 0x100000001b3u;

struct Prompt
{
    std::uint64_t hash = kHashStart;
    std::uint64_t bytes = 0;

    void add(std::string_view text)
    {
        bytes += text.size();
        for (const char each : text)
            hash = (hash ^ static_cast<unsigned char>(each)) * kHashPrime;
    }

    [[nodiscard]] std::uint64_t tokens() const { return (bytes + 3) / 4; }
};

std::uint64_t toolResultsIn(element message)
{
    std::uint64_t count = 0;
    array parts;
    if (message["content"].get_array().get(parts) != simdjson::SUCCESS) return count;
    for (element part : parts) {
        std::string_view type;
        if (part["type"].get_string().get(type) == simdjson::SUCCESS && type == "tool_result")
            ++count;
    }
    return count;
}

void addMessage(std::string_view role, const std::string& text, Prompt& prompt, Ask& ask)
{
    prompt.add(role);
    prompt.add(text);
    ask.prefixes.push_back({prompt.hash, prompt.tokens()});
    ask.prefill = role == "assistant" ? text : "";
    ask.toolAnswered = false;
    if (role == "user") ask.lastUserText = text;
}

void addToolResults(std::uint64_t count, Ask& ask)
{
    ask.toolResults += count;
    ask.toolAnswered = count > 0;
}

} // namespace

std::string textOf(element content)
{
    std::string_view text;
    if (content.get_string().get(text) == simdjson::SUCCESS) return std::string(text);
    std::string all;
    array parts;
    if (content.get_array().get(parts) != simdjson::SUCCESS) return all;
    for (element part : parts) {
        if (part["text"].get_string().get(text) == simdjson::SUCCESS)
            all += text;
        else if (element inner; part["content"].get(inner) == simdjson::SUCCESS)
            all += textOf(inner);
    }
    return all;
}

Status<> readMessages(element root, Ask& ask)
{
    Prompt prompt;
    if (element system; root["system"].get(system) == simdjson::SUCCESS) prompt.add(textOf(system));
    array messages;
    if (root["messages"].get_array().get(messages) != simdjson::SUCCESS)
        return fail("bad_request", "messages", "messages must be an array");
    if (messages.size() == 0) return fail("bad_request", "messages", "messages must not be empty");
    for (element message : messages) {
        std::string_view role;
        if (message["role"].get_string().get(role) != simdjson::SUCCESS)
            return fail("bad_request", "messages", "every message needs a role");
        element content;
        const std::string text =
            message["content"].get(content) == simdjson::SUCCESS ? textOf(content) : std::string();
        const std::uint64_t results = role == "tool" ? 1 : toolResultsIn(message);
        addMessage(results > 0 ? "tool" : role, text, prompt, ask);
        if (results > 0) addToolResults(results, ask);
    }
    ask.inputTokens = prompt.tokens();
    return ask.protocol == Protocol::OpenAi ? checkChatPairs(messages)
                                            : checkMessagesPairs(messages);
}

Status<> readItems(element root, Ask& ask)
{
    Prompt prompt;
    element part;
    if (root["instructions"].get(part) == simdjson::SUCCESS) prompt.add(textOf(part));
    if (root["input"].get(part) != simdjson::SUCCESS)
        return fail("bad_request", "input", "Missing required parameter: 'input'.");
    array items;
    if (part.get_array().get(items) != simdjson::SUCCESS) {
        addMessage("user", textOf(part), prompt, ask);
        ask.inputTokens = prompt.tokens();
        return {};
    }
    for (element item : items) {
        std::string_view role;
        std::string_view type;
        if (item["role"].get_string().get(role) == simdjson::SUCCESS) {
            element content;
            addMessage(
                role,
                item["content"].get(content) == simdjson::SUCCESS ? textOf(content) : "",
                prompt,
                ask);
        } else if (
            item["type"].get_string().get(type) == simdjson::SUCCESS &&
            type == "function_call_output") {
            addMessage(type, simdjson::minify(item), prompt, ask);
            addToolResults(1, ask);
        } else {
            addMessage("item", simdjson::minify(item), prompt, ask);
        }
    }
    ask.inputTokens = prompt.tokens();
    std::string_view earlier;
    return checkItemPairs(
        items, root["previous_response_id"].get_string().get(earlier) == simdjson::SUCCESS);
}

void readInputs(element root, Ask& ask)
{
    element input;
    if (root["input"].get(input) != simdjson::SUCCESS) return;
    Prompt prompt;
    array inputs;
    if (input.get_array().get(inputs) == simdjson::SUCCESS) {
        ask.embeddingInputs = inputs.size();
        for (element each : inputs)
            prompt.add(textOf(each));
    } else {
        prompt.add(textOf(input));
    }
    ask.inputTokens = prompt.tokens();
}

} // namespace weir::fake
