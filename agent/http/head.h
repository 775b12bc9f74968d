// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace weir::http {

/// One field line. Both are views into the bytes that were parsed; the value is trimmed.
struct Field
{
    std::string_view name;
    std::string_view value;
};

/// How the length of a message's body is told (RFC 9112 section 6.3).
enum class Framing : std::uint8_t {
    None,
    Length,
    Chunked,
    /// Responses only: the body ends where the connection does.
    UntilClose,
};

/// Why a head was refused. Each is answered 400 and the connection closed, except the two limits
/// (431) and the version (505).
enum class HeadError : std::uint8_t {
    BadLine,
    BadVersion,
    BadTarget,
    BadFieldName,
    BadFieldValue,
    ObsoleteFold,
    BareLineFeed,
    HeadTooLong,
    TooManyFields,
    BadContentLength,
    ConflictingLengths,
    BadTransferEncoding,
    MissingHost,
    DuplicateHost,
    BadHost,
    BadStatus,
};

/// A sentence for the client and the log, without a byte of the input.
[[nodiscard]] std::string_view describe(HeadError error);

/// 400, 431 or 505.
[[nodiscard]] int statusFor(HeadError error);

struct HeadLimits
{
    std::size_t bytes = 65536;
    std::size_t fields = 128;
};

/// Finds where a head ends while bytes arrive in any pieces, looking at each byte once. Lines may
/// end in bare LF here, so that the parser gets such a head and refuses it, instead of nobody.
class HeadEnd final
{
public:
    /// `bytes` is everything since the start of the message (it may only have grown since the call
    /// before). The size of the head with its blank line, or nothing yet.
    [[nodiscard]] std::optional<std::size_t> find(std::string_view bytes);

    void reset() { m_scanned = 0; }

private:
    std::size_t m_scanned = 0;
};

/// The views point into the parsed bytes. Meant to be reused: parsing clears and refills it.
struct RequestHead
{
    std::string_view method;
    /// Origin-form as sent, absolute-form reduced to path and query, or the "*" of OPTIONS.
    std::string_view target;
    int versionMinor = 1;
    std::vector<Field> fields;
    Framing framing = Framing::None;
    std::uint64_t contentLength = 0;
    bool keepAlive = true;
    /// The client waits for "100 Continue" before it sends the body that it has announced.
    bool expectContinue = false;

    /// The first field of that name, case-insensitive.
    [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const;
};

struct ResponseHead
{
    int status = 0;
    int versionMinor = 1;
    std::vector<Field> fields;
    Framing framing = Framing::None;
    std::uint64_t contentLength = 0;
    bool keepAlive = true;

    [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const;
};

/// Parses one whole head (with its blank line, as `HeadEnd` found it), strict to RFC 9112: what is
/// ambiguous is refused, never repaired. Nothing on success; after an error `out` means nothing.
/// CONNECT is refused as `BadTarget`: this is no tunnel.
[[nodiscard]] std::optional<HeadError>
parseRequestHead(std::string_view head, const HeadLimits& limits, RequestHead& out);

/// The answer to a request that was not HEAD or CONNECT. 1xx, 204 and 304 have no body.
[[nodiscard]] std::optional<HeadError>
parseResponseHead(std::string_view head, const HeadLimits& limits, ResponseHead& out);

} // namespace weir::http
