// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/prompt_reader.h"

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

struct Message
{
    std::optional<Raw> role;
    std::vector<std::string_view> texts;

    [[nodiscard]] bool isFrom(std::string_view name) const { return role && role->is(name); }
};

/// A content part, as far as it matters here; its members come in any order.
struct Part
{
    std::optional<Raw> type;
    bool isSigned = false;

    [[nodiscard]] bool is(std::string_view name) const { return type && type->is(name); }
};

} // namespace

error_code PromptReader::readSystem(od::value& value)
{
    m_topSystemTexts.clear();
    return readContent(value, m_topSystemTexts, 0);
}

error_code PromptReader::readMessages(od::value& value)
{
    m_hasUser = false;
    m_systemTexts.clear();
    m_userTexts.clear();
    return json::eachElement(value, [this](od::value& message) { return readMessage(message); });
}

error_code PromptReader::readMessage(od::value& value)
{
    if (json::typeOf(value) != od::json_type::object) {
        m_hasBadMessage = true;
        return simdjson::INCORRECT_TYPE;
    }
    Message message;
    const auto readField = [&](Raw key, od::value& field) -> error_code {
        if (key.is("role")) {
            message.role = json::stringIn(field);
            return SUCCESS;
        }
        if (key.is("content")) return readContent(field, message.texts, 0);
        if (key.is("tool_calls")) return readToolCalls(field);
        if (key.is("encrypted_content") && !json::isNull(field)) m_hasIssuersState = true;
        if (key.is("reasoning_details")) {
            return json::eachElement(field, [this](od::value&) {
                m_hasIssuersState = true;
                return SUCCESS;
            });
        }
        return SUCCESS;
    };
    if (const error_code error = json::eachMember(value, readField)) return error;
    if (m_hasUser) return SUCCESS;
    if (message.isFrom("user")) {
        m_hasUser = true;
        m_userTexts = std::move(message.texts);
    } else if (message.isFrom("system") || message.isFrom("developer")) {
        m_systemTexts.insert(m_systemTexts.end(), message.texts.begin(), message.texts.end());
    }
    return SUCCESS;
}

error_code PromptReader::readContent(od::value& value, Texts& texts, int depth)
{
    if (const auto text = json::stringIn(value)) {
        texts.push_back(text->bytes);
        return SUCCESS;
    }
    if (depth > kContentDepthMax) return SUCCESS;
    return json::eachElement(value, [&](od::value& part) { return readPart(part, texts, depth); });
}

error_code PromptReader::readPart(od::value& value, Texts& texts, int depth)
{
    Part part;
    const auto readField = [&](Raw key, od::value& field) -> error_code {
        if (key.is("type")) {
            part.type = json::stringIn(field);
        } else if (key.is("text")) {
            if (const auto text = json::stringIn(field)) texts.push_back(text->bytes);
        } else if (key.is("signature")) {
            const auto signature = json::stringIn(field);
            part.isSigned = signature && !signature->bytes.empty();
        } else if (key.is("encrypted_content")) {
            if (!json::isNull(field)) m_hasIssuersState = true;
        } else if (key.is("content")) {
            return readContent(field, texts, depth + 1);
        } else if (key.is("image_url") || key.is("source")) {
            std::string_view whole;
            if (const error_code error = json::wholeOf(field).get(whole)) return error;
            texts.push_back(whole);
        }
        return SUCCESS;
    };
    if (const error_code error = json::eachMember(value, readField)) return error;
    if (part.is("image_url") || part.is("image") || part.is("input_image")) {
        m_hasImages = true;
    }
    if ((part.is("thinking") && part.isSigned) || part.is("redacted_thinking")) {
        m_hasIssuersState = true;
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
    const auto readCall = [&](Raw key, od::value& member) -> error_code {
        return key.is("extra_content") ? json::eachMember(member, readExtra) : SUCCESS;
    };
    return json::eachElement(
        value, [&](od::value& call) { return json::eachMember(call, readCall); });
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

} // namespace weir::protocol
