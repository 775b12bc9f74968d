// SPDX-License-Identifier: Apache-2.0
#include "tests/fake_provider/strict_blocks.h"

#include <algorithm>

namespace weir::fake {

namespace {

constexpr std::int64_t kBudgetMin = 1024;

/// Fields that only a beta knows, and its value of the anthropic-beta header, without its date.
struct BetaField
{
    std::string_view field;
    std::string_view beta;
};

constexpr BetaField kBetaFields[] = {
    {"context_management", "context-management"},
    {"mcp_servers", "mcp-client"},
    {"compaction", "compact"},
    {"thread", "threads"},
};

/// One Messages request against the rules of its provider.
class Reader final
{
public:
    Reader(const Json& body, const Script& script, Verdict& verdict)
        : m_body(body)
        , m_script(script)
        , m_blocks(script, verdict)
    {
    }

    void checkHead(const Caller& caller);
    void checkTop(const Caller& caller);
    void checkSampling();
    void checkThinking();
    void checkSystem();
    void checkTools();
    void checkToolChoice();
    void checkMessages();

private:
    void refuse(const std::string& where, const std::string& detail)
    {
        m_blocks.refuse(where, detail);
    }

    void checkKnown(const Json& object, const std::string& where, Names known)
    {
        m_blocks.checkKnown(object, where, known);
    }

    void checkTool(const Json& tool, const std::string& where);
    void checkContent(const Json& message, const std::string& where, bool last);
    void checkLoopKeepsThinking(const Json& messages);

    [[nodiscard]] bool thinks() const
    {
        return textIn(memberOf(m_body, "thinking"), "type") == "enabled";
    }

    const Json& m_body;
    const Script& m_script;
    BlockReader m_blocks;
};

void Reader::checkHead(const Caller& caller)
{
    if (caller.version.empty()) refuse("anthropic-version", "header is required");
    if (m_script.betas.empty()) return;
    std::string_view left = caller.betas;
    while (!left.empty()) {
        std::string_view beta = left.substr(0, left.find(','));
        left.remove_prefix(std::min(left.size(), beta.size() + 1));
        beta.remove_prefix(std::min(beta.size(), beta.find_first_not_of(' ')));
        const auto& known = m_script.betas;
        if (std::find(known.begin(), known.end(), beta) == known.end())
            refuse(
                "",
                "Unexpected value(s) `" + std::string(beta) + "` for the `anthropic-beta` header.");
    }
}

void Reader::checkTop(const Caller& caller)
{
    Json known = m_body;
    for (const BetaField& each : kBetaFields) {
        if (caller.betas.find(each.beta) != std::string::npos) known.erase(std::string(each.field));
    }
    checkKnown(known, "", {"model",         "messages",      "max_tokens",    "cache_control",
                           "container",     "diagnostics",   "inference_geo", "metadata",
                           "output_config", "output_format", "service_tier",  "stop_sequences",
                           "stream",        "system",        "temperature",   "thinking",
                           "tool_choice",   "tools",         "top_k",         "top_p",
                           "speed"});
    checkKnown(memberOf(m_body, "metadata"), "metadata", {"user_id"});
    checkKnown(memberOf(m_body, "output_config"), "output_config", {"effort", "format"});
    m_blocks.countMark(m_body);
    for (const Json& sequence : memberOf(m_body, "stop_sequences")) {
        if (!sequence.is_string() || isBlank(sequence.get<std::string>()))
            refuse("stop_sequences", "each stop sequence must contain non-whitespace");
    }
}

void Reader::checkSampling()
{
    if (!memberOf(m_body, "max_tokens").is_number_unsigned())
        refuse("max_tokens", "Input should be a valid integer");
    for (const char* name : {"temperature", "top_p"}) {
        if (m_body.contains(name) && m_body[name].is_null())
            refuse(name, "Input should be a valid number");
        if (!isWithin(m_body, name, 0, 1)) refuse(name, "range: 0..1");
    }
}

void Reader::checkThinking()
{
    const Json& thinking = memberOf(m_body, "thinking");
    if (thinking.is_null()) return;
    const std::string type = textIn(thinking, "type");
    if (!isOneOf(type, {"enabled", "disabled", "adaptive", "between_tools"}))
        refuse("thinking", "Input tag '" + type + "' does not match any of the expected tags");
    checkKnown(thinking, "thinking." + type, {"type", "budget_tokens", "display"});
    if (type != "enabled") return;
    const Json& budget = memberOf(thinking, "budget_tokens");
    if (!budget.is_number_integer() || budget.get<std::int64_t>() < kBudgetMin)
        refuse("thinking.enabled.budget_tokens", "Input should be greater than or equal to 1024");
    else if (memberOf(m_body, "max_tokens") <= budget)
        refuse("", "`max_tokens` must be greater than `thinking.budget_tokens`.");
    if (!isWithin(m_body, "temperature", 1, 1))
        refuse("", "`temperature` may only be set to 1 when thinking is enabled.");
    if (isOneOf(textIn(memberOf(m_body, "tool_choice"), "type"), {"any", "tool"}))
        refuse("", "Thinking may not be enabled when tool_choice forces tool use.");
}

void Reader::checkSystem()
{
    const Json& system = memberOf(m_body, "system");
    if (!system.is_array()) return;
    for (std::size_t index = 0; index < system.size(); ++index) {
        if (textIn(system[index], "type") != "text")
            refuse(at("system", index) + ".type", "Input should be 'text'");
        m_blocks.checkText(system[index], "system");
        m_blocks.countMark(system[index]);
    }
}

void Reader::checkTool(const Json& tool, const std::string& where)
{
    // Tools of the provider's own have names and fields of their own.
    const std::string type = textIn(tool, "type");
    m_blocks.countMark(tool);
    if (!type.empty() && type != "custom") return;
    checkKnown(
        tool,
        where + ".custom",
        {"type",
         "name",
         "description",
         "input_schema",
         "cache_control",
         "strict",
         "eager_input_streaming",
         "defer_loading",
         "allowed_callers",
         "input_examples"});
    if (!isIdentifier(textIn(tool, "name"), kAnthropicNameMax))
        refuse(where + ".custom.name", "String should match pattern '^[a-zA-Z0-9_-]{1,128}$'");
    const Json& schema = memberOf(tool, "input_schema");
    if (textIn(schema, "type") != "object")
        refuse(where + ".custom.input_schema.type", "Input should be 'object'");
    if (tool.contains("description") && !tool["description"].is_string())
        refuse(where + ".custom.description", "Input should be a valid string");
}

void Reader::checkTools()
{
    const Json& tools = memberOf(m_body, "tools");
    if (!tools.is_array()) return;
    for (std::size_t index = 0; index < tools.size(); ++index) {
        checkTool(tools[index], at("tools", index));
        for (std::size_t other = 0; other < index; ++other) {
            if (textIn(tools[index], "name") == textIn(tools[other], "name"))
                refuse("tools", "Tool names must be unique.");
        }
    }
}

void Reader::checkToolChoice()
{
    const Json& choice = memberOf(m_body, "tool_choice");
    if (choice.is_null()) return;
    const std::string type = textIn(choice, "type");
    if (!isOneOf(type, {"auto", "any", "tool", "none"}))
        refuse(
            "tool_choice",
            "Input tag '" + type +
                "' found using 'type' does not match any of the expected tags: 'auto', 'any', "
                "'tool', 'none'");
    checkKnown(choice, "tool_choice." + type, {"type", "name", "disable_parallel_tool_use"});
    if (type == "none" && choice.contains("disable_parallel_tool_use"))
        refuse("tool_choice.none.disable_parallel_tool_use", "Extra inputs are not permitted");
    if (!memberOf(m_body, "tools").is_array() || m_body["tools"].empty())
        refuse("tool_choice", "may only be specified while providing tools.");
}

void Reader::checkContent(const Json& message, const std::string& where, bool last)
{
    const Json& content = memberOf(message, "content");
    const bool assistant = textIn(message, "role") == "assistant";
    const bool empty = content.is_string() ? isBlank(content.get<std::string>()) : content.empty();
    if (!content.is_string() && !content.is_array())
        refuse(where + ".content", "Input should be a valid list");
    else if (empty && !(assistant && last))
        refuse(
            where,
            "all messages must have non-empty content except for the optional final assistant "
            "message");
    if (!content.is_array()) return;
    for (std::size_t index = 0; index < content.size(); ++index) {
        const std::string inner = at(where + ".content", index);
        const std::string type = textIn(content[index], "type");
        if (assistant ? type == "tool_result"
                      : isOneOf(type, {"tool_use", "thinking", "redacted_thinking"}))
            refuse(
                inner,
                "`" + type + "` blocks can not be in `" + textIn(message, "role") + "` messages");
        m_blocks.check(content[index], inner);
    }
}

/// With manual thinking on, the turn that a tool loop goes on from begins with its thinking.
void Reader::checkLoopKeepsThinking(const Json& messages)
{
    if (!thinks() || messages.size() < 2) return;
    const Json& results = memberOf(messages.back(), "content");
    const Json& turn = memberOf(messages[messages.size() - 2], "content");
    if (!results.is_array() || results.empty() || textIn(results[0], "type") != "tool_result")
        return;
    const std::string first = turn.is_array() && !turn.empty() ? textIn(turn[0], "type") : "text";
    if (!isOneOf(first, {"thinking", "redacted_thinking"}))
        refuse(
            at("messages", messages.size() - 2) + ".content.0.type",
            "Expected `thinking` or `redacted_thinking`, but found `" + first +
                "`. When `thinking` is enabled, a final `assistant` message must start with a "
                "thinking block.");
}

void Reader::checkMessages()
{
    const Json& messages = memberOf(m_body, "messages");
    if (!messages.is_array()) return;
    for (std::size_t index = 0; index < messages.size(); ++index) {
        const std::string where = at("messages", index);
        const std::string role = textIn(messages[index], "role");
        checkKnown(messages[index], where, {"role", "content"});
        if (!isOneOf(role, {"user", "assistant"}) && !letsPass(m_script, role))
            refuse(
                "messages",
                "Unexpected role \"" + role +
                    "\". The Messages API accepts a top-level `system` parameter, not \"system\" "
                    "as an input message role.");
        if (index == 0 && role == "assistant")
            refuse("messages", "first message must use the \"user\" role");
        checkContent(messages[index], where, index + 1 == messages.size());
    }
    checkLoopKeepsThinking(messages);
    const Json& last = messages.empty() ? messages : messages.back();
    if (textIn(last, "role") == "assistant" && !textIn(last, "content").empty() &&
        isBlank(textIn(last, "content").substr(textIn(last, "content").size() - 1)))
        refuse("messages", "final assistant content cannot end with trailing whitespace");
}

} // namespace

void checkAnthropic(const Json& body, const Caller& caller, const Script& script, Verdict& verdict)
{
    Reader reader(body, script, verdict);
    reader.checkHead(caller);
    reader.checkTop(caller);
    reader.checkSampling();
    reader.checkThinking();
    reader.checkSystem();
    reader.checkTools();
    reader.checkToolChoice();
    reader.checkMessages();
}

} // namespace weir::fake
