// SPDX-License-Identifier: Apache-2.0
#include "common/routing/flapping_detector.h"

namespace weir::routing {
namespace {

constexpr std::int64_t kChanges = 3;
constexpr std::int64_t kCalmMinutes = 120;

} // namespace

IncidentSignal FlappingDetector::judge(std::int64_t changes, bool isOpen)
{
    m_newest = (m_newest + 1) % m_hour.size();
    m_hour.at(m_newest) = changes;
    m_calmMinutes = changes > 0 ? 0 : m_calmMinutes + 1;
    IncidentSignal signal;
    std::int64_t firstAgo = 0;
    for (std::size_t ago = 0; ago < m_hour.size(); ++ago) {
        const std::int64_t there = m_hour.at((m_newest + m_hour.size() - ago) % m_hour.size());
        signal.severity += there;
        if (there > 0) firstAgo = static_cast<std::int64_t>(ago);
    }
    if (!isOpen && signal.severity >= kChanges) {
        signal.turn = Turn::Open;
        signal.minutesAgo = firstAgo;
        signal.detail = std::to_string(signal.severity) + " leader changes in 60 min";
    } else if (isOpen && m_calmMinutes >= kCalmMinutes) {
        signal.turn = Turn::Close;
        signal.minutesAgo = m_calmMinutes - 1;
        signal.detail = "no leader change for 2 h";
    }
    return signal;
}

} // namespace weir::routing
