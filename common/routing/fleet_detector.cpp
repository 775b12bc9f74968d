// SPDX-License-Identifier: Apache-2.0
#include "common/routing/fleet_detector.h"

namespace weir::routing {
namespace {

constexpr std::int64_t kWarnMs = 600'000;
constexpr std::int64_t kStaleMs = 900'000;
constexpr std::int64_t kFreshSummaries = 2;

std::string minutesText(std::int64_t ms)
{
    return std::to_string(ms / kMinuteMs) + " min";
}

} // namespace

IncidentSignal FleetDetector::judgeSummary(const FleetMinute& minute, bool isOpen)
{
    IncidentSignal signal;
    const std::int64_t age = minute.summaryAgeMs;
    if (age < 0) return signal;
    const bool isOld = age > kWarnMs;
    // A summary ages by one minute in one minute: an age that grew by less is another summary's.
    const bool isNew = m_ageBeforeMs >= 0 && age < m_ageBeforeMs + kMinuteMs / 2;
    m_ageBeforeMs = age;
    m_oldMinutes = isOld ? m_oldMinutes + 1 : 0;
    m_freshSummaries = isOld ? 0 : m_freshSummaries + (isNew ? 1 : 0);
    signal.severity = isOld ? age : 0;
    if (!isOpen && age > kStaleMs) {
        signal.turn = Turn::Open;
        signal.minutesAgo = m_oldMinutes - 1;
        signal.detail = "the newest summary is " + minutesText(age) + " old: fixed order";
    } else if (isOpen && m_freshSummaries >= kFreshSummaries) {
        signal.turn = Turn::Close;
        signal.minutesAgo = 0;
        signal.detail = "two fresh summaries";
    }
    return signal;
}

IncidentSignal FleetDetector::judgeLocal(const FleetMinute& minute, bool isOpen)
{
    IncidentSignal signal;
    m_localMinutes = minute.localAgents > 0 ? m_localMinutes + 1 : 0;
    signal.severity = minute.localAgents;
    if (!isOpen && minute.localAgents > minute.agents / 5 && minute.agents > 0) {
        signal.turn = Turn::Open;
        signal.minutesAgo = m_localMinutes - 1;
        signal.detail = std::to_string(minute.localAgents) + " of " +
                        std::to_string(minute.agents) + " agents gate on their own";
    } else if (isOpen && minute.localAgents == 0) {
        signal.turn = Turn::Close;
        signal.detail = "all agents share their gates again";
    }
    return signal;
}

IncidentSignal FleetDetector::judgeEmptied(const FleetMinute& minute, bool isOpen)
{
    IncidentSignal signal;
    signal.severity = minute.gatesEmptied ? 1 : 0;
    if (!isOpen && minute.gatesEmptied) {
        signal.turn = Turn::Open;
        signal.detail = "the shared gates had lost their state and learned it anew";
    } else if (isOpen && !minute.gatesEmptied) {
        signal.turn = Turn::Close;
        signal.detail = "the shared gates kept their state for a minute";
    }
    return signal;
}

} // namespace weir::routing
