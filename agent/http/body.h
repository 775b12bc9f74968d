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
    BadChunkEnd,
    TrailerTooLong,
    BadTrailer,
    /// The connection ended before the body did.
    Truncated,
};

[[nodiscard]] std::string_view describe(BodyError error);

/// Takes the framing off a body as its bytes arrive: no copies, any split, no buffer of its own.
/// Chunk extensions and trailers are skipped (RFC 9112 section 7.1), sizes over 2^63-1 refused.
class BodyReader final
{
public:
    /// A finished body of nothing.
    BodyReader() = default;
    BodyReader(Framing framing, std::uint64_t contentLength);

    struct Step
    {
        /// Bytes used of the front of the input, framing included.
        std::size_t consumed = 0;
        /// Payload among them: a view into the input, possibly empty.
        std::string_view data;
        std::optional<BodyError> error;
    };

    /// Takes the next piece off the front of `input`. Call again with the rest until it consumes
    /// nothing, `finished()`, or an error. After an error it must not be called again.
    [[nodiscard]] Step next(std::string_view input);

    /// The peer closed. `Truncated` unless the body was complete or ends with the connection.
    [[nodiscard]] std::optional<BodyError> atEnd();

    [[nodiscard]] bool finished() const { return m_state == State::Finished; }

private:
    enum class State : std::uint8_t {
        Finished,
        Length,
        UntilClose,
        ChunkSize,
        ChunkExtension,
        ChunkSizeLf,
        ChunkData,
        ChunkDataCr,
        ChunkDataLf,
        TrailerStart,
        Trailer,
        TrailerLf,
        LastLf,
    };

    Step framingByte(char c);

    State m_state = State::Finished;
    std::uint8_t m_digits = 0;
    std::uint16_t m_skipped = 0;
    std::uint64_t m_left = 0;
};

} // namespace weir::http
