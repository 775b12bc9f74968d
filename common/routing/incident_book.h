// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/incident.h"
#include "common/routing/account_detector.h"
#include "common/routing/flapping_detector.h"
#include "common/routing/fleet_detector.h"
#include "common/routing/incident_cases.h"
#include "common/routing/minute_facts.h"
#include "common/routing/names_less.h"
#include "common/routing/route_tally.h"
#include "common/routing/slowdown_detector.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace weir::routing {

/// Finds incidents in minutes (routing.md section 11). A value that depends on nothing but the
/// minutes it was given: the same minutes give the same incidents with the same ids, the order of
/// rows in a minute does not matter, and a shift of all times shifts everything. Baselines of TTFT
/// need minutes of two days, so after a restart feed the stored ones again, or `adopt` what was
/// open and let baselines grow anew.
class IncidentBook final
{
public:
    /// Takes the next minute and returns the incidents that opened, changed, closed or opened
    /// again, in the order in which they first opened. Minutes in between count as not observed; a
    /// minute not later than the last one is ignored.
    [[nodiscard]] std::vector<Incident> advance(const MinuteFacts& facts);

    /// Known from before, to be called before the first minute: they go on, close and open again.
    void adopt(std::span<const Incident> incidents);

    /// In the order in which they first opened.
    [[nodiscard]] std::vector<Incident> open() const { return m_cases.open(); }

    /// The last 1000.
    [[nodiscard]] std::vector<Incident> all() const { return m_cases.all(); }

private:
    /// Looked up by views, so that a row costs no copy of its names.
    template <class State, class... Names>
    using ByName = std::map<std::tuple<Names...>, State, NamesLess>;

    struct RouteState
    {
        std::string key;
        RouteRing ring;
        RouteTally now;
        std::int64_t halvingCuts = 0;
        std::int64_t easingCuts = 0;
        std::int64_t silentMinutes = 0;
    };

    struct TypeState
    {
        std::string key;
        SlowdownDetector detector;
        TtftMinute now;
        std::int64_t silentMinutes = 0;
    };

    struct AccountState
    {
        AccountDetector detector;
        AccountTally now;
    };

    struct PoolState
    {
        std::string key;
        FlappingDetector detector;
        std::int64_t changes = 0;
    };

    void skip(std::int64_t minutes);
    void takeRows(const MinuteFacts& facts);
    void judgeRoutes();
    void judgeTypes();
    void judgeAccounts();
    void judgeFleet(const FleetMinute& minute);
    void judgeRaised(const std::vector<RaisedTrouble>& raised);
    void judgePools();
    void noteGates();
    void noteLeaders(const std::vector<LeaderChange>& changes);

    /// By model and provider.
    ByName<RouteState, std::string, std::string> m_routes;
    /// By model, provider and task type.
    ByName<TypeState, std::string, std::string, std::string> m_types;
    /// By provider.
    ByName<AccountState, std::string> m_accounts;
    /// By model and task type.
    ByName<PoolState, std::string, std::string> m_pools;
    FleetDetector m_fleet;
    IncidentCases m_cases;
    std::optional<std::int64_t> m_lastMs;
};

} // namespace weir::routing
