// SPDX-License-Identifier: Apache-2.0
#include "agent/http/head.h"

#include "agent/http/chars.h"
#include "agent/http/facts.h"
#include "agent/http/target.h"
#include "common/base/text.h"

#include <algorithm>

namespace weir::http {
namespace {

using Refusal = std::optional<HeadError>;

/// Where the parser stands in a head whose last byte is LF. No scan passes an LF, so inside a line
/// `at` is always readable; only at a line's start it can be the end.
struct Cursor
{
    const char* at;
    const char* end;

    std::string_view take(CharClass charClass)
    {
        const char* const first = at;
        while (isIn(charClass, *at))
            ++at;
        return {first, static_cast<std::size_t>(at - first)};
    }

    bool skip(char c)
    {
        if (*at != c) return false;
        ++at;
        return true;
    }

    /// A field value without the blanks around it (RFC 9112 section 5.1). Half of a head is values,
    /// so they are passed eight bytes at a time until something special is among these.
    std::string_view takeValue()
    {
        while (*at == ' ' || *at == '\t')
            ++at;
        const char* const first = at;
        for (std::size_t plain = 8; plain == 8 && end - at >= 8;) {
            plain = countPlain(at);
            at += plain;
        }
        take(CharClass::FieldValue);
        std::string_view value{first, static_cast<std::size_t>(at - first)};
        while (!value.empty() && (value.back() == ' ' || value.back() == '\t'))
            value.remove_suffix(1);
        return value;
    }

    /// Names an LF without its CR as such, for that is what a person has to look for.
    [[nodiscard]] HeadError refusal(HeadError otherwise) const
    {
        return *at == '\n' ? HeadError::BareLineFeed : otherwise;
    }

    Refusal endLine(HeadError otherwise)
    {
        // A CR is not the last byte, so one more can be read.
        if (*at != '\r' || at[1] != '\n') return refusal(otherwise);
        at += 2;
        return std::nullopt;
    }
};

struct Version
{
    int major = 0;
    int minor = 0;
};

/// RFC 9112 section 2.3: case-sensitive, one digit each.
std::optional<Version> takeVersion(Cursor& cursor)
{
    constexpr std::string_view kName = "HTTP/";
    const std::string_view rest{cursor.at, static_cast<std::size_t>(cursor.end - cursor.at)};
    if (rest.size() <= 8 || !rest.starts_with(kName)) return std::nullopt;
    if (!isDigit(rest[5]) || rest[6] != '.' || !isDigit(rest[7])) return std::nullopt;
    cursor.at += 8;
    return Version{rest[5] - '0', rest[7] - '0'};
}

/// A later minor version is read as the latest known (RFC 9110 section 2.5).
int knownMinor(Version version)
{
    return std::min(version.minor, 1);
}

Refusal takeField(Cursor& cursor, Field& field)
{
    field.name = cursor.take(CharClass::Token);
    if (field.name.empty() || !cursor.skip(':')) return cursor.refusal(HeadError::BadFieldName);
    field.value = cursor.takeValue();
    return cursor.endLine(HeadError::BadFieldValue);
}

/// Up to and with the blank line, which has to be the head's end.
Refusal parseFields(Cursor cursor, std::size_t maxFields, std::vector<Field>& fields, Facts& facts)
{
    while (cursor.at != cursor.end) {
        const char first = *cursor.at;
        if (first == '\r' || first == '\n') {
            if (const Refusal refusal = cursor.endLine(HeadError::BadFieldName)) return refusal;
            return cursor.at == cursor.end ? Refusal{} : HeadError::BadLine;
        }
        if (first == ' ' || first == '\t') return HeadError::ObsoleteFold;
        if (fields.size() >= maxFields) return HeadError::TooManyFields;
        Field& field = fields.emplace_back();
        if (const Refusal refusal = takeField(cursor, field)) return refusal;
        if (const Refusal refusal = facts.note(field)) return refusal;
    }
    return HeadError::BadLine;
}

/// RFC 9112 section 6.3, but for the cases that only one of the two kinds of message has.
template <class Head>
Refusal setFraming(const Facts& facts, Framing otherwise, Head& out)
{
    if (facts.chunked && facts.hasLength) return HeadError::ConflictingLengths;
    // HTTP/1.0 knows no codings: somebody on the way has misread the message (section 6.1).
    if (facts.chunked && out.versionMinor == 0) return HeadError::BadTransferEncoding;
    if (facts.chunked)
        out.framing = Framing::Chunked;
    else
        out.framing = facts.hasLength ? Framing::Length : otherwise;
    out.contentLength = facts.contentLength;
    // RFC 9112 section 9.3.
    out.keepAlive = !facts.close && (out.versionMinor >= 1 || facts.keepAlive);
    return std::nullopt;
}

Refusal parseRequestLine(Cursor& cursor, RequestHead& out)
{
    out.method = cursor.take(CharClass::Token);
    if (out.method.empty() || !cursor.skip(' ')) return cursor.refusal(HeadError::BadLine);
    out.target = cursor.take(CharClass::Target);
    if (!cursor.skip(' '))
        return cursor.refusal(*cursor.at == '\r' ? HeadError::BadLine : HeadError::BadTarget);
    const std::optional<Version> version = takeVersion(cursor);
    if (!version) return cursor.refusal(HeadError::BadLine);
    if (const Refusal refusal = cursor.endLine(HeadError::BadLine)) return refusal;
    if (version->major != 1) return HeadError::BadVersion;
    out.versionMinor = knownMinor(*version);
    if (!reduceTarget(out.method, out.target)) return HeadError::BadTarget;
    return std::nullopt;
}

Refusal checkHost(const Facts& facts, int versionMinor)
{
    if (!facts.hasHost && versionMinor >= 1) return HeadError::MissingHost;
    if (facts.twoHosts) return HeadError::DuplicateHost;
    if (facts.badHost) return HeadError::BadHost;
    return std::nullopt;
}

/// The space after the code may be missing where there is no reason phrase, as several servers
/// have it (RFC 9112 section 4); the phrase itself means nothing and is dropped.
Refusal parseStatusLine(Cursor& cursor, ResponseHead& out)
{
    const std::optional<Version> version = takeVersion(cursor);
    if (!version || !cursor.skip(' ')) return cursor.refusal(HeadError::BadLine);
    out.status = 0;
    for (int i = 0; i < 3; ++i, ++cursor.at) {
        if (!isDigit(*cursor.at)) return cursor.refusal(HeadError::BadStatus);
        out.status = out.status * 10 + (*cursor.at - '0');
    }
    if (cursor.skip(' '))
        cursor.take(CharClass::FieldValue);
    else if (*cursor.at != '\r')
        return cursor.refusal(HeadError::BadStatus);
    if (const Refusal refusal = cursor.endLine(HeadError::BadLine)) return refusal;
    if (version->major != 1) return HeadError::BadVersion;
    // RFC 9110 section 15: others are invalid.
    if (out.status < 100 || out.status > 599) return HeadError::BadStatus;
    out.versionMinor = knownMinor(*version);
    return std::nullopt;
}

Refusal checkEnds(std::string_view head, const HeadLimits& limits)
{
    if (head.size() > limits.bytes) return HeadError::HeadTooLong;
    if (!head.ends_with('\n')) return HeadError::BadLine;
    return std::nullopt;
}

std::optional<std::string_view> findField(const std::vector<Field>& fields, std::string_view name)
{
    for (const Field& field : fields)
        if (equalsIgnoreCase(field.name, name)) return field.value;
    return std::nullopt;
}

} // namespace

std::string_view describe(HeadError error)
{
    switch (error) {
    case HeadError::BadLine:
        return "The first line, or the end, of the message is malformed.";
    case HeadError::BadVersion:
        return "Only HTTP/1.0 and HTTP/1.1 are spoken here.";
    case HeadError::BadTarget:
        return "The request target is not a path or an http URL.";
    case HeadError::BadFieldName:
        return "A header name is malformed or not followed by a colon.";
    case HeadError::BadFieldValue:
        return "A header value holds a control character.";
    case HeadError::ObsoleteFold:
        return "A header is folded over several lines.";
    case HeadError::BareLineFeed:
        return "A line ends in LF without CR.";
    case HeadError::HeadTooLong:
        return "The headers are too long.";
    case HeadError::TooManyFields:
        return "There are too many headers.";
    case HeadError::BadContentLength:
        return "Content-Length is not a plain number.";
    case HeadError::ConflictingLengths:
        return "The length of the body is told more than once.";
    case HeadError::BadTransferEncoding:
        return "Transfer-Encoding is not just \"chunked\".";
    case HeadError::MissingHost:
        return "The Host header is missing.";
    case HeadError::DuplicateHost:
        return "There is more than one Host header.";
    case HeadError::BadHost:
        return "The Host header is malformed.";
    case HeadError::BadStatus:
        return "The status code is not a number from 100 to 599.";
    }
    return "The message is malformed.";
}

int statusFor(HeadError error)
{
    switch (error) {
    case HeadError::HeadTooLong:
    case HeadError::TooManyFields:
        return 431;
    case HeadError::BadVersion:
        return 505;
    default:
        return 400;
    }
}

std::optional<std::size_t> HeadEnd::find(std::string_view bytes)
{
    for (;;) {
        const std::size_t lf = bytes.find('\n', m_scanned);
        if (lf == std::string_view::npos) {
            m_scanned = bytes.size();
            return std::nullopt;
        }
        const std::string_view before = bytes.substr(0, lf);
        if (before.ends_with('\n') || before.ends_with("\n\r")) {
            m_scanned = lf;
            return lf + 1;
        }
        m_scanned = lf + 1;
    }
}

std::optional<std::string_view> RequestHead::find(std::string_view name) const
{
    return findField(fields, name);
}

std::optional<std::string_view> ResponseHead::find(std::string_view name) const
{
    return findField(fields, name);
}

Refusal parseRequestHead(std::string_view head, const HeadLimits& limits, RequestHead& out)
{
    out.fields.clear();
    if (const Refusal refusal = checkEnds(head, limits)) return refusal;
    // One empty line before a request is skipped (RFC 9112 section 2.2).
    if (head.starts_with("\r\n")) head.remove_prefix(2);
    if (head.empty()) return HeadError::BadLine;
    Cursor cursor{head.data(), head.data() + head.size()};
    if (const Refusal refusal = parseRequestLine(cursor, out)) return refusal;
    Facts facts;
    if (const Refusal refusal = parseFields(cursor, limits.fields, out.fields, facts))
        return refusal;
    if (const Refusal refusal = checkHost(facts, out.versionMinor)) return refusal;
    if (const Refusal refusal = setFraming(facts, Framing::None, out)) return refusal;
    // HTTP/1.0 has no 100, and without a body there is nothing to wait for (RFC 9110 10.1.1).
    const bool hasBody = out.framing == Framing::Chunked || out.contentLength > 0;
    out.expectContinue = facts.expectContinue && hasBody && out.versionMinor >= 1;
    return std::nullopt;
}

Refusal parseResponseHead(std::string_view head, const HeadLimits& limits, ResponseHead& out)
{
    out.fields.clear();
    if (const Refusal refusal = checkEnds(head, limits)) return refusal;
    Cursor cursor{head.data(), head.data() + head.size()};
    if (const Refusal refusal = parseStatusLine(cursor, out)) return refusal;
    Facts facts;
    if (const Refusal refusal = parseFields(cursor, limits.fields, out.fields, facts))
        return refusal;
    if (const Refusal refusal = setFraming(facts, Framing::UntilClose, out)) return refusal;
    if (out.status < 200 || out.status == 204 || out.status == 304) {
        out.framing = Framing::None;
        out.contentLength = 0;
    }
    // After 101 the connection speaks something else.
    if (out.framing == Framing::UntilClose || out.status == 101) out.keepAlive = false;
    return std::nullopt;
}

} // namespace weir::http
