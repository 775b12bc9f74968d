// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace weir::protocol {

/// One event of an event stream (WHATWG HTML section 9.2.5), as views that hold until the next call.
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

/// Cuts bytes into events, whatever the split and the line ends (CR, LF, CRLF, mixed). Copies only what
/// is cut in two by a read; between events it holds no memory.
class SseFramer final
{
public:
    explicit SseFramer(std::size_t lineBytesMax)
        : m_lineBytesMax(lineBytesMax)
    {}

    /// Hands over bytes. They must stay in place until `next()` has returned false.
    void feed(std::string_view bytes);

    /// The next whole event of what was fed; false when more bytes are needed.
    [[nodiscard]] bool next(SseEvent& event);

    /// A line (or event) grew beyond the limit; nothing more will come.
    [[nodiscard]] bool overflowed() const { return m_overflowed; }

    /// What is left of an unfinished event when the stream ends.
    [[nodiscard]] std::string_view rest() const;

private:
    std::size_t m_lineBytesMax;
    std::string_view m_input;
    std::string m_carry;
    std::string m_joined;
    std::size_t m_scanned = 0;
    bool m_carryServed = false;
    bool m_pendingCr = false;
    bool m_overflowed = false;
};

} // namespace weir::protocol
