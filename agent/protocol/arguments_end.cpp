// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/arguments_end.h"

#include "agent/http/chars.h"

#include <cstddef>

namespace weir::protocol {
namespace {

/// What the escape at the front of `text` means; a letter stands for all that is not ASCII, of
/// which JSON's grammar takes any in a string and none elsewhere. `size` becomes the escape's
/// length.
char meaningOf(std::string_view text, std::size_t& size)
{
    constexpr std::string_view kNames = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    constexpr std::size_t kUnicodeSize = 6;
    constexpr int kAsciiEnd = 0x80;
    size = 2;
    if (text.size() < size) return '\0';
    if (const std::size_t at = kNames.find(text[1]); at != std::string_view::npos) {
        return kMeanings[at];
    }
    if (text.size() < kUnicodeSize) return '\0';
    size = kUnicodeSize;
    int code = 0;
    for (const char digit : text.substr(2, 4))
        code = code * 16 + http::hexValue(digit);
    return code >= 0 && code < kAsciiEnd ? static_cast<char>(code) : 'x';
}

} // namespace

void ArgumentsEnd::feed(std::string_view piece)
{
    for (std::size_t at = 0; at < piece.size();) {
        std::size_t size = 1;
        step(piece[at] == '\\' ? meaningOf(piece.substr(at), size) : piece[at]);
        at += size;
    }
}

void ArgumentsEnd::step(char c)
{
    m_check.feed(c);
    if (m_inString) {
        if (m_isEscaped) {
            m_isEscaped = false;
        } else if (c == '\\') {
            m_isEscaped = true;
        } else if (c == '"') {
            m_inString = false;
        }
        return;
    }
    if (c == ' ' || c == '\n' || c == '\r' || c == '\t') return;
    m_hasBegun = true;
    if (c == '"') m_inString = true;
    if (c == '{' || c == '[') ++m_depth;
    if (c == '}' || c == ']') --m_depth;
}

} // namespace weir::protocol
