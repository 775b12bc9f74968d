// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/link/sse_reader.h"

namespace weir::link {

std::optional<std::vector<SseReader::Event>> SseReader::read(const QByteArray& bytes)
{
    std::vector<Event> events;
    for (const char c : bytes) {
        const bool isLfOfCrLf = m_isAfterCr && c == '\n';
        m_isAfterCr = c == '\r';
        if (isLfOfCrLf) continue;
        if (c == '\r' || c == '\n') {
            takeLine(events);
            continue;
        }
        m_line.append(c);
        const auto held = static_cast<std::size_t>(m_line.size() + m_event.data.size());
        if (held > kEventBytesMax) return std::nullopt;
    }
    return events;
}

void SseReader::takeLine(std::vector<Event>& events)
{
    QByteArray line = std::exchange(m_line, {});
    if (std::exchange(m_isFirstLine, false) && line.startsWith("\xEF\xBB\xBF")) line.remove(0, 3);
    if (line.isEmpty()) {
        if (m_hasData) events.push_back(std::move(m_event));
        m_event = {};
        m_hasData = false;
        return;
    }
    const qsizetype colon = line.indexOf(':');
    const QByteArray field = colon < 0 ? line : line.left(colon);
    QByteArray value = colon < 0 ? QByteArray{} : line.mid(colon + 1);
    if (value.startsWith(' ')) value.remove(0, 1);
    if (field == "event") m_event.name = value;
    if (field != "data") return;
    if (m_hasData) m_event.data.append('\n');
    m_event.data.append(value);
    m_hasData = true;
}

} // namespace weir::link
