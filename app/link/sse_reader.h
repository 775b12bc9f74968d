// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <cstddef>
#include <optional>
#include <vector>

namespace weir::link {

/// Cuts a byte stream into server-sent events (WHATWG HTML, section 9.2): any line ending, a byte
/// order mark at the start, bytes arriving in pieces of any size. Only `event` and `data` are kept.
class SseReader final
{
public:
    struct Event
    {
        QByteArray name;
        QByteArray data;
    };

    /// An agent's snapshot is some kilobytes; more than this is not one.
    static constexpr std::size_t kEventBytesMax = 4u << 20;

    /// The events that `bytes` completed, or nothing once the stream broke the limit.
    [[nodiscard]] std::optional<std::vector<Event>> read(const QByteArray& bytes);

private:
    void takeLine(std::vector<Event>& events);

    QByteArray m_line;
    Event m_event;
    bool m_hasData = false;
    bool m_isAfterCr = false;
    bool m_isFirstLine = true;
};

} // namespace weir::link
