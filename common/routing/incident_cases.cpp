// SPDX-License-Identifier: Apache-2.0
#include "common/routing/incident_cases.h"

#include "common/routing/incident_events.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace weir::routing {
namespace {

constexpr std::int64_t kReopenMs = 30 * kMinuteMs;
constexpr std::size_t kCostMinutes = 60;
/// A case that was told before this program started has an unknown peak: it stays.
constexpr std::int64_t kPeakUnknown = INT64_MAX;

/// A minute's costs, bounded so that no sum over broken rows overflows.
std::int64_t bounded(std::int64_t cost)
{
    constexpr std::int64_t kCostMax = 1'000'000'000'000;
    return std::clamp(cost, -kCostMax, kCostMax);
}

bool costsSomething(const RouteMinute& row)
{
    return row.divertedCalls != 0 || row.userFailures != 0 || row.extraCostMicroUsd != 0;
}

bool covers(const Incident& incident, const RouteMinute& row)
{
    return (incident.provider.empty() || incident.provider == row.provider) &&
           (incident.model.empty() || incident.model == row.model) &&
           (incident.taskType.empty() || incident.taskType == row.taskType);
}

} // namespace

void IncidentCases::begin(std::int64_t startMs, const std::vector<RouteMinute>& rows)
{
    m_startMs = startMs;
    m_costs.push_back({startMs, {}});
    for (const RouteMinute& row : rows) {
        if (costsSomething(row)) m_costs.back().rows.push_back(row);
    }
    while (m_costs.size() > kCostMinutes)
        m_costs.pop_front();
    if (m_costs.back().rows.empty()) return;
    for (const OpenByKey& ofKind : m_open) {
        for (const auto& [key, number] : ofKind)
            addCosts(number, startMs);
    }
}

bool IncidentCases::isOpen(IncidentKind kind, std::string_view key) const
{
    const OpenByKey& ofKind = m_open.at(static_cast<std::size_t>(kind));
    return !ofKind.empty() && ofKind.find(key) != ofKind.end();
}

bool IncidentCases::anyOpen() const
{
    return std::any_of(m_open.begin(), m_open.end(), [](const auto& of) { return !of.empty(); });
}

std::vector<std::string> IncidentCases::openKeys(IncidentKind kind) const
{
    std::vector<std::string> keys;
    for (const auto& [key, number] : m_open.at(static_cast<std::size_t>(kind)))
        keys.push_back(key);
    return keys;
}

void IncidentCases::apply(const IncidentSubject& subject, const IncidentSignal& signal)
{
    const OpenByKey& ofKind = m_open.at(static_cast<std::size_t>(subject.kind));
    const auto found = ofKind.find(subject.key);
    if (found == ofKind.end()) {
        if (signal.turn == Turn::Open) openCase(subject, signal);
        return;
    }
    const std::uint64_t number = found->second;
    if (signal.turn == Turn::Close) {
        closeCase(number, m_startMs - signal.minutesAgo * kMinuteMs, signal.detail);
    } else {
        touchPeak(number, signal.severity);
    }
}

void IncidentCases::touchPeak(std::uint64_t number, std::int64_t severity)
{
    IncidentCase& here = m_cases.at(number);
    if (severity <= here.peakSeverity) return;
    here.peakSeverity = severity;
    here.incident.peakMs = m_startMs;
    setEvent(
        here.incident, {m_startMs, "peak", severityText(here.incident.kind, severity)}, kEventsMax);
    m_changed.insert(number);
}

IncidentCase IncidentCases::newCase(
    const IncidentSubject& subject, const IncidentSignal& signal, std::int64_t onset) const
{
    IncidentCase made;
    Incident& incident = made.incident;
    incident.id = incidentId(subject.kind, subject.key, onset);
    incident.kind = subject.kind;
    incident.key = subject.key;
    incident.model = subject.model;
    incident.provider = subject.provider;
    incident.taskType = subject.taskType;
    incident.onsetMs = onset;
    incident.detectedMs = m_startMs + kMinuteMs;
    incident.peakMs = onset;
    incident.events.push_back({onset, "onset", "first bad minute"});
    incident.events.push_back({incident.detectedMs, "detected", signal.detail});
    return made;
}

std::uint64_t IncidentCases::openCase(const IncidentSubject& subject, const IncidentSignal& signal)
{
    const std::int64_t onset = m_startMs - signal.minutesAgo * kMinuteMs;
    std::uint64_t& number = m_latest[{subject.kind, subject.key}];
    const auto before = m_cases.find(number);
    if (before != m_cases.end() && onset - *before->second.incident.endMs <= kReopenMs) {
        Incident& incident = before->second.incident;
        const std::int64_t again = std::max(onset, *incident.endMs);
        incident.endMs.reset();
        ++incident.count;
        addEvent(incident, {again, "reopened", signal.detail}, kEventsMax);
    } else {
        number = ++m_lastNumber;
        m_cases[number] = newCase(subject, signal, onset);
        m_cases[number].group = number;
    }
    m_open.at(static_cast<std::size_t>(subject.kind))[subject.key] = number;
    m_changed.insert(number);
    addCosts(number, onset);
    touchPeak(number, signal.severity);
    group(number);
    forgetOldest();
    return number;
}

void IncidentCases::closeCase(std::uint64_t number, std::int64_t endMs, const std::string& detail)
{
    Incident& incident = m_cases.at(number).incident;
    incident.endMs = std::max(endMs, incident.onsetMs);
    addEvent(incident, {*incident.endMs, "closed", detail}, kEventsMax);
    m_open.at(static_cast<std::size_t>(incident.kind)).erase(incident.key);
    m_changed.insert(number);
}

void IncidentCases::addCosts(std::uint64_t number, std::int64_t fromMs)
{
    IncidentCase& here = m_cases.at(number);
    Incident& incident = here.incident;
    // Everything that goes wrong at the time is not the fault of a gate that lost its memory.
    if (isOfFleet(incident.kind)) return;
    const std::int64_t from = std::max(fromMs, here.countedToMs);
    here.countedToMs = m_startMs + kMinuteMs;
    for (const Costs& minute : m_costs) {
        if (minute.startMs < from) continue;
        for (const RouteMinute& row : minute.rows) {
            if (!covers(incident, row)) continue;
            incident.divertedCalls += bounded(row.divertedCalls);
            incident.userFailures += bounded(row.userFailures);
            incident.extraCostMicroUsd += bounded(row.extraCostMicroUsd);
            m_changed.insert(number);
        }
    }
}

void IncidentCases::note(
    std::string_view model, std::string_view provider, const IncidentEvent& event)
{
    for (const OpenByKey& ofKind : m_open) {
        for (const auto& [key, number] : ofKind) {
            Incident& incident = m_cases.at(number).incident;
            if (incident.provider != provider) continue;
            if (!incident.model.empty() && incident.model != model) continue;
            addEvent(incident, event, kEventsMax);
            m_changed.insert(number);
        }
    }
}

void IncidentCases::adopt(std::span<const Incident> incidents)
{
    std::vector<Incident> sorted(incidents.begin(), incidents.end());
    std::sort(sorted.begin(), sorted.end(), [](const Incident& a, const Incident& b) {
        return std::tie(a.onsetMs, a.kind, a.key) < std::tie(b.onsetMs, b.kind, b.key);
    });
    std::map<std::string, std::uint64_t> heads;
    for (const Incident& incident : sorted) {
        std::uint64_t& latest = m_latest[{incident.kind, incident.key}];
        const auto before = m_cases.find(latest);
        if (before != m_cases.end() && !before->second.incident.endMs) continue;
        latest = ++m_lastNumber;
        m_cases[latest] = {incident, kPeakUnknown, latest, INT64_MIN};
        heads[incident.id] = latest;
        if (incident.endMs) continue;
        m_open.at(static_cast<std::size_t>(incident.kind))[incident.key] = latest;
    }
    for (auto& [number, here] : m_cases) {
        const auto head = heads.find(here.incident.parent);
        if (head != heads.end()) here.group = head->second;
    }
    forgetOldest();
}

std::vector<Incident> IncidentCases::takeChanged()
{
    std::vector<Incident> changed;
    for (const std::uint64_t number : m_changed) {
        const auto found = m_cases.find(number);
        if (found != m_cases.end()) changed.push_back(found->second.incident);
    }
    m_changed.clear();
    return changed;
}

std::vector<Incident> IncidentCases::open() const
{
    std::vector<Incident> found;
    for (const auto& [number, here] : m_cases) {
        if (!here.incident.endMs) found.push_back(here.incident);
    }
    return found;
}

std::vector<Incident> IncidentCases::all() const
{
    std::vector<Incident> found;
    for (const auto& [number, here] : m_cases)
        found.push_back(here.incident);
    return found;
}

void IncidentCases::forgetOldest()
{
    for (auto it = m_cases.begin(); it != m_cases.end() && m_cases.size() > kIncidentsMax;) {
        if (!it->second.incident.endMs) {
            ++it;
            continue;
        }
        const auto latest = m_latest.find({it->second.incident.kind, it->second.incident.key});
        if (latest != m_latest.end() && latest->second == it->first) m_latest.erase(latest);
        it = m_cases.erase(it);
    }
}

} // namespace weir::routing
