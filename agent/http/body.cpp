// SPDX-License-Identifier: Apache-2.0
#include "agent/http/body.h"

#include "agent/http/chars.h"

#include <algorithm>
#include <limits>

namespace weir::http {
namespace {

constexpr std::uint16_t kMaxSkipped = 8192;
constexpr std::uint8_t kMaxDigits = 16;
constexpr std::uint64_t kMaxSize = std::numeric_limits<std::int64_t>::max();
/// What a size line may hold of extensions without being counted against the body.
constexpr std::uint64_t kFreeExtension = 16;

} // namespace

std::string_view describe(BodyError error)
{
    switch (error) {
    case BodyError::BadChunkSize:
        return "A chunk size is not a plain hexadecimal number.";
    case BodyError::ChunkSizeOverflow:
        return "A chunk size is too large.";
    case BodyError::BadChunkEnd:
        return "A chunk does not end where its size says, or not in CRLF.";
    case BodyError::ExtensionTooLong:
        return "The chunk extensions are too long.";
    case BodyError::TrailerTooLong:
        return "The trailers are too long.";
    case BodyError::BadTrailer:
        return "A trailer is malformed.";
    case BodyError::Truncated:
        return "The connection ended before the body did.";
    }
    return "The body is malformed.";
}

BodyReader::BodyReader(Framing framing, std::uint64_t contentLength)
{
    switch (framing) {
    case Framing::None:
        break;
    case Framing::Length:
        m_left = contentLength;
        m_state = contentLength == 0 ? State::Finished : State::Length;
        break;
    case Framing::Chunked:
        m_state = State::ChunkSize;
        break;
    case Framing::UntilClose:
        m_state = State::UntilClose;
        break;
    }
}

BodyReader::Step BodyReader::next(std::string_view input)
{
    Step step;
    if (m_state == State::Finished) return step;
    if (m_state == State::UntilClose) return {input.size(), input, std::nullopt};
    while (m_state != State::Length && m_state != State::ChunkData) {
        if (step.consumed == input.size()) return step;
        step.error = framingByte(input[step.consumed]);
        if (step.error) return step;
        ++step.consumed;
        if (m_state == State::Finished) return step;
    }
    step.data = input.substr(step.consumed);
    if (m_left < step.data.size()) step.data = step.data.substr(0, m_left);
    step.consumed += step.data.size();
    m_left -= step.data.size();
    if (m_left == 0) m_state = m_state == State::Length ? State::Finished : State::ChunkDataCr;
    return step;
}

std::optional<BodyError> BodyReader::atEnd()
{
    if (m_state == State::UntilClose) m_state = State::Finished;
    if (m_state == State::Finished) return std::nullopt;
    return BodyError::Truncated;
}

std::optional<BodyError> BodyReader::framingByte(char c)
{
    switch (m_state) {
    case State::ChunkSize:
    case State::ChunkDigits:
    case State::ChunkBlank:
        return sizeByte(c);
    case State::ChunkExtension:
        return extensionByte(c);
    case State::ChunkSizeLf:
        if (c != '\n') return BodyError::BadChunkEnd;
        endSizeLine();
        return std::nullopt;
    case State::ChunkDataCr:
        if (c != '\r') return BodyError::BadChunkEnd;
        m_state = State::ChunkDataLf;
        return std::nullopt;
    case State::ChunkDataLf:
        if (c != '\n') return BodyError::BadChunkEnd;
        m_state = State::ChunkSize;
        return std::nullopt;
    default:
        return trailerByte(c);
    }
}

std::optional<BodyError> BodyReader::sizeByte(char c)
{
    const int digit = hexValue(c);
    if (digit >= 0 && m_state != State::ChunkBlank) {
        if (m_state == State::ChunkSize) m_digits = 0;
        if (++m_digits > kMaxDigits || m_left > kMaxSize / 16) return BodyError::ChunkSizeOverflow;
        m_left = m_left * 16 + static_cast<std::uint64_t>(digit);
        m_state = State::ChunkDigits;
        return std::nullopt;
    }
    if (m_state == State::ChunkSize) return BodyError::BadChunkSize;
    if (c == '\n') return BodyError::BadChunkEnd;
    if (c == '\r' && m_state == State::ChunkDigits) {
        m_state = State::ChunkSizeLf;
        return std::nullopt;
    }
    if (c != ' ' && c != '\t' && c != ';') return BodyError::BadChunkSize;
    if (++m_skipped > kMaxSkipped) return BodyError::ExtensionTooLong;
    m_state = c == ';' ? State::ChunkExtension : State::ChunkBlank;
    return std::nullopt;
}

std::optional<BodyError> BodyReader::extensionByte(char c)
{
    if (c == '\r') {
        m_state = State::ChunkSizeLf;
        return std::nullopt;
    }
    if (!isIn(CharClass::FieldValue, c))
        return c == '\n' ? BodyError::BadChunkEnd : BodyError::BadChunkSize;
    if (++m_skipped > kMaxSkipped) return BodyError::ExtensionTooLong;
    return std::nullopt;
}

/// Many tiny chunks with long extensions would cost far more than they carry, so extensions are
/// paid for with data; a body that signs each of its chunks may still be of any length.
void BodyReader::endSizeLine()
{
    if (m_left == 0) {
        m_skipped = 0;
        m_state = State::TrailerStart;
        return;
    }
    const std::uint64_t paid = std::min<std::uint64_t>(m_skipped, m_left + kFreeExtension);
    m_skipped = static_cast<std::uint16_t>(m_skipped - paid);
    m_state = State::ChunkData;
}

std::optional<BodyError> BodyReader::trailerByte(char c)
{
    switch (m_state) {
    case State::TrailerStart:
        if (c == '\r') {
            m_state = State::LastLf;
            return std::nullopt;
        }
        if (!isIn(CharClass::Token, c)) return BodyError::BadTrailer;
        m_state = State::TrailerName;
        break;
    case State::TrailerName:
        if (c == ':')
            m_state = State::TrailerValue;
        else if (!isIn(CharClass::Token, c))
            return BodyError::BadTrailer;
        break;
    case State::TrailerValue:
        if (c == '\r')
            m_state = State::TrailerLf;
        else if (!isIn(CharClass::FieldValue, c))
            return BodyError::BadTrailer;
        break;
    case State::LastLf:
        if (c != '\n') return BodyError::BadTrailer;
        m_state = State::Finished;
        return std::nullopt;
    default:
        if (c != '\n') return BodyError::BadTrailer;
        m_state = State::TrailerStart;
        break;
    }
    return ++m_skipped > kMaxSkipped ? std::optional{BodyError::TrailerTooLong} : std::nullopt;
}

} // namespace weir::http
