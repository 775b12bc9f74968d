// SPDX-License-Identifier: Apache-2.0
#include "tests/fake_provider/strict_rules.h"

namespace weir::fake {

namespace {

constexpr std::size_t kNameMax = 64;
constexpr std::size_t kCallIdMax = 40;
constexpr std::size_t kStopMax = 4;

std::string at(const std::string& where, std::size_t index)
{
    return where + "[" + std::to_string(index) + "]";
}

/// One Chat Completions request against the rules of its provider.
class Reader final
{
public:
    Reader(const Json& body, const Script& script, Verdict& verdict)
        : m_body(body)
        , m_script(script)
        , m_verdict(verdict)
    {
    }

    void checkTop();
    void checkNumbers();
    void checkTools();
    void checkFormat();
    void checkMessages();

private:
    void refuse(const std::string& code, const std::string& where, const std::string& detail)
    {
        m_verdict.refuse(code, where, detail);
    }

    void checkKnown(const Json& object, const std::string& where, Names known);
    void checkFunction(const Json& function, const std::string& where);
    void checkStrictSchema(const Json& schema, const std::string& where);
    void checkMessage(const Json& message, const std::string& where);
    void checkContent(const Json& message, const std::string& where);
    void checkPart(const Json& part, const std::string& role, const std::string& where);
    void checkCalls(const Json& message, const std::string& where);

    const Json& m_body;
    const Script& m_script;
    Verdict& m_verdict;
};

void Reader::checkKnown(const Json& object, const std::string& where, Names known)
{
    const auto name = unknownMember(object, known, m_script);
    if (!name) return;
    const std::string place = where.empty() ? *name : where + "." + *name;
    refuse("unknown_parameter", place, "Unknown parameter: '" + place + "'.");
}

void Reader::checkTop()
{
    checkKnown(
        m_body,
        "",
        {"model",
         "messages",
         "audio",
         "frequency_penalty",
         "function_call",
         "functions",
         "logit_bias",
         "logprobs",
         "max_completion_tokens",
         "max_tokens",
         "metadata",
         "modalities",
         "n",
         "parallel_tool_calls",
         "prediction",
         "presence_penalty",
         "prompt_cache_key",
         "prompt_cache_retention",
         "reasoning_effort",
         "response_format",
         "safety_identifier",
         "seed",
         "service_tier",
         "stop",
         "store",
         "stream",
         "stream_options",
         "temperature",
         "tool_choice",
         "tools",
         "top_logprobs",
         "top_p",
         "user",
         "verbosity",
         "web_search_options"});
    checkKnown(
        memberOf(m_body, "stream_options"),
        "stream_options",
        {"include_usage", "include_obfuscation"});
    if (m_body.contains("stream_options") && memberOf(m_body, "stream") != true)
        refuse(
            "bad_request",
            "stream_options",
            "The 'stream_options' parameter is only allowed when 'stream' is enabled.");
    if (m_body.contains("max_tokens") && m_body.contains("max_completion_tokens"))
        refuse(
            "invalid_parameter_combination",
            "max_tokens",
            "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.");
    const Json& stop = memberOf(m_body, "stop");
    if (stop.is_array() && (stop.empty() || stop.size() > kStopMax))
        refuse(
            "array_above_max_length",
            "stop",
            "Invalid 'stop': expected an array of 1 to 4 elements.");
    const Json& metadata = memberOf(m_body, "metadata");
    for (const auto& [name, value] : metadata.items()) {
        if (!value.is_string())
            refuse(
                "invalid_type", "metadata." + name, "Invalid type for 'metadata': expected string");
    }
}

void Reader::checkNumbers()
{
    struct Range
    {
        const char* name;
        double low;
        double high;
    };

    for (const Range& range :
         {Range{"temperature", 0, 2},
          Range{"top_p", 0, 1},
          Range{"frequency_penalty", -2, 2},
          Range{"presence_penalty", -2, 2},
          Range{"n", 1, 128},
          Range{"top_logprobs", 0, 20},
          Range{"max_tokens", 1, 1e9},
          Range{"max_completion_tokens", 1, 1e9}}) {
        if (!isWithin(m_body, range.name, range.low, range.high))
            refuse(
                "invalid_value",
                range.name,
                "Invalid '" + std::string(range.name) + "': out of range.");
    }
    const Json& effort = memberOf(m_body, "reasoning_effort");
    if (!effort.is_null() && !isOneOf(
                                 textIn(m_body, "reasoning_effort"),
                                 {"none", "minimal", "low", "medium", "high", "xhigh", "max"}))
        refuse("invalid_value", "reasoning_effort", "Invalid value for 'reasoning_effort'.");
}

void Reader::checkStrictSchema(const Json& schema, const std::string& where)
{
    if (textIn(schema, "type") == "object" && memberOf(schema, "additionalProperties") != false)
        refuse(
            "invalid_function_parameters",
            where,
            "Invalid schema: 'additionalProperties' is required to be supplied and to be false.");
}

void Reader::checkFunction(const Json& function, const std::string& where)
{
    checkKnown(function, where, {"name", "description", "parameters", "strict"});
    if (!isIdentifier(textIn(function, "name"), kNameMax))
        refuse(
            "invalid_value",
            where + ".name",
            "Invalid '" + where +
                ".name': string does not match pattern. Expected a string that matches the "
                "pattern '^[a-zA-Z0-9_-]+$' of at most 64 characters.");
    const Json& parameters = memberOf(function, "parameters");
    if (!parameters.is_null() && textIn(parameters, "type") != "object")
        refuse(
            "invalid_function_parameters",
            where + ".parameters",
            "Invalid schema for function: schema must be of type 'object'.");
    if (memberOf(function, "strict") == true) checkStrictSchema(parameters, where + ".parameters");
}

void Reader::checkTools()
{
    const Json& tools = memberOf(m_body, "tools");
    if (tools.is_array() && tools.empty())
        refuse("empty_array", "tools", "Invalid 'tools': empty array.");
    for (const char* name : {"tool_choice", "parallel_tool_calls"}) {
        if (m_body.contains(name) && !tools.is_array())
            refuse(
                "bad_request",
                name,
                "Invalid value for '" + std::string(name) + "': '" + name +
                    "' is only allowed when 'tools' are specified.");
    }
    if (!tools.is_array()) return;
    for (std::size_t index = 0; index < tools.size(); ++index) {
        const std::string where = at("tools", index);
        const std::string type = textIn(tools[index], "type");
        if (!isOneOf(type, {"function", "custom"}))
            refuse(
                "invalid_value",
                where + ".type",
                "Invalid value: '" + type + "'. Supported values are: 'function' and 'custom'.");
        if (type != "function") continue;
        checkKnown(tools[index], where, {"type", "function"});
        checkFunction(memberOf(tools[index], "function"), where + ".function");
    }
    const Json& choice = memberOf(m_body, "tool_choice");
    if (choice.is_string() && !isOneOf(textIn(m_body, "tool_choice"), {"none", "auto", "required"}))
        refuse("invalid_value", "tool_choice", "Invalid value for 'tool_choice'.");
    checkKnown(choice, "tool_choice", {"type", "function", "allowed_tools", "custom"});
}

void Reader::checkFormat()
{
    const Json& format = memberOf(m_body, "response_format");
    if (format.is_null()) return;
    checkKnown(format, "response_format", {"type", "json_schema"});
    const std::string type = textIn(format, "type");
    if (!isOneOf(type, {"text", "json_object", "json_schema"}))
        refuse("invalid_value", "response_format.type", "Invalid value: '" + type + "'.");
    if (type != "json_schema") return;
    const Json& described = memberOf(format, "json_schema");
    const std::string where = "response_format.json_schema";
    checkKnown(described, where, {"name", "description", "schema", "strict"});
    if (!isIdentifier(textIn(described, "name"), kNameMax))
        refuse("missing_required_parameter", where + ".name", "Missing required parameter: name.");
    if (memberOf(described, "strict") == true)
        checkStrictSchema(memberOf(described, "schema"), where + ".schema");
}

void Reader::checkPart(const Json& part, const std::string& role, const std::string& where)
{
    const std::string type = textIn(part, "type");
    const bool known = role == "user" ? isOneOf(type, {"text", "image_url", "input_audio", "file"})
                                      : isOneOf(type, {"text", "refusal"}) &&
                                            (role == "assistant" || type == "text");
    if (!known)
        refuse(
            "invalid_value",
            where,
            "Invalid value: '" + type + "'. It is not supported in a message of role '" + role +
                "'.");
    if (type == "text") {
        checkKnown(part, where, {"type", "text", "prompt_cache_breakpoint"});
        if (!memberOf(part, "text").is_string())
            refuse("invalid_type", where + ".text", "Invalid type: expected a string.");
    }
    if (type == "image_url") {
        checkKnown(part, where, {"type", "image_url", "prompt_cache_breakpoint"});
        const Json& image = memberOf(part, "image_url");
        checkKnown(image, where + ".image_url", {"url", "detail"});
        const std::string url = textIn(image, "url");
        const std::size_t comma = url.find(";base64,");
        const bool data = url.starts_with("data:image/") && comma != std::string::npos &&
                          isBase64(std::string_view(url).substr(comma + 8));
        if (!data && !url.starts_with("http"))
            refuse("invalid_base64", where + ".image_url.url", "Invalid base64 image_url.");
    }
}

void Reader::checkContent(const Json& message, const std::string& where)
{
    const Json& content = memberOf(message, "content");
    const std::string role = textIn(message, "role");
    const std::string place = where + ".content";
    const bool maybeNull =
        role == "assistant" && (message.contains("tool_calls") || message.contains("refusal") ||
                                message.contains("function_call"));
    if (content.is_null()) {
        if (!maybeNull)
            refuse(
                "invalid_type", place, "Invalid value for 'content': expected a string, got null.");
        return;
    }
    if (content.is_string()) return;
    if (!content.is_array()) {
        refuse("invalid_type", place, "Invalid type for '" + place + "'.");
        return;
    }
    if (content.empty())
        refuse(
            "empty_array",
            place,
            "Invalid '" + place + "': empty array. Expected an array with minimum length 1.");
    for (std::size_t index = 0; index < content.size(); ++index)
        checkPart(content[index], role, at(place, index));
}

void Reader::checkCalls(const Json& message, const std::string& where)
{
    if (!message.contains("tool_calls")) return;
    const Json& calls = message["tool_calls"];
    const std::string place = where + ".tool_calls";
    if (!calls.is_array() || calls.empty())
        refuse("empty_array", place, "Invalid '" + place + "': empty array.");
    for (std::size_t index = 0; calls.is_array() && index < calls.size(); ++index) {
        const Json& call = calls[index];
        const std::string inner = at(place, index);
        // SDKs leave the index of a streamed call in what they send back.
        checkKnown(call, inner, {"id", "type", "function", "custom", "index"});
        const std::string id = textIn(call, "id");
        if (id.empty())
            refuse("missing_required_parameter", inner + ".id", "Missing required parameter: id.");
        if (id.size() > kCallIdMax)
            refuse(
                "string_above_max_length",
                inner + ".id",
                "Invalid '" + inner +
                    ".id': string too long. Expected a string with maximum length 40.");
        if (textIn(call, "type") != "function") continue;
        const Json& function = memberOf(call, "function");
        checkKnown(function, inner + ".function", {"name", "arguments"});
        if (!isIdentifier(textIn(function, "name"), kNameMax))
            refuse("invalid_value", inner + ".function.name", "Invalid function name.");
        if (!memberOf(function, "arguments").is_string())
            refuse(
                "invalid_type", inner + ".function.arguments", "Invalid type: expected a string.");
    }
}

void Reader::checkMessage(const Json& message, const std::string& where)
{
    const std::string role = textIn(message, "role");
    if (isOneOf(role, {"system", "developer", "user"})) {
        checkKnown(message, where, {"role", "content", "name"});
    } else if (role == "assistant") {
        checkKnown(
            message,
            where,
            {"role",
             "content",
             "name",
             "refusal",
             "audio",
             "annotations",
             "tool_calls",
             "function_call"});
        checkCalls(message, where);
    } else if (role == "tool") {
        checkKnown(message, where, {"role", "content", "tool_call_id"});
    } else {
        refuse(
            "invalid_value",
            where + ".role",
            "Invalid value: '" + role +
                "'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and "
                "'developer'.");
    }
    checkContent(message, where);
}

void Reader::checkMessages()
{
    const Json& messages = memberOf(m_body, "messages");
    for (std::size_t index = 0; index < messages.size(); ++index)
        checkMessage(messages[index], at("messages", index));
}

} // namespace

void checkChat(const Json& body, const Script& script, Verdict& verdict)
{
    Reader reader(body, script, verdict);
    reader.checkTop();
    reader.checkNumbers();
    reader.checkTools();
    reader.checkFormat();
    reader.checkMessages();
}

} // namespace weir::fake
