// SPDX-License-Identifier: Apache-2.0
#include "common/routing/incident_cases.h"
#include "common/routing/incident_events.h"

#include <algorithm>
#include <cstdlib>
#include <tuple>
#include <utility>

namespace weir::routing {
namespace {

constexpr std::int64_t kGroupMs = 10 * kMinuteMs;
constexpr std::int64_t kAttachMs = 30 * kMinuteMs;
constexpr std::int64_t kReturnMs = 24LL * 60 * kMinuteMs;

/// Troubles of one provider, or of the fleet, that began at about the same time are one.
bool belongTogether(const Incident& a, const Incident& b)
{
    const bool sameProvider = !a.provider.empty() && a.provider == b.provider;
    if (!sameProvider && !(isOfFleet(a.kind) && isOfFleet(b.kind))) return false;
    return std::abs(a.onsetMs - b.onsetMs) <= kGroupMs;
}

bool isLeadership(IncidentKind kind)
{
    return kind == IncidentKind::Promotion || kind == IncidentKind::Demotion ||
           kind == IncidentKind::Flapping;
}

bool isOn(const Incident& incident, const std::string& provider, const LeaderChange& change)
{
    return !provider.empty() && incident.provider == provider && !isLeadership(incident.kind) &&
           (incident.model.empty() || incident.model == change.model) &&
           (incident.taskType.empty() || incident.taskType == change.taskType);
}

bool isFailure(LeaderCause cause)
{
    return cause == LeaderCause::Slow || cause == LeaderCause::Breaker ||
           cause == LeaderCause::Credit || cause == LeaderCause::Auth;
}

/// The last word of the incident about the lead is that it was lost.
bool lostTheLead(const Incident& incident, const std::string& pool)
{
    bool lost = false;
    for (const IncidentEvent& event : incident.events) {
        if (!event.detail.starts_with(pool)) continue;
        if (event.kind == "leader_change") lost = true;
        if (event.kind == "leader_return") lost = false;
    }
    return lost;
}

std::string poolText(const LeaderChange& change)
{
    return change.model + "/" + change.taskType + ": ";
}

std::string changeText(const LeaderChange& change)
{
    const auto name = [](const std::string& provider) {
        return provider.empty() ? std::string{"nobody"} : provider;
    };
    return poolText(change) + name(change.from) + " -> " + name(change.to) + " (" +
           std::string{toWord(change.cause)} + ")";
}

} // namespace

void IncidentCases::group(std::uint64_t number)
{
    const Incident& made = m_cases.at(number).incident;
    for (const auto& [other, there] : m_cases) {
        if (other != number && belongTogether(made, there.incident)) merge(number, other);
    }
}

void IncidentCases::merge(std::uint64_t number, std::uint64_t other)
{
    const std::uint64_t from = m_cases.at(number).group;
    const std::uint64_t to = m_cases.at(other).group;
    if (from == to) return;
    for (auto& [n, here] : m_cases) {
        if (here.group == from) here.group = to;
    }
    electHead(to);
}

void IncidentCases::electHead(std::uint64_t group)
{
    const IncidentCase* head = nullptr;
    const auto rank = [](const Incident& i) {
        return std::make_tuple(precedenceOf(i.kind), i.onsetMs, i.key);
    };
    for (const auto& [number, here] : m_cases) {
        if (here.group != group) continue;
        if (head == nullptr || rank(here.incident) < rank(head->incident)) head = &here;
    }
    if (head == nullptr) return;
    for (auto& [number, here] : m_cases) {
        if (here.group != group) continue;
        std::string parent = &here == head ? std::string{} : head->incident.id;
        if (parent == here.incident.parent) continue;
        here.incident.parent = std::move(parent);
        m_changed.insert(number);
    }
}

/// The number of the incident that the route left its lead to; 0 = none.
std::uint64_t IncidentCases::causeOf(const LeaderChange& change) const
{
    std::uint64_t cause = 0;
    for (const auto& [number, here] : m_cases) {
        const Incident& incident = here.incident;
        if (!isOn(incident, change.from, change)) continue;
        if (incident.endMs && m_startMs - *incident.endMs > kAttachMs) continue;
        // Of several the one that would head their group, and of those the newest.
        if (cause != 0 &&
            precedenceOf(incident.kind) > precedenceOf(m_cases.at(cause).incident.kind)) {
            continue;
        }
        cause = number;
    }
    return cause;
}

void IncidentCases::note(const LeaderChange& change)
{
    const std::uint64_t cause = causeOf(change);
    if (cause != 0) {
        const IncidentEvent event{m_startMs, "leader_change", changeText(change)};
        addEvent(m_cases.at(cause).incident, event, kEventsMax);
        m_changed.insert(cause);
    }
    noteReturn(change);
    if (!isFailure(change.cause) || change.from.empty()) return;
    IncidentSignal signal;
    signal.turn = Turn::Open;
    signal.detail = changeText(change);
    const IncidentSubject subject{
        IncidentKind::Demotion,
        change.model + "/" + change.taskType,
        change.model,
        change.taskType,
        change.from};
    const std::uint64_t number = openCase(subject, signal);
    closeCase(number, m_startMs + kMinuteMs, "a change is over when it is made");
    if (cause != 0) merge(number, cause);
}

void IncidentCases::noteReturn(const LeaderChange& change)
{
    const std::string pool = poolText(change);
    // NOLINTNEXTLINE(modernize-loop-convert): clang 14 does not compile the library's reverse view
    for (auto it = m_cases.rbegin(); it != m_cases.rend(); ++it) {
        Incident& incident = it->second.incident;
        if (!isOn(incident, change.to, change) || !lostTheLead(incident, pool)) continue;
        if (incident.endMs && m_startMs - *incident.endMs > kReturnMs) continue;
        addEvent(incident, {m_startMs, "leader_return", changeText(change)}, kEventsMax);
        m_changed.insert(it->first);
        return;
    }
}

} // namespace weir::routing
