// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/sim/result.h"
#include "common/sim/scenario.h"
#include "tests/sim/sample.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace weir::sim {

/// A scenario of resources/scenarios after its run, and the questions that its bounds ask.
class Ran final
{
public:
    /// "01-steady". Stops the test where the file is not there or not readable.
    explicit Ran(
        const std::string& name, SimPolicy policy = SimPolicy::Adaptive, GuardingRules rules = {});

    /// Share of the provider's attempts, between two moments in seconds.
    [[nodiscard]] double share(std::string_view provider, double fromS, double toS) const;
    [[nodiscard]] Share counts(std::string_view provider, double fromS, double toS) const;
    /// The first moment from `fromS` on at which the share of one minute is as `test` wants it, and
    /// stays so for three; seconds after `fromS`.
    [[nodiscard]] double secondsUntil(
        std::string_view provider, double fromS, const std::function<bool(double)>& test) const;
    /// Largest rise of the share from one minute to the next.
    [[nodiscard]] double steepest(std::string_view provider, double fromS, double toS) const;
    /// The lowest min(R, L) at minutes' ends, in requests per second.
    [[nodiscard]] double lowestRate(std::string_view provider, double fromS, double toS) const;
    /// Changes after the first leader was found.
    [[nodiscard]] std::size_t leaderChanges(double fromS = 0.0, double toS = 1e9) const;
    [[nodiscard]] std::size_t incidents(IncidentKind kind, std::string_view provider) const;
    [[nodiscard]] GateCounts gate(std::string_view provider) const;

    /// Calls that failed for their caller though somebody else might have served them.
    [[nodiscard]] std::uint64_t failures() const
    {
        return result.totals.userFailures - result.totals.singleShotFailures;
    }

    Scenario scenario;
    SimResult result;
};

} // namespace weir::sim
