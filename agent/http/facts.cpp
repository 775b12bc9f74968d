// SPDX-License-Identifier: Apache-2.0
#include "agent/http/facts.h"

#include "agent/http/chars.h"
#include "agent/http/target.h"
#include "common/base/text.h"

#include <algorithm>
#include <limits>

namespace weir::http {
namespace {

template <class Visit>
void forEachElement(std::string_view list, Visit visit)
{
    while (!list.empty()) {
        const std::size_t comma = std::min(list.find(','), list.size());
        visit(trimmed(list.substr(0, comma)));
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
}

/// Digits only and no more than 2^63-1: a sign, a list or a base is refused, not read somehow.
std::optional<std::uint64_t> parseLength(std::string_view text)
{
    constexpr std::uint64_t kMax = std::numeric_limits<std::int64_t>::max();
    if (text.empty()) return std::nullopt;
    std::uint64_t length = 0;
    for (const char c : text) {
        if (!isDigit(c)) return std::nullopt;
        const auto digit = static_cast<std::uint64_t>(c - '0');
        if (length > (kMax - digit) / 10) return std::nullopt;
        length = length * 10 + digit;
    }
    return length;
}

/// Most names of the same length differ in the first letter already.
bool isNamed(const Field& field, std::string_view name)
{
    return (field.name.front() | 0x20) == name.front() && equalsIgnoreCase(field.name, name);
}

} // namespace

/// The length of the name tells nearly every other field apart without a look at its letters.
std::optional<HeadError> Facts::note(const Field& field)
{
    switch (field.name.size()) {
    case 4:
        if (isNamed(field, "host")) noteHost(field.value);
        return std::nullopt;
    case 6:
        if (isNamed(field, "expect")) noteExpect(field.value);
        return std::nullopt;
    case 10:
        if (isNamed(field, "connection")) noteConnection(field.value);
        return std::nullopt;
    case 14:
        return isNamed(field, "content-length") ? noteLength(field.value) : std::nullopt;
    case 17:
        return isNamed(field, "transfer-encoding") ? noteCoding(field.value) : std::nullopt;
    default:
        return std::nullopt;
    }
}

/// RFC 9112 section 6.3 lets equal lengths pass as one; a second opinion is refused here all the
/// same, for a server behind or before us may take another.
std::optional<HeadError> Facts::noteLength(std::string_view value)
{
    if (hasLength) return HeadError::ConflictingLengths;
    const std::optional<std::uint64_t> length = parseLength(value);
    if (!length) return HeadError::BadContentLength;
    hasLength = true;
    contentLength = *length;
    return std::nullopt;
}

/// One coding, once: no other transfer coding is spoken here (RFC 9112 section 6.1).
std::optional<HeadError> Facts::noteCoding(std::string_view value)
{
    if (chunked || !equalsIgnoreCase(value, "chunked")) return HeadError::BadTransferEncoding;
    chunked = true;
    return std::nullopt;
}

/// An empty value is legal: the target had no authority (RFC 9110 section 7.2).
void Facts::noteHost(std::string_view value)
{
    twoHosts = hasHost;
    hasHost = true;
    badHost = badHost || (!value.empty() && !isAuthority(value));
}

void Facts::noteConnection(std::string_view value)
{
    forEachElement(value, [this](std::string_view option) {
        close = close || equalsIgnoreCase(option, "close");
        keepAlive = keepAlive || equalsIgnoreCase(option, "keep-alive");
    });
}

void Facts::noteExpect(std::string_view value)
{
    forEachElement(value, [this](std::string_view expectation) {
        expectContinue = expectContinue || equalsIgnoreCase(expectation, "100-continue");
    });
}

} // namespace weir::http
