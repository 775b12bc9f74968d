// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/incident.h"
#include "common/routing/incident_signal.h"
#include "common/routing/minute_facts.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::routing {

/// What an incident is about. Names are empty where it is not about one.
struct IncidentSubject
{
    IncidentKind kind = IncidentKind::Outage;
    std::string key;
    std::string model;
    std::string taskType;
    std::string provider;
};

/// One incident with what only its keeper needs.
struct IncidentCase
{
    Incident incident;
    std::int64_t peakSeverity = 0;
    /// Number of the case that its group is called by.
    std::uint64_t group = 0;
    /// The costs of all minutes before are in.
    std::int64_t countedToMs = INT64_MIN;
};

/// Turns what detectors say into incidents: opens, opens again, closes, groups, and keeps their
/// events and what they cost. Cases are numbered in the order in which they opened. At most one of
/// a (kind, key) is open.
class IncidentCases final
{
public:
    static constexpr std::size_t kIncidentsMax = 1000;
    static constexpr std::size_t kEventsMax = 64;

    /// Starts a minute. Keeps its rows that cost something, for incidents found later.
    void begin(std::int64_t startMs, const std::vector<RouteMinute>& rows);
    [[nodiscard]] bool isOpen(IncidentKind kind, std::string_view key) const;
    /// What a detector made of the minute.
    void apply(const IncidentSubject& subject, const IncidentSignal& signal);
    /// An event for all open incidents of a route, and of its provider's account.
    void note(std::string_view model, std::string_view provider, const IncidentEvent& event);
    /// Attaches the change to the incident whose route it left, and to that of the route that
    /// returns; where a failure took the lead it is an incident of its own.
    void note(const LeaderChange& change);
    /// Known before: they go on where they were.
    void adopt(std::span<const Incident> incidents);

    /// Those that changed since the last call, by number.
    [[nodiscard]] std::vector<Incident> takeChanged();
    [[nodiscard]] std::vector<Incident> open() const;
    [[nodiscard]] std::vector<Incident> all() const;
    [[nodiscard]] bool anyOpen() const;
    [[nodiscard]] std::vector<std::string> openKeys(IncidentKind kind) const;

private:
    struct Costs
    {
        std::int64_t startMs = 0;
        std::vector<RouteMinute> rows;
    };

    using OpenByKey = std::map<std::string, std::uint64_t, std::less<>>;

    /// Returns the case's number.
    std::uint64_t openCase(const IncidentSubject& subject, const IncidentSignal& signal);
    [[nodiscard]] IncidentCase
    newCase(const IncidentSubject& subject, const IncidentSignal& signal, std::int64_t onset) const;
    void closeCase(std::uint64_t number, std::int64_t endMs, const std::string& detail);
    void group(std::uint64_t number);
    void merge(std::uint64_t number, std::uint64_t other);
    void electHead(std::uint64_t group);
    void addCosts(std::uint64_t number, std::int64_t fromMs);
    void touchPeak(std::uint64_t number, std::int64_t severity);
    [[nodiscard]] std::uint64_t causeOf(const LeaderChange& change) const;
    void noteReturn(const LeaderChange& change);
    void forgetOldest();

    std::map<std::uint64_t, IncidentCase> m_cases;
    std::map<std::pair<IncidentKind, std::string>, std::uint64_t> m_latest;
    std::array<OpenByKey, 16> m_open;
    std::set<std::uint64_t> m_changed;
    std::deque<Costs> m_costs;
    std::uint64_t m_lastNumber = 0;
    std::int64_t m_startMs = 0;
};

} // namespace weir::routing
