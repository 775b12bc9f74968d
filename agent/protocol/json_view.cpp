// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/json_view.h"

#include "agent/http/chars.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace weir::protocol::json {
namespace {

/// Above this a document gets a parser and a copy of its own.
constexpr std::size_t kThreadBytesMax = 262144;

constexpr std::string_view kBlanks = " \t\r\n";

/// Four hexadecimal digits at the front of `text`, or -1.
int codeUnit(std::string_view text)
{
    if (text.size() < 4) return -1;
    int value = 0;
    for (const char c : text.substr(0, 4)) {
        const int digit = http::hexValue(c);
        if (digit < 0) return -1;
        value = value * 16 + digit;
    }
    return value;
}

void appendUtf8(std::string& out, unsigned codePoint)
{
    const auto put = [&out](unsigned byte) { out.push_back(static_cast<char>(byte)); };
    if (codePoint < 0x80) {
        put(codePoint);
        return;
    }
    if (codePoint < 0x800) {
        put(0xC0 | codePoint >> 6);
    } else {
        if (codePoint < 0x10000) {
            put(0xE0 | codePoint >> 12);
        } else {
            put(0xF0 | codePoint >> 18);
            put(0x80 | (codePoint >> 12 & 0x3F));
        }
        put(0x80 | (codePoint >> 6 & 0x3F));
    }
    put(0x80 | (codePoint & 0x3F));
}

/// Takes the escape at the front of `text`, which begins with a backslash.
bool takeEscape(std::string_view& text, std::string& out)
{
    constexpr std::string_view kNames = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    if (text.size() < 2) return false;
    if (const std::size_t at = kNames.find(text[1]); at != std::string_view::npos) {
        out.push_back(kMeanings[at]);
        text.remove_prefix(2);
        return true;
    }
    const int high = text[1] == 'u' ? codeUnit(text.substr(2)) : -1;
    if (high < 0 || (high >= 0xDC00 && high < 0xE000)) return false;
    text.remove_prefix(6);
    if (high < 0xD800 || high >= 0xE000) {
        appendUtf8(out, static_cast<unsigned>(high));
        return true;
    }
    const int low = text.starts_with("\\u") ? codeUnit(text.substr(2)) : -1;
    if (low < 0xDC00 || low >= 0xE000) return false;
    text.remove_prefix(6);
    appendUtf8(
        out,
        0x10000U + (static_cast<unsigned>(high - 0xD800) << 10) +
            static_cast<unsigned>(low - 0xDC00));
    return true;
}

od::parser& threadParser()
{
    thread_local od::parser parser;
    return parser;
}

char* threadCopy()
{
    thread_local const auto buffer =
        std::make_unique_for_overwrite<char[]>(kThreadBytesMax + kBodyPadding);
    return buffer.get();
}

} // namespace

/// Of texts whose sizes differ.
bool Raw::meansEscaped(std::string_view other) const
{
    // An escape takes two to six bytes for one, so the sizes tell most cases apart.
    constexpr std::size_t kEscapeBytesMax = 6;
    if (bytes.size() < other.size() || bytes.size() > other.size() * kEscapeBytesMax) return false;
    if (bytes.find('\\') == std::string_view::npos) return false;
    const auto meaning = text();
    return meaning && *meaning == other;
}

std::optional<std::string> Raw::text() const
{
    std::string out;
    out.reserve(bytes.size());
    std::string_view rest = bytes;
    while (!rest.empty()) {
        const std::size_t plain = std::min(rest.find('\\'), rest.size());
        out.append(rest.substr(0, plain));
        rest.remove_prefix(plain);
        if (!rest.empty() && !takeEscape(rest, out)) return std::nullopt;
    }
    return out;
}

std::size_t Raw::textSize() const
{
    if (bytes.find('\\') == std::string_view::npos) return bytes.size();
    const auto meaning = text();
    return meaning ? meaning->size() : bytes.size();
}

std::string_view withoutBlanks(std::string_view text)
{
    const std::size_t last = text.find_last_not_of(kBlanks);
    return last == std::string_view::npos ? std::string_view{} : text.substr(0, last + 1);
}

bool hasValidEscapes(std::string_view text)
{
    constexpr std::string_view kNames = "\"\\/bfnrt";
    constexpr std::size_t kDigits = 4;
    for (std::size_t at = text.find('\\'); at < text.size(); at = text.find('\\', at)) {
        ++at;
        if (at == text.size()) return false;
        const bool isUnicode = text[at] == 'u';
        if (!isUnicode && kNames.find(text[at]) == std::string_view::npos) return false;
        ++at;
        if (!isUnicode) continue;
        const std::string_view digits = text.substr(at, kDigits);
        const auto isHex = [](char c) { return http::hexValue(c) >= 0; };
        if (digits.size() < kDigits || !std::all_of(digits.begin(), digits.end(), isHex)) {
            return false;
        }
    }
    return true;
}

std::string_view paddedCopy(std::string_view text, std::unique_ptr<char[]>& own)
{
    if (text.size() > kThreadBytesMax) {
        own = std::make_unique_for_overwrite<char[]>(text.size() + kBodyPadding);
    } else {
        own.reset();
    }
    char* const copy = own ? own.get() : threadCopy();
    if (!text.empty()) std::memcpy(copy, text.data(), text.size());
    // The parser looks past the end of a broken document, and what it finds there must not depend
    // on what was copied before.
    std::memset(copy + text.size(), 0, kBodyPadding);
    return {copy, text.size()};
}

std::optional<Raw> stringIn(od::value& value)
{
    const std::string_view token = withoutBlanks(value.raw_json_token());
    if (token.size() < 2 || token.front() != '"' || token.back() != '"') return std::nullopt;
    return Raw{token.substr(1, token.size() - 2)};
}

std::optional<std::int64_t> integerIn(od::value& value)
{
    if (typeOf(value) != od::json_type::number) return std::nullopt;
    std::int64_t whole = 0;
    if (value.get_int64().get(whole) == simdjson::SUCCESS) return whole;
    constexpr double kExactMax = 9007199254740992.0;
    double number = 0;
    if (value.get_double().get(number) != simdjson::SUCCESS) return std::nullopt;
    if (std::abs(number) > kExactMax || std::floor(number) != number) return std::nullopt;
    return static_cast<std::int64_t>(number);
}

bool isNull(od::value& value)
{
    return withoutBlanks(value.raw_json_token()) == "null";
}

std::optional<od::json_type> typeOf(od::value& value)
{
    od::json_type type{};
    if (value.type().get(type) != simdjson::SUCCESS) return std::nullopt;
    return type;
}

simdjson::simdjson_result<std::string_view> wholeOf(od::value& value)
{
    std::string_view whole;
    error_code error = simdjson::SUCCESS;
    if (const auto type = typeOf(value); type == od::json_type::object) {
        od::object object;
        error = value.get_object().get(object);
        if (!error) error = object.raw_json().get(whole);
    } else if (type == od::json_type::array) {
        od::array array;
        error = value.get_array().get(array);
        if (!error) error = array.raw_json().get(whole);
    } else {
        whole = value.raw_json_token();
    }
    if (error) return error;
    return withoutBlanks(whole);
}

error_code Parser::openPadded(std::string_view text, od::object& object)
{
    if (text.size() > kThreadBytesMax) m_ownParser = std::make_unique<od::parser>();
    od::parser& parser = m_ownParser ? *m_ownParser : threadParser();
    const auto error =
        parser.iterate(text.data(), text.size(), text.size() + kBodyPadding).get(m_document);
    return error ? error : m_document.get_object().get(object);
}

error_code Parser::openCopied(std::string_view text, od::object& object)
{
    return openPadded(paddedCopy(text, m_ownCopy), object);
}

bool Parser::isAtEnd()
{
    return m_document.current_location().error() == simdjson::OUT_OF_BOUNDS;
}

} // namespace weir::protocol::json
