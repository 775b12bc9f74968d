// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/arguments_end.h"

#include "agent/http/chars.h"

#include <cstddef>

namespace weir::protocol {
namespace {

/// What the escape at the front of `text` means where JSON's grammar looks; any other character
/// stands for those that it does not. `size` becomes the escape's length.
char meaningOf(std::string_view text, std::size_t& size)
{
    constexpr std::size_t kUnicodeSize = 6;
    size = 2;
    if (text.size() < 2) return ' ';
    switch (text[1]) {
    case '"':
    case '\\':
    case '/':
        return text[1];
    case 'u':
        break;
    default:
        return ' ';
    }
    if (text.size() < kUnicodeSize) return '_';
    size = kUnicodeSize;
    int code = 0;
    for (const char digit : text.substr(2, 4))
        code = code * 16 + http::hexValue(digit);
    return code > 0 && code < 0x80 ? static_cast<char>(code) : '_';
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
