// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace weir::protocol {

/// One event of an event stream (WHATWG HTML section 9.2.5), as views that hold until the next
/// call; `raw` holds until the next `feed()`.
struct SseEvent
{
    /// The event's bytes with its blank line, exactly as they came; comments before it included.
    std::string_view raw;
    /// The `event:` field, or empty.
    std::string_view name;
    /// The `data:` lines joined by LF. Views `raw` where there is one line.
    std::string_view data;
    /// Only comments (or nothing) stood here: to be relayed, never to be read as an event.
    bool commentOnly = false;
};

/// Finds line ends in one text from left to right; each byte is looked at once, whatever ends the
/// lines.
class LineEnds final
{
public:
    explicit LineEnds(std::string_view text);

    /// The first CR or LF at or behind `from`, which may only grow; npos where there is none.
    [[nodiscard]] std::size_t next(std::size_t from);

private:
    std::string_view m_text;
    std::size_t m_lineFeed;
    std::size_t m_carriageReturn;
};

/// Cuts bytes into events, whatever the split and the line ends (CR, LF, CRLF, mixed). Copies only
/// what is cut in two by a read; between events it holds no memory.
class SseFramer final
{
public:
    explicit SseFramer(std::size_t lineBytesMax)
        : m_lineBytesMax(lineBytesMax)
    {
    }

    /// Hands over bytes. They must stay in place until `next()` has returned false.
    void feed(std::string_view bytes);

    /// The next whole event of what was fed; false when more bytes are needed.
    [[nodiscard]] bool next(SseEvent& event);

    /// A line (or event) grew beyond the limit; nothing more will come.
    [[nodiscard]] bool overflowed() const { return m_overflowed; }

    /// The unfinished event when the stream has ended, its last line taken as whole; false where
    /// nothing is left.
    [[nodiscard]] bool finish(SseEvent& event);

    /// What is left of an unfinished event when the stream ends.
    [[nodiscard]] std::string_view rest() const;

private:
    bool findEnd();
    void parse(std::string_view raw, SseEvent& event);

    std::size_t m_lineBytesMax;
    std::string_view m_input;
    LineEnds m_ends{{}};
    /// The start of an event of which an earlier read brought the beginning.
    std::string m_carry;
    /// The last event that was put together from `m_carry`.
    std::string m_served;
    std::string m_joined;
    std::size_t m_begin = 0;
    std::size_t m_scanned = 0;
    bool m_isFirst = true;
    bool m_isLineEmpty = true;
    bool m_pendingCr = false;
    bool m_pendingEnd = false;
    bool m_overflowed = false;
};

} // namespace weir::protocol
