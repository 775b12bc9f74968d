// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/json_check.h"

#include "agent/http/chars.h"

#include <simdjson.h>

namespace weir::protocol::json {
namespace {

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isBlank(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

} // namespace

bool NumberCheck::feed(char c)
{
    const auto go = [this](At next, bool isSo) {
        if (isSo) m_at = next;
        return isSo;
    };
    const bool isPower = c == 'e' || c == 'E';
    switch (m_at) {
    case At::Start:
        if (go(At::Sign, c == '-')) return true;
        [[fallthrough]];
    case At::Sign:
        return go(At::Zero, c == '0') || go(At::Digits, isDigit(c));
    case At::Digits:
        if (isDigit(c)) return true;
        [[fallthrough]];
    case At::Zero:
        return go(At::Point, c == '.') || go(At::Power, isPower);
    case At::Point:
        return go(At::Fraction, isDigit(c));
    case At::Fraction:
        return isDigit(c) || go(At::Power, isPower);
    case At::Power:
        if (go(At::PowerSign, c == '+' || c == '-')) return true;
        [[fallthrough]];
    case At::PowerSign:
    case At::PowerDigits:
        return go(At::PowerDigits, isDigit(c));
    }
    return false;
}

bool NumberCheck::isWhole() const
{
    return m_at == At::Zero || m_at == At::Digits || m_at == At::Fraction ||
           m_at == At::PowerDigits;
}

void ObjectCheck::feed(char c)
{
    if (m_at == At::Number && !m_number.feed(c)) {
        // Only what comes behind a number tells that it has ended.
        m_at = m_number.isWhole() ? At::Behind : At::Broken;
    }
    if (isInToken()) {
        m_at = inToken(c);
    } else if (!isBlank(c)) {
        m_at = between(c);
    }
}

bool ObjectCheck::isInToken() const
{
    return m_at == At::Text || m_at == At::Escape || m_at == At::Digits || m_at == At::Number ||
           m_at == At::Word;
}

ObjectCheck::At ObjectCheck::inToken(char c)
{
    constexpr std::string_view kEscapes = "\"\\/bfnrt";
    constexpr int kEscapeDigits = 4;
    constexpr unsigned char kControlEnd = 0x20;
    switch (m_at) {
    case At::Text:
        if (c == '"') return m_isKey ? At::Colon : At::Behind;
        if (c == '\\') return At::Escape;
        return static_cast<unsigned char>(c) < kControlEnd ? At::Broken : At::Text;
    case At::Escape:
        m_digitsLeft = kEscapeDigits;
        if (c == 'u') return At::Digits;
        return kEscapes.find(c) == std::string_view::npos ? At::Broken : At::Text;
    case At::Digits:
        if (http::hexValue(c) < 0) return At::Broken;
        return --m_digitsLeft > 0 ? At::Digits : At::Text;
    case At::Word:
        if (c != m_word.front()) return At::Broken;
        m_word.remove_prefix(1);
        return m_word.empty() ? At::Behind : At::Word;
    default:
        return m_at;
    }
}

ObjectCheck::At ObjectCheck::between(char c)
{
    switch (m_at) {
    case At::Start:
        return c == '{' ? open(c) : At::Broken;
    case At::FirstKey:
    case At::Key:
        if (c == '}' && m_at == At::FirstKey) return behind(c);
        m_isKey = true;
        return c == '"' ? At::Text : At::Broken;
    case At::Colon:
        return c == ':' ? At::Value : At::Broken;
    case At::FirstElement:
        return c == ']' ? behind(c) : value(c);
    case At::Value:
        return value(c);
    case At::Behind:
        return behind(c);
    default:
        return At::Broken;
    }
}

ObjectCheck::At ObjectCheck::value(char c)
{
    if (c == '{' || c == '[') return open(c);
    if (c == '"') {
        m_isKey = false;
        return At::Text;
    }
    for (const std::string_view word : {"true", "false", "null"}) {
        if (c != word.front()) continue;
        m_word = word.substr(1);
        return At::Word;
    }
    m_number = {};
    return m_number.feed(c) ? At::Number : At::Broken;
}

/// Behind a value or at a bracket that closes.
ObjectCheck::At ObjectCheck::behind(char c)
{
    const bool isObject = m_open.back() == '{';
    if (c == ',') return isObject ? At::Key : At::Value;
    if (c != (isObject ? '}' : ']')) return At::Broken;
    m_open.pop_back();
    return m_open.empty() ? At::End : At::Behind;
}

ObjectCheck::At ObjectCheck::open(char bracket)
{
    if (m_open.size() == kDepthMax) return At::Broken;
    m_open.push_back(bracket);
    return bracket == '{' ? At::FirstKey : At::FirstElement;
}

bool isNumber(std::string_view text)
{
    NumberCheck check;
    for (const char c : text) {
        if (!check.feed(c)) return false;
    }
    return check.isWhole();
}

bool isObject(std::string_view text)
{
    ObjectCheck check;
    for (const char c : text)
        check.feed(c);
    return check.isWhole() && simdjson::validate_utf8(text);
}

} // namespace weir::protocol::json
