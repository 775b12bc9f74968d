// SPDX-License-Identifier: Apache-2.0
#include "agent/run/failover_job.h"

#include "common/routing/failover_capacity.h"
#include "common/routing/fixed_order.h"

#include <algorithm>

namespace weir::run {
namespace {

std::int64_t tokensOf(const CallFact& fact)
{
    std::int64_t tokens = 0;
    for (const std::int64_t count :
         {fact.inputUncached, fact.inputCached, fact.cacheWrite, fact.output}) {
        tokens += std::max<std::int64_t>(count, 0);
    }
    return tokens;
}

} // namespace

FailoverJob::FailoverJob()
    : m_report(nullptr)
{
}

/// Each request once, where it was served: what failed over counts where it went.
void FailoverJob::add(const store::FactRow& row)
{
    const bool isServed = isSuccess(row.fact.outcome) || row.fact.last;
    if (!isServed || row.fact.aside) return;
    m_models[row.model].add(row.provider, {row.fact.startedMs, tokensOf(row.fact), row.batch});
}

void FailoverJob::look(
    const Config& config,
    const std::vector<RouteSettings>& settings,
    const Gauges& gauges,
    std::int64_t nowMs)
{
    auto report = std::make_shared<FailoverReport>();
    for (const auto& [name, model] : config.models) {
        std::vector<routing::RouteLimits> limits;
        for (const RouteConfig& route : model.routes) {
            const RouteSettings* const own = routing::settingsOf(settings, name, route.provider);
            if (own != nullptr && !own->enabled) continue;
            const auto gauge = gauges.find({name, route.provider});
            const std::int64_t cap = gauge == gauges.end() ? -1 : gauge->second.view.capMilliRps;
            limits.push_back({route.provider, route.quota, cap});
        }
        const auto all = routing::failoverCapacity(m_models[name].at(nowMs), limits);
        for (FailoverStatus status : all) {
            const std::pair key{name, status.provider};
            if (status.interactiveRatio.value_or(0.0) > 1.0) {
                status.shortSince = m_shortSince.try_emplace(key, fromEpochMs(nowMs)).first->second;
            } else {
                m_shortSince.erase(key);
            }
            (*report)[name].push_back(std::move(status));
        }
    }
    m_report.publish(std::move(report));
}

} // namespace weir::run
