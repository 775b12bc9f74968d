// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/time_window.h"

#include "app/model/format.h"

#include <algorithm>
#include <array>

namespace weir::model {
namespace {

constexpr Ms kMinute = 60'000;
constexpr Ms kShortest = 10'000;
constexpr std::size_t kPreviousMax = 32;
constexpr std::array kPresets{
    TimeWindow::Preset{15 * kMinute, "Last 15 min"},
    TimeWindow::Preset{60 * kMinute, "Last hour"},
    TimeWindow::Preset{6 * 60 * kMinute, "Last 6 h"},
    TimeWindow::Preset{24 * 60 * kMinute, "Last 24 h"},
};

} // namespace

std::span<const TimeWindow::Preset> TimeWindow::presets()
{
    return kPresets;
}

void TimeWindow::setLength(Ms length)
{
    if (length == m_length) return;
    m_length = length;
    emit changed();
}

void TimeWindow::show(Span range)
{
    const Ms length = std::max(range.length(), kShortest);
    m_previous.push_back({m_length, m_pausedAt});
    if (m_previous.size() > kPreviousMax) m_previous.erase(m_previous.begin());
    m_length = length;
    m_pausedAt = fromEpochMs(range.from + length);
    emit changed();
}

bool TimeWindow::showPrevious()
{
    if (m_previous.empty()) return false;
    const View view = m_previous.back();
    m_previous.pop_back();
    m_length = view.length;
    m_pausedAt = view.pausedAt;
    emit changed();
    return true;
}

void TimeWindow::pause(UtcTime now)
{
    if (m_pausedAt) return;
    m_pausedAt = now;
    emit changed();
}

void TimeWindow::resume()
{
    if (!m_pausedAt) return;
    m_pausedAt.reset();
    m_previous.clear();
    emit changed();
}

void TimeWindow::pointAt(std::optional<Ms> time)
{
    if (time == m_crosshair) return;
    m_crosshair = time;
    emit crosshairMoved();
}

void TimeWindow::nudge(int hundredths, UtcTime now)
{
    const Span range = span(now);
    const Ms from = m_crosshair.value_or(range.to);
    pointAt(std::clamp(from + range.length() * hundredths / 100, range.from, range.to));
}

Span TimeWindow::span(UtcTime now) const
{
    const Ms to = epochMs(m_pausedAt.value_or(now)) / 1000 * 1000;
    return {to - m_length, to};
}

QString TimeWindow::stateText(UtcTime now) const
{
    if (!m_pausedAt) return QStringLiteral("LIVE");
    return QStringLiteral("PAUSED · ") + age(now - *m_pausedAt) + QStringLiteral(" behind");
}

} // namespace weir::model
