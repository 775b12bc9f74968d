// SPDX-License-Identifier: Apache-2.0
#include "agent/http/write.h"

#include "agent/http/chars.h"
#include "common/base/assert.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>

namespace weir::http {
namespace {

constexpr std::string_view kLineEnd = "\r\n";

bool isVisible(std::string_view text)
{
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7F'; });
}

bool isToken(std::string_view text)
{
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return isIn(CharClass::Token, c); });
}

struct Reason
{
    int status;
    std::string_view phrase;
};

/// RFC 9110 section 15, RFC 6585, RFC 8297, RFC 8470, RFC 4918, RFC 5842, RFC 7725; sorted.
constexpr Reason kReasons[] = {
    {100, "Continue"},
    {101, "Switching Protocols"},
    {103, "Early Hints"},
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {203, "Non-Authoritative Information"},
    {204, "No Content"},
    {205, "Reset Content"},
    {206, "Partial Content"},
    {207, "Multi-Status"},
    {300, "Multiple Choices"},
    {301, "Moved Permanently"},
    {302, "Found"},
    {303, "See Other"},
    {304, "Not Modified"},
    {307, "Temporary Redirect"},
    {308, "Permanent Redirect"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {402, "Payment Required"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {406, "Not Acceptable"},
    {407, "Proxy Authentication Required"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {410, "Gone"},
    {411, "Length Required"},
    {412, "Precondition Failed"},
    {413, "Content Too Large"},
    {414, "URI Too Long"},
    {415, "Unsupported Media Type"},
    {416, "Range Not Satisfiable"},
    {417, "Expectation Failed"},
    {421, "Misdirected Request"},
    {422, "Unprocessable Content"},
    {423, "Locked"},
    {424, "Failed Dependency"},
    {425, "Too Early"},
    {426, "Upgrade Required"},
    {428, "Precondition Required"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {451, "Unavailable For Legal Reasons"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {502, "Bad Gateway"},
    {503, "Service Unavailable"},
    {504, "Gateway Timeout"},
    {505, "HTTP Version Not Supported"},
    {507, "Insufficient Storage"},
    {508, "Loop Detected"},
    {511, "Network Authentication Required"},
};

static_assert(std::ranges::is_sorted(kReasons, {}, &Reason::status));

std::string_view reasonFor(int status)
{
    const auto* const reason = std::ranges::lower_bound(kReasons, status, {}, &Reason::status);
    const bool known = reason != std::end(kReasons) && reason->status == status;
    return known ? reason->phrase : std::string_view{};
}

} // namespace

void appendRequestLine(std::string& out, std::string_view method, std::string_view target)
{
    WEIR_ASSERT(isToken(method) && isVisible(target));
    out.append(method).append(" ").append(target).append(" HTTP/1.1\r\n");
}

void appendStatusLine(std::string& out, int status)
{
    WEIR_ASSERT(status >= 100 && status <= 999);
    const std::array<char, 4> code{
        static_cast<char>('0' + status / 100),
        static_cast<char>('0' + status / 10 % 10),
        static_cast<char>('0' + status % 10),
        ' '};
    out.append("HTTP/1.1 ").append(code.data(), code.size()).append(reasonFor(status));
    out.append(kLineEnd);
}

void appendField(std::string& out, std::string_view name, std::string_view value)
{
    WEIR_ASSERT(isToken(name));
    out.append(name).append(": ");
    const std::size_t start = out.size();
    out.append(value);
    for (std::size_t i = start; i < out.size(); ++i)
        if (!isIn(CharClass::FieldValue, out[i])) out[i] = ' ';
    out.append(kLineEnd);
}

void appendField(std::string& out, std::string_view name, std::uint64_t value)
{
    std::array<char, std::numeric_limits<std::uint64_t>::digits10 + 1> digits{};
    const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    WEIR_ASSERT(error == std::errc{});
    const auto size = static_cast<std::size_t>(end - digits.data());
    appendField(out, name, std::string_view{digits.data(), size});
}

void appendBlankLine(std::string& out)
{
    out.append(kLineEnd);
}

ChunkHeader::ChunkHeader(std::size_t size)
{
    WEIR_ASSERT(size > 0);
    char* const first = m_text.data();
    const auto [end, error] = std::to_chars(first, first + m_text.size() - 2, size, 16);
    WEIR_ASSERT(error == std::errc{});
    end[0] = '\r';
    end[1] = '\n';
    m_size = static_cast<std::size_t>(end + 2 - first);
}

} // namespace weir::http
