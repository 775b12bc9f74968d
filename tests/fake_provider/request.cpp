// SPDX-License-Identifier: Apache-2.0
#include "tests/fake_provider/request.h"

#include "tests/fake_provider/example.h"
#include "tests/fake_provider/prompt.h"

#include <array>

namespace weir::fake {

namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

struct Path
{
    std::string_view end;
    Endpoint endpoint;
    Protocol protocol;
};

constexpr std::array kPaths{
    Path{"/chat/completions", Endpoint::Chat, Protocol::OpenAi},
    Path{"/messages", Endpoint::Chat, Protocol::Anthropic},
    Path{"/responses", Endpoint::Responses, Protocol::OpenAi},
    Path{"/embeddings", Endpoint::Embeddings, Protocol::OpenAi},
    Path{"/models", Endpoint::Models, Protocol::OpenAi},
};

std::string_view wordOf(element from, std::string_view key)
{
    std::string_view word;
    return from[key].get_string().get(word) == simdjson::SUCCESS ? word : std::string_view();
}

/// What is the same in the three ways to describe a tool: Chat Completions alone has its name and
/// schema one level down.
element described(element tool)
{
    element function;
    return tool["function"].get(function) == simdjson::SUCCESS ? function : tool;
}

std::string argumentsFor(element tool)
{
    element schema;
    const bool known = tool["parameters"].get(schema) == simdjson::SUCCESS ||
                       tool["input_schema"].get(schema) == simdjson::SUCCESS;
    const std::string arguments = known ? exampleOf(schema, schema) : "{}";
    return arguments.starts_with('{') ? arguments : "{}";
}

/// The name in tool_choice, if one is demanded there.
std::string_view readToolChoice(element root, Ask& ask)
{
    element choice;
    if (root["tool_choice"].get(choice) != simdjson::SUCCESS) return "";
    std::string_view word;
    if (choice.get_string().get(word) == simdjson::SUCCESS) {
        ask.toolDemanded = word == "required";
        return "";
    }
    word = wordOf(choice, "type");
    ask.toolDemanded = word == "any" || word == "tool" || word == "function";
    return wordOf(described(choice), "name");
}

void readTools(element root, Ask& ask)
{
    const std::string_view wanted = readToolChoice(root, ask);
    array tools;
    if (root["tools"].get_array().get(tools) != simdjson::SUCCESS) return;
    for (element each : tools) {
        const element tool = described(each);
        const std::string_view name = wordOf(tool, "name");
        if (name.empty() || (!wanted.empty() && name != wanted)) continue;
        ask.tool = ToolCall{std::string(name), argumentsFor(tool)};
        return;
    }
}

/// Where each protocol takes the schema of a structured answer.
void readAnswerSchema(element root, Ask& ask)
{
    for (const char* place :
         {"/response_format/json_schema/schema",
          "/text/format/schema",
          "/output_config/format/schema",
          "/output_format/schema"}) {
        element schema;
        if (root.at_pointer(place).get(schema) == simdjson::SUCCESS)
            ask.schemaAnswer = exampleOf(schema, schema);
    }
}

void readInclude(element root, Ask& ask)
{
    array wishes;
    if (root["include"].get_array().get(wishes) != simdjson::SUCCESS) return;
    for (element wish : wishes) {
        std::string_view word;
        ask.encryptedReasoning |= wish.get_string().get(word) == simdjson::SUCCESS &&
                                  word == "reasoning.encrypted_content";
    }
}

} // namespace

Result<Ask> askOf(std::string_view path)
{
    path = path.substr(0, path.find('?'));
    for (const Path& known : kPaths) {
        if (!path.ends_with(known.end)) continue;
        Ask ask;
        ask.endpoint = known.endpoint;
        ask.protocol = known.protocol;
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
        return fail("bad_request", "", "the body is not a JSON object");
    std::string_view model;
    if (root["model"].get_string().get(model) != simdjson::SUCCESS)
        return fail("bad_request", "model", "model must be a string");
    ask.model = model;
    for (const auto field : top)
        ask.parameters.emplace_back(field.key);
    if (ask.endpoint == Endpoint::Embeddings) {
        ask.base64Embeddings = wordOf(root, "encoding_format") == "base64";
        readInputs(root, ask);
        return {};
    }
    bool flag = false;
    ask.stream = root["stream"].get_bool().get(flag) == simdjson::SUCCESS && flag;
    ask.includeUsage =
        root["stream_options"]["include_usage"].get_bool().get(flag) == simdjson::SUCCESS && flag;
    for (const char* name : {"max_tokens", "max_completion_tokens", "max_output_tokens"}) {
        std::uint64_t count = 0;
        if (root[name].get_uint64().get(count) == simdjson::SUCCESS) ask.maxTokens = count;
    }
    if (ask.protocol == Protocol::Anthropic && !ask.maxTokens)
        return fail("bad_request", "max_tokens", "max_tokens: Field required");
    readTools(root, ask);
    readAnswerSchema(root, ask);
    if (ask.endpoint == Endpoint::Chat) return readMessages(root, ask);
    readInclude(root, ask);
    return readItems(root, ask);
}

} // namespace weir::fake
