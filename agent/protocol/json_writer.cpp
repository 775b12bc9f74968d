// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/json_writer.h"

namespace weir::protocol::json {
namespace {

/// The letter behind the backslash, 'u' where there is none for it, 0 where nothing is escaped.
char escapeOf(char c)
{
    switch (c) {
    case '"':
    case '\\':
        return c;
    case '\b':
        return 'b';
    case '\f':
        return 'f';
    case '\n':
        return 'n';
    case '\r':
        return 'r';
    case '\t':
        return 't';
    default:
        return static_cast<unsigned char>(c) < 0x20 ? 'u' : '\0';
    }
}

} // namespace

void appendEscaped(std::string& out, std::string_view text)
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::size_t from = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char letter = escapeOf(text[at]);
        if (letter == '\0') continue;
        out += text.substr(from, at - from);
        from = at + 1;
        out += '\\';
        out += letter;
        if (letter != 'u') continue;
        const auto byte = static_cast<unsigned char>(text[at]);
        out += "00";
        out += kDigits[byte >> 4U];
        out += kDigits[byte & 0xFU];
    }
    out += text.substr(from);
}

void Writer::key(std::string_view name)
{
    separate();
    append("\"");
    append(name);
    append("\":");
    m_needsComma = false;
}

void Writer::raw(std::string_view value)
{
    separate();
    append(value);
}

void Writer::string(Raw bytes)
{
    beginString();
    stringPart(bytes);
    endString();
}

void Writer::text(std::string_view text)
{
    beginString();
    textPart(text);
    endString();
}

void Writer::integer(std::int64_t value)
{
    raw(std::to_string(value));
}

void Writer::beginString()
{
    separate();
    append("\"");
}

void Writer::begin(std::string_view bracket)
{
    separate();
    append(bracket);
    m_needsComma = false;
}

void Writer::end(std::string_view bracket)
{
    append(bracket);
    m_needsComma = true;
}

void Writer::separate()
{
    if (m_needsComma) append(",");
    m_needsComma = true;
}

} // namespace weir::protocol::json
