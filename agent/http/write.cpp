// SPDX-License-Identifier: Apache-2.0
#include "agent/http/write.h"

#include "agent/http/chars.h"
#include "common/base/assert.h"

#include <algorithm>
#include <charconv>
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
           std::all_of(text.begin(), text.end(), [](char c) { return isIn(kToken, c); });
}

/// RFC 9110 section 15, RFC 6585, RFC 8297, RFC 8470, RFC 4918, RFC 5842, RFC 7725.
std::string_view reasonFor(int status)
{
    switch (status) {
    case 100:
        return "Continue";
    case 101:
        return "Switching Protocols";
    case 103:
        return "Early Hints";
    case 200:
        return "OK";
    case 201:
        return "Created";
    case 202:
        return "Accepted";
    case 203:
        return "Non-Authoritative Information";
    case 204:
        return "No Content";
    case 205:
        return "Reset Content";
    case 206:
        return "Partial Content";
    case 207:
        return "Multi-Status";
    case 300:
        return "Multiple Choices";
    case 301:
        return "Moved Permanently";
    case 302:
        return "Found";
    case 303:
        return "See Other";
    case 304:
        return "Not Modified";
    case 307:
        return "Temporary Redirect";
    case 308:
        return "Permanent Redirect";
    case 400:
        return "Bad Request";
    case 401:
        return "Unauthorized";
    case 402:
        return "Payment Required";
    case 403:
        return "Forbidden";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 406:
        return "Not Acceptable";
    case 407:
        return "Proxy Authentication Required";
    case 408:
        return "Request Timeout";
    case 409:
        return "Conflict";
    case 410:
        return "Gone";
    case 411:
        return "Length Required";
    case 412:
        return "Precondition Failed";
    case 413:
        return "Content Too Large";
    case 414:
        return "URI Too Long";
    case 415:
        return "Unsupported Media Type";
    case 416:
        return "Range Not Satisfiable";
    case 417:
        return "Expectation Failed";
    case 421:
        return "Misdirected Request";
    case 422:
        return "Unprocessable Content";
    case 423:
        return "Locked";
    case 424:
        return "Failed Dependency";
    case 425:
        return "Too Early";
    case 426:
        return "Upgrade Required";
    case 428:
        return "Precondition Required";
    case 429:
        return "Too Many Requests";
    case 431:
        return "Request Header Fields Too Large";
    case 451:
        return "Unavailable For Legal Reasons";
    case 500:
        return "Internal Server Error";
    case 501:
        return "Not Implemented";
    case 502:
        return "Bad Gateway";
    case 503:
        return "Service Unavailable";
    case 504:
        return "Gateway Timeout";
    case 505:
        return "HTTP Version Not Supported";
    case 507:
        return "Insufficient Storage";
    case 508:
        return "Loop Detected";
    case 511:
        return "Network Authentication Required";
    default:
        return {};
    }
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
        if (!isIn(kFieldValue, out[i])) out[i] = ' ';
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
