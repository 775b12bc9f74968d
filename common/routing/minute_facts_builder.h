// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/routing/minute_facts.h"

#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace weir::routing {

/// Counts attempts of one outcome, of which nothing else is known.
void countOutcome(RouteMinute& row, Outcome outcome, std::int64_t calls);

/// Counts one attempt into its route's minute. TTFTs come from calls that read at most half of
/// their input from a cache (routing.md section 2); an attempt that timed out before output counts
/// with the time it waited, or a provider that hangs would look fast. Uses std::log: call it at run
/// time only.
void countCall(RouteMinute& row, const CallFact& fact);

/// Adds what `more` counted to `row`; the names stay.
void addUp(RouteMinute& row, const RouteMinute& more);
void addUp(GateMinute& row, const GateMinute& more);

/// Collects one minute: rows are found or made by name.
class MinuteFactsBuilder final
{
public:
    [[nodiscard]] RouteMinute&
    route(const std::string& model, const std::string& taskType, const std::string& provider);
    [[nodiscard]] GateMinute& gate(const std::string& model, const std::string& provider);
    [[nodiscard]] AccountMinute& account(const std::string& provider);

    [[nodiscard]] FleetMinute& fleet() { return m_fleet; }

    void changeLeader(LeaderChange change) { m_changes.push_back(std::move(change)); }

    void raise(RaisedTrouble trouble) { m_raised.push_back(std::move(trouble)); }

    /// The minute, rows sorted by name; the builder is empty afterwards.
    [[nodiscard]] MinuteFacts take(std::int64_t startMs);

private:
    std::map<std::tuple<std::string, std::string, std::string>, RouteMinute> m_routes;
    std::map<std::pair<std::string, std::string>, GateMinute> m_gates;
    std::map<std::string, AccountMinute> m_accounts;
    std::vector<LeaderChange> m_changes;
    std::vector<RaisedTrouble> m_raised;
    FleetMinute m_fleet;
};

} // namespace weir::routing
