// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/prompt_reader.h"

#include "agent/protocol/own_marks.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace weir::protocol {
namespace {

using json::Raw;
using simdjson::error_code;
using simdjson::SUCCESS;
namespace od = json::od;

/// Tool results hold content of their own; deeper nesting than this is no known shape.
constexpr int kContentDepthMax = 3;

/// A picture of many megabytes must not hold up a worker: of a long text the beginning and the size
/// are enough to tell conversations apart.
constexpr std::size_t kHashedBytesMax = 65536;

class Fnv1a final
{
public:
    void add(std::string_view text)
    {
        const std::string_view bytes = text.substr(0, kHashedBytesMax);
        for (std::size_t size = text.size(); size > kHashedBytesMax; size >>= 8U) {
            m_value = (m_value ^ (size & 0xFFU)) * 1099511628211U;
        }
        for (const char c : bytes)
            m_value = (m_value ^ static_cast<unsigned char>(c)) * 1099511628211U;
        // Two texts and their concatenation differ: no byte of UTF-8 is 0xFF.
        m_value = (m_value ^ 0xFFU) * 1099511628211U;
    }

    [[nodiscard]] std::uint64_t value() const { return m_value; }

private:
    std::uint64_t m_value = 14695981039346656037U;
};

} // namespace

struct PromptReader::Message
{
    std::optional<Raw> role;
    std::vector<std::string_view> texts;

    [[nodiscard]] bool isFrom(std::string_view name) const { return role && role->is(name); }
};

/// A content part, as far as it matters here; its members come in any order.
struct PromptReader::Part
{
    std::optional<Raw> type;
    std::optional<Raw> signature;

    [[nodiscard]] bool is(std::string_view name) const { return type && type->is(name); }

    [[nodiscard]] bool isOwn() const
    {
        return is("thinking") && signature && signature->is(kOwnSignature);
    }

    /// Only its issuer can go on with it.
    [[nodiscard]] bool isIssuers() const
    {
        const bool isSigned = signature && !signature->bytes.empty();
        return is("redacted_thinking") || (is("thinking") && isSigned && !isOwn());
    }
};

error_code PromptReader::readSystem(od::value& value)
{
    m_topSystemTexts.clear();
    return readContent(value, m_topSystemTexts, 1);
}

error_code PromptReader::readMessages(od::value& value)
{
    m_hasUser = false;
    m_systemTexts.clear();
    m_userTexts.clear();
    m_messages.clear();
    m_blockRemovals.clear();
    return json::eachElement(value, [this](od::value& message) { return readMessage(message); });
}

error_code PromptReader::readWhole(od::value& value)
{
    std::string_view whole;
    if (const auto text = json::stringIn(value)) {
        whole = text->bytes;
        addText(whole);
    } else if (const error_code error = readTexts(value, whole)) {
        return error;
    }
    m_shape.messages = 1;
    m_hasUser = true;
    m_systemTexts.clear();
    m_userTexts = {whole};
    return SUCCESS;
}

/// A list of prompts, each of which stands alone before the model: the longest counts.
error_code PromptReader::readTexts(od::value& value, std::string_view& whole)
{
    if (json::typeOf(value) != od::json_type::array) return json::wholeOf(value).get(whole);
    od::array array;
    if (const error_code error = value.get_array().get(array)) return error;
    std::string_view longest;
    for (auto result : array) {
        od::value element;
        if (const error_code error = std::move(result).get(element)) return error;
        const std::string_view text = json::stringIn(element).value_or(Raw{}).bytes;
        if (text.size() > longest.size()) longest = text;
    }
    addText(longest);
    if (const error_code error = array.raw_json().get(whole)) return error;
    whole = json::withoutBlanks(whole);
    return SUCCESS;
}

error_code PromptReader::readMessage(od::value& value)
{
    if (json::typeOf(value) != od::json_type::object) {
        m_hasBadMessage = true;
        return simdjson::INCORRECT_TYPE;
    }
    Message message;
    ++m_shape.messages;
    m_blocks.clear();
    m_callsTool = m_hasToolResult = false;
    od::object object;
    if (const error_code error = value.get_object().get(object)) return error;
    const auto read = [&](Raw key, od::value& field) { return readField(key, field, message); };
    if (const error_code error = json::eachMember(object, read)) return error;
    if (m_api == Api::Messages) {
        if (const error_code error = placeMessage(message, object)) return error;
    }
    if (m_hasUser) return SUCCESS;
    if (message.isFrom("user")) {
        m_hasUser = true;
        m_userTexts = std::move(message.texts);
    } else if (message.isFrom("system") || message.isFrom("developer")) {
        m_systemTexts.insert(m_systemTexts.end(), message.texts.begin(), message.texts.end());
    }
    return SUCCESS;
}

error_code PromptReader::readField(Raw key, od::value& field, Message& message)
{
    if (key.is("role")) {
        message.role = json::stringIn(field);
        return SUCCESS;
    }
    if (key.is("content")) {
        m_blocks.clear();
        return readContent(field, message.texts, 0);
    }
    if (key.is("tool_calls")) return readToolCalls(field);
    if (key.is("encrypted_content") && !json::isNull(field)) m_hasIssuersState = true;
    if (key.is("type") && m_api == Api::Responses) {
        const auto type = json::stringIn(field);
        if (type && type->is("item_reference")) m_hasIssuersState = true;
    }
    if (key.is("arguments") && m_api == Api::Responses) return addTools(field);
    if (key.is("output") && m_api == Api::Responses) return readContent(field, message.texts, 0);
    if (key.is("reasoning_details")) {
        return json::eachElement(field, [this](od::value&) {
            m_hasIssuersState = true;
            return SUCCESS;
        });
    }
    return SUCCESS;
}

/// Decides what of the message goes when all of it is known.
error_code PromptReader::placeMessage(const Message& message, od::object& object)
{
    const std::size_t index = m_messages.add();
    if (message.isFrom("assistant")) {
        m_cutsTurn = m_callsTool && m_blocks.removesAny();
    } else if (!m_hasToolResult) {
        m_cutsTurn = false;
    }
    if (!m_blocks.removesAny() || !message.isFrom("assistant")) return SUCCESS;
    if (m_blocks.keepsAny()) {
        m_blocks.appendRemovals(m_body, m_blockRemovals);
        return SUCCESS;
    }
    std::string_view whole;
    if (const error_code error = object.raw_json().get(whole)) return error;
    m_messages.remove(index, spanOf(json::withoutBlanks(whole)));
    return SUCCESS;
}

error_code PromptReader::readContent(od::value& value, Texts& texts, int depth)
{
    if (const auto text = json::stringIn(value)) {
        texts.push_back(text->bytes);
        addText(text->bytes);
        return SUCCESS;
    }
    if (depth > kContentDepthMax) return SUCCESS;
    return json::eachElement(value, [&](od::value& part) { return readPart(part, texts, depth); });
}

error_code PromptReader::readPart(od::value& value, Texts& texts, int depth)
{
    const bool isBlock = depth == 0 && m_api == Api::Messages;
    const std::size_t index = isBlock ? m_blocks.add() : 0;
    if (json::typeOf(value) != od::json_type::object) return SUCCESS;
    Part part;
    od::object object;
    if (const error_code error = value.get_object().get(object)) return error;
    const auto read = [&](Raw key, od::value& field) {
        return readPartField(key, field, part, texts, depth);
    };
    if (const error_code error = json::eachMember(object, read)) return error;
    if (part.is("image_url") || part.is("image") || part.is("input_image")) {
        ++m_shape.images;
    }
    if (part.isIssuers()) m_hasIssuersState = true;
    if (isBlock && part.is("tool_use")) m_callsTool = true;
    if (isBlock && part.is("tool_result")) m_hasToolResult = true;
    if (!isBlock || !part.isOwn()) return SUCCESS;
    std::string_view whole;
    if (const error_code error = object.raw_json().get(whole)) return error;
    m_blocks.remove(index, spanOf(json::withoutBlanks(whole)));
    return SUCCESS;
}

error_code
PromptReader::readPartField(Raw key, od::value& field, Part& part, Texts& texts, int depth)
{
    if (key.is("type")) {
        part.type = json::stringIn(field);
    } else if (key.is("text")) {
        if (const auto text = json::stringIn(field)) {
            texts.push_back(text->bytes);
            addText(text->bytes);
        }
    } else if (key.is("signature")) {
        part.signature = json::stringIn(field);
    } else if (key.is("encrypted_content")) {
        if (!json::isNull(field)) m_hasIssuersState = true;
    } else if (key.is("content")) {
        return readContent(field, texts, depth + 1);
    } else if (key.is("input")) {
        return addTools(field);
    } else if (key.is("image_url") || key.is("source")) {
        std::string_view whole;
        if (const error_code error = json::wholeOf(field).get(whole)) return error;
        texts.push_back(whole);
    }
    return SUCCESS;
}

/// Gemini's OpenAI endpoint hangs a signature on a tool call:
/// extra_content.google.thought_signature.
error_code PromptReader::readToolCalls(od::value& value)
{
    const auto readGoogle = [this](Raw key, od::value& member) -> error_code {
        if (key.is("thought_signature") && !json::isNull(member)) m_hasIssuersState = true;
        return SUCCESS;
    };
    const auto readExtra = [&](Raw key, od::value& member) -> error_code {
        return key.is("google") ? json::eachMember(member, readGoogle) : SUCCESS;
    };
    const auto readFunction = [this](Raw key, od::value& member) -> error_code {
        return key.is("arguments") ? addTools(member) : SUCCESS;
    };
    const auto readCall = [&](Raw key, od::value& member) -> error_code {
        if (key.is("function")) return json::eachMember(member, readFunction);
        return key.is("extra_content") ? json::eachMember(member, readExtra) : SUCCESS;
    };
    return json::eachElement(
        value, [&](od::value& call) { return json::eachMember(call, readCall); });
}

void PromptReader::addText(std::string_view text)
{
    m_shape.addText(text);
    if (m_kept != nullptr) m_kept->push_back(text);
}

error_code PromptReader::addTools(od::value& value)
{
    std::string_view whole;
    if (const error_code error = json::wholeOf(value).get(whole)) return error;
    m_shape.toolBytes += static_cast<std::int64_t>(whole.size());
    if (m_kept != nullptr) m_kept->push_back(whole);
    return SUCCESS;
}

std::uint64_t PromptReader::hash() const
{
    Fnv1a hash;
    for (const std::string_view text : m_topSystemTexts)
        hash.add(text);
    for (const std::string_view text : m_systemTexts)
        hash.add(text);
    hash.add({});
    for (const std::string_view text : m_userTexts)
        hash.add(text);
    return hash.value();
}

void PromptReader::appendRemovals(std::vector<Span>& removals) const
{
    removals.insert(removals.end(), m_blockRemovals.begin(), m_blockRemovals.end());
    m_messages.appendRemovals(m_body, removals);
}

Span PromptReader::spanOf(std::string_view piece) const
{
    return {static_cast<std::size_t>(piece.data() - m_body.data()), piece.size()};
}

} // namespace weir::protocol
