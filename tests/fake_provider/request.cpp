// SPDX-License-Identifier: Apache-2.0
#include "tests/fake_provider/request.h"

#include <simdjson.h>

#include <array>

namespace weir::fake {

namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

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

/// The text of a content value: a string, or the text of its parts one after another.
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

bool hasToolResult(element message)
{
    array parts;
    if (message["content"].get_array().get(parts) != simdjson::SUCCESS) return false;
    for (element part : parts) {
        std::string_view type;
        if (part["type"].get_string().get(type) == simdjson::SUCCESS && type == "tool_result")
            return true;
    }
    return false;
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
        prompt.add(role);
        prompt.add(text);
        ask.prefixes.push_back({prompt.hash, prompt.tokens()});
        ask.toolAnswered = role == "tool" || hasToolResult(message);
        if (role == "user" && !ask.toolAnswered) ask.lastUserText = text;
    }
    ask.inputTokens = prompt.tokens();
    return {};
}

std::string exampleValue(element schema)
{
    std::string_view type;
    if (schema["type"].get_string().get(type) != simdjson::SUCCESS) return "\"Berlin\"";
    if (type == "integer" || type == "number") return "1";
    if (type == "boolean") return "true";
    if (type == "array") return "[]";
    if (type == "object") return "{}";
    return "\"Berlin\"";
}

std::string exampleArguments(element schema)
{
    std::string text = "{";
    array required;
    if (schema["required"].get_array().get(required) == simdjson::SUCCESS) {
        for (element each : required) {
            std::string_view name;
            element property;
            if (each.get_string().get(name) != simdjson::SUCCESS) continue;
            const bool known = schema["properties"][name].get(property) == simdjson::SUCCESS;
            text += (text.size() > 1 ? ",\"" : "\"") + std::string(name) + "\":";
            text += known ? exampleValue(property) : "null";
        }
    }
    return text + "}";
}

void readTools(element root, Ask& ask)
{
    array tools;
    if (root["tools"].get_array().get(tools) != simdjson::SUCCESS || tools.size() == 0) return;
    element tool = tools.at(0).value();
    if (element function; tool["function"].get(function) == simdjson::SUCCESS) tool = function;
    std::string_view name;
    if (tool["name"].get_string().get(name) != simdjson::SUCCESS) return;
    element schema;
    const bool described = tool["parameters"].get(schema) == simdjson::SUCCESS ||
                           tool["input_schema"].get(schema) == simdjson::SUCCESS;
    ask.firstTool = ToolCall{std::string(name), described ? exampleArguments(schema) : "{}"};
    element choice;
    if (root["tool_choice"].get(choice) != simdjson::SUCCESS) return;
    std::string_view word;
    if (choice.get_string().get(word) == simdjson::SUCCESS)
        ask.toolDemanded = word == "required";
    else if (choice["type"].get_string().get(word) == simdjson::SUCCESS)
        ask.toolDemanded = word == "any" || word == "tool" || word == "function";
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

} // namespace

Result<Ask> askOf(std::string_view path)
{
    path = path.substr(0, path.find('?'));
    Ask ask;
    if (path.ends_with("/chat/completions")) return ask;
    if (path.ends_with("/messages")) {
        ask.protocol = Protocol::Anthropic;
        return ask;
    }
    if (path.ends_with("/embeddings")) {
        ask.endpoint = Endpoint::Embeddings;
        return ask;
    }
    if (path.ends_with("/models")) {
        ask.endpoint = Endpoint::Models;
        return ask;
    }
    return fail("not_found", std::string(path), "no such path");
}

Status<> readBody(std::string_view body, Ask& ask)
{
    // One parser for the life of the thread: its buffers are the costly part.
    thread_local simdjson::dom::parser parser;
    element root;
    object top;
    if (parser.parse(body.data(), body.size()).get(root) != simdjson::SUCCESS ||
        root.get_object().get(top) != simdjson::SUCCESS)
        return fail("bad_request", "body", "the body is not a JSON object");
    std::string_view model;
    if (root["model"].get_string().get(model) != simdjson::SUCCESS)
        return fail("bad_request", "model", "model must be a string");
    ask.model = model;
    for (const auto field : top)
        ask.parameters.emplace_back(field.key);
    if (ask.endpoint == Endpoint::Embeddings) {
        readInputs(root, ask);
        return {};
    }
    bool flag = false;
    ask.stream = root["stream"].get_bool().get(flag) == simdjson::SUCCESS && flag;
    ask.includeUsage =
        root["stream_options"]["include_usage"].get_bool().get(flag) == simdjson::SUCCESS && flag;
    for (const char* name : {"max_tokens", "max_completion_tokens"}) {
        std::uint64_t count = 0;
        if (root[name].get_uint64().get(count) == simdjson::SUCCESS) ask.maxTokens = count;
    }
    if (ask.protocol == Protocol::Anthropic && !ask.maxTokens)
        return fail("bad_request", "max_tokens", "max_tokens: Field required");
    readTools(root, ask);
    return readMessages(root, ask);
}

} // namespace weir::fake
