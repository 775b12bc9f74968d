// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/http/head.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace weir::http {

enum class BodyError : std::uint8_t {
    BadChunkSize,
    ChunkSizeOverflow,
    /// A chunk or its size line does not end in CRLF.
    BadChunkEnd,
    ExtensionTooLong,
    TrailerTooLong,
    BadTrailer,
    /// The connection ended before the body did.
    Truncated,
};

[[nodiscard]] std::string_view describe(BodyError error);

/// Takes the framing off a body as its bytes arrive: no copies, any split, no buffer of its own.
/// Chunk extensions and trailers are skipped (RFC 9112 section 7.1) and bounded: 8 KiB of trailers,
/// and 8 KiB of extensions more than there is data. Sizes over 2^63-1 or 16 digits are refused.
class BodyReader final
{
public:
    /// A finished body of nothing.
    BodyReader() = default;
    BodyReader(Framing framing, std::uint64_t contentLength);

    struct Step
    {
        /// Bytes used of the front of the input, framing included, up to the offending one.
        std::size_t consumed = 0;
        /// Payload among them: a view into the input, possibly empty.
        std::string_view data;
        std::optional<BodyError> error;
    };

    /// Takes the next piece off the front of `input`. A step with an error has no data. Call again
    /// with the rest until it consumes nothing, `finished()`, or an error. After an error it must
    /// not be called again.
    [[nodiscard]] Step next(std::string_view input);

    /// The peer closed. `Truncated` unless the body was complete or ends with the connection.
    [[nodiscard]] std::optional<BodyError> atEnd();

    [[nodiscard]] bool finished() const { return m_state == State::Finished; }

private:
    enum class State : std::uint8_t {
        Finished,
        Length,
        UntilClose,
        /// Before the first digit of a size, then between its digits.
        ChunkSize,
        ChunkDigits,
        /// After blanks behind a size: only an extension or more blanks may follow.
        ChunkBlank,
        ChunkExtension,
        ChunkSizeLf,
        ChunkData,
        ChunkDataCr,
        ChunkDataLf,
        TrailerStart,
        TrailerName,
        TrailerValue,
        TrailerLf,
        LastLf,
    };

    [[nodiscard]] std::optional<BodyError> framingByte(char c);
    [[nodiscard]] std::optional<BodyError> sizeByte(char c);
    [[nodiscard]] std::optional<BodyError> extensionByte(char c);
    [[nodiscard]] std::optional<BodyError> trailerByte(char c);
    void endSizeLine();

    State m_state = State::Finished;
    std::uint8_t m_digits = 0;
    /// Bytes of extensions not yet outweighed by data, later those of trailers.
    std::uint16_t m_skipped = 0;
    /// Payload still to come, of the body or of the chunk.
    std::uint64_t m_left = 0;
};

} // namespace weir::http
