// SPDX-License-Identifier: Apache-2.0
#include "tests/fake_provider/strict_blocks.h"

#include "tests/fake_provider/plan.h"

namespace weir::fake {

namespace {

constexpr std::size_t kIdMax = 256;
constexpr int kCacheMarksMax = 4;

} // namespace

std::string at(const std::string& where, std::size_t index)
{
    return where + "." + std::to_string(index);
}

void BlockReader::refuse(const std::string& where, const std::string& detail)
{
    m_verdict.refuse("bad_request", where, where.empty() ? detail : where + ": " + detail);
}

void BlockReader::checkKnown(const Json& object, const std::string& where, Names known)
{
    if (const auto name = unknownMember(object, known, m_script))
        refuse(where.empty() ? *name : where + "." + *name, "Extra inputs are not permitted");
}

void BlockReader::countMark(const Json& object)
{
    const Json& mark = memberOf(object, "cache_control");
    if (mark.is_null()) return;
    if (textIn(mark, "type") != "ephemeral" || unknownMember(mark, {"type", "ttl"}, m_script))
        refuse("cache_control", "Input tag does not match any of the expected tags: 'ephemeral'");
    if (++m_marks > kCacheMarksMax)
        refuse("", "A maximum of 4 blocks with cache_control may be provided.");
}

void BlockReader::checkText(const Json& block, const std::string& where)
{
    checkKnown(block, where + ".text", {"type", "text", "cache_control", "citations"});
    const std::string text = textIn(block, "text");
    const std::string top = where.substr(0, where.find('.'));
    if (text.empty())
        refuse(top, "text content blocks must be non-empty");
    else if (isBlank(text))
        refuse(top, "text content blocks must contain non-whitespace text");
}

void BlockReader::checkImage(const Json& block, const std::string& where)
{
    checkKnown(block, where + ".image", {"type", "source", "cache_control", "transformations"});
    const Json& source = memberOf(block, "source");
    const std::string type = textIn(source, "type");
    const std::string inner = where + ".image.source." + type;
    if (type == "base64") {
        checkKnown(source, inner, {"type", "media_type", "data"});
        if (!isOneOf(
                textIn(source, "media_type"),
                {"image/jpeg", "image/png", "image/gif", "image/webp"}))
            refuse(
                inner + ".media_type",
                "Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'");
        if (!isBase64(textIn(source, "data")))
            refuse(where + ".image.source.base64", "invalid base64 data");
    } else if (type == "url") {
        checkKnown(source, inner, {"type", "url"});
        if (!textIn(source, "url").starts_with("http"))
            refuse(inner + ".url", "Only HTTPS URLs are supported.");
    } else if (type != "file") {
        refuse(where + ".image.source", "Input tag '" + type + "' does not match");
    }
}

void BlockReader::checkReasoning(const Json& block, const std::string& where)
{
    const bool open = textIn(block, "type") == "thinking";
    if (open)
        checkKnown(block, where + ".thinking", {"type", "thinking", "signature"});
    else
        checkKnown(block, where + ".redacted_thinking", {"type", "data"});
    // Of redacted reasoning nothing but its own data can be checked; the fake's starts so.
    const bool genuine =
        open ? textIn(block, "signature") == signatureOf(textIn(block, "thinking"), m_script.seed)
             : textIn(block, "data").starts_with("FAKE/+");
    if (!genuine)
        refuse(
            where,
            open ? "Invalid `signature` in `thinking` block"
                 : "Invalid `data` in `redacted_thinking` block");
}

void BlockReader::checkToolUse(const Json& block, const std::string& where)
{
    checkKnown(
        block,
        where + ".tool_use",
        {"type", "id", "name", "input", "cache_control", "caller", "toolset_name"});
    if (!isIdentifier(textIn(block, "id"), kIdMax))
        refuse(where + ".tool_use.id", "String should match pattern '^[a-zA-Z0-9_-]+$'");
    if (!isIdentifier(textIn(block, "name"), kAnthropicNameMax))
        refuse(where + ".tool_use.name", "String should match pattern '^[a-zA-Z0-9_-]{1,128}$'");
    if (!memberOf(block, "input").is_object())
        refuse(where + ".tool_use.input", "Input should be a valid dictionary");
}

void BlockReader::checkToolResult(const Json& block, const std::string& where)
{
    checkKnown(
        block,
        where + ".tool_result",
        {"type", "tool_use_id", "content", "is_error", "cache_control", "toolset_name"});
    if (!isIdentifier(textIn(block, "tool_use_id"), kIdMax))
        refuse(
            where + ".tool_result.tool_use_id", "String should match pattern '^[a-zA-Z0-9_-]+$'");
    const Json& content = memberOf(block, "content");
    if (!content.is_array()) return;
    for (std::size_t index = 0; index < content.size(); ++index) {
        const std::string inner = at(where + ".tool_result.content", index);
        if (!isOneOf(
                textIn(content[index], "type"),
                {"text", "image", "document", "search_result", "tool_reference"}))
            refuse(inner, "Input tag does not match any of the expected tags");
        check(content[index], inner);
    }
}

void BlockReader::check(const Json& block, const std::string& where)
{
    const std::string type = textIn(block, "type");
    countMark(block);
    if (type == "text") checkText(block, where);
    if (type == "image") checkImage(block, where);
    if (isOneOf(type, {"thinking", "redacted_thinking"})) checkReasoning(block, where);
    if (type == "tool_use") checkToolUse(block, where);
    if (type == "tool_result") checkToolResult(block, where);
    if (!isOneOf(
            type,
            {"text",
             "image",
             "document",
             "search_result",
             "thinking",
             "redacted_thinking",
             "tool_use",
             "tool_result",
             "tool_reference",
             "server_tool_use",
             "web_search_tool_result",
             "web_fetch_tool_result",
             "container_upload"}))
        refuse(
            where,
            "Input tag '" + type +
                "' found using 'type' does not match any of the expected tags: 'text', 'image', "
                "'document', 'thinking', 'redacted_thinking', 'tool_use', 'tool_result'");
}

} // namespace weir::fake
