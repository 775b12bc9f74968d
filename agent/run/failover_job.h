// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/fleet/gates.h"
#include "agent/store/learned_store.h"
#include "common/base/published.h"
#include "common/model/config.h"
#include "common/model/failover_status.h"
#include "common/model/settings.h"
#include "common/routing/demand_peaks.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace weir::run {

/// Keeps what a full failover of each route would take, from the ledger's rows and the limits that
/// are known. One thread feeds it; any may look.
class FailoverJob final
{
public:
    using Gauges = std::map<fleet::RouteStates::Key, fleet::GateGauge>;

    FailoverJob();

    /// Every row of the ledger, as it comes in.
    void add(const store::FactRow& row);

    /// Some times a minute. Routes that people switched off take no part.
    void look(
        const Config& config,
        const std::vector<RouteSettings>& settings,
        const Gauges& gauges,
        std::int64_t nowMs);

    [[nodiscard]] std::shared_ptr<const FailoverReport> report() const { return m_report.get(); }

private:
    std::map<std::string, routing::DemandPeaks> m_models;
    std::map<std::pair<std::string, std::string>, UtcTime> m_shortSince;
    Published<FailoverReport> m_report;
};

} // namespace weir::run
