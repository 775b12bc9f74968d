// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/sse.h"

#include <algorithm>
#include <utility>

namespace weir::protocol {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// The value of a line that begins with a field's name: no colon means an empty value, and one
/// space behind the colon does not belong to it.
std::string_view valueOf(std::string_view line, std::size_t nameSize)
{
    std::string_view value = line.substr(std::min(nameSize + 1, line.size()));
    if (value.starts_with(' ')) value.remove_prefix(1);
    return value;
}

/// Takes the line that ends at `end` (or with the text) off; CRLF, LF and CR end a line alike.
std::string_view takeLine(std::string_view text, std::size_t& at, std::size_t end)
{
    end = std::min(end, text.size());
    const std::string_view line = text.substr(at, end - at);
    at = std::min(end + (text.substr(end).starts_with("\r\n") ? 2 : 1), text.size());
    return line;
}

} // namespace

LineEnds::LineEnds(std::string_view text)
    : m_text(text)
    , m_lineFeed(text.find('\n'))
    , m_carriageReturn(text.find('\r'))
{
}

std::size_t LineEnds::next(std::size_t from)
{
    if (m_lineFeed < from) m_lineFeed = m_text.find('\n', from);
    if (m_carriageReturn < from) m_carriageReturn = m_text.find('\r', from);
    return std::min(m_lineFeed, m_carriageReturn);
}

void SseFramer::feed(std::string_view bytes)
{
    // Not clear(): a stream that waits for its next byte should hold no memory.
    std::string{}.swap(m_served);
    std::string{}.swap(m_joined);
    m_input = bytes;
    m_ends = LineEnds{bytes};
    m_begin = 0;
    m_scanned = 0;
}

bool SseFramer::next(SseEvent& event)
{
    if (m_overflowed) return false;
    const bool found = findEnd();
    const std::string_view piece = m_input.substr(m_begin, m_scanned - m_begin);
    m_begin = m_scanned;
    if (m_carry.size() + piece.size() > m_lineBytesMax) {
        m_overflowed = true;
        return false;
    }
    if (!found) {
        m_carry.append(piece);
        return false;
    }
    std::string_view raw = piece;
    if (!m_carry.empty()) {
        m_carry.append(piece);
        m_served = std::exchange(m_carry, {});
        raw = m_served;
    }
    parse(raw, event);
    m_isFirst = false;
    return true;
}

bool SseFramer::finish(SseEvent& event)
{
    if (m_overflowed || m_carry.empty()) return false;
    parse(m_carry, event);
    return true;
}

std::string_view SseFramer::rest() const
{
    return m_carry;
}

/// Moves `m_scanned` behind the next blank line; false where the input ends first. A CR at the end
/// of the input stays pending until the next byte tells whether it is half of a CRLF.
bool SseFramer::findEnd()
{
    while (m_scanned < m_input.size()) {
        if (m_pendingCr) {
            m_pendingCr = false;
            if (m_input[m_scanned] == '\n') ++m_scanned;
            if (std::exchange(m_pendingEnd, false)) return true;
            continue;
        }
        const std::size_t end = m_ends.next(m_scanned);
        if (end != m_scanned) m_isLineEmpty = false;
        if (end == std::string_view::npos) {
            m_scanned = m_input.size();
            return false;
        }
        const bool isBlank = std::exchange(m_isLineEmpty, true);
        m_scanned = end + 1;
        m_pendingCr = m_input[end] == '\r';
        if (isBlank && !m_pendingCr) return true;
        m_pendingEnd = isBlank;
    }
    return false;
}

void SseFramer::parse(std::string_view raw, SseEvent& event)
{
    event = SseEvent{raw, {}, {}, true};
    std::string_view text = raw;
    if (m_isFirst && text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    LineEnds ends{text};
    std::size_t dataLines = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::string_view line = takeLine(text, at, ends.next(at));
        if (line.empty() || line.front() == ':') continue;
        event.commentOnly = false;
        const std::string_view name = line.substr(0, line.find(':'));
        if (name == "event") event.name = valueOf(line, name.size());
        if (name != "data") continue;
        const std::string_view value = valueOf(line, name.size());
        if (++dataLines == 1) {
            event.data = value;
            continue;
        }
        if (dataLines == 2) m_joined = event.data;
        m_joined.append(1, '\n').append(value);
    }
    if (dataLines > 1) event.data = m_joined;
}

} // namespace weir::protocol
