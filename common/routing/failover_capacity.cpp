// SPDX-License-Identifier: Apache-2.0
#include "common/routing/failover_capacity.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace weir::routing {
namespace {

/// In requests of the usual size per second.
std::optional<double> limitOf(const RouteLimits& route, double tokensPerRequest)
{
    std::optional<double> limit;
    const auto bound = [&limit](double rps) { limit = std::min(limit.value_or(rps), rps); };
    if (route.quota.milliRps > 0) bound(static_cast<double>(route.quota.milliRps) / 1e3);
    if (route.capMilliRps >= 0) bound(static_cast<double>(route.capMilliRps) / 1e3);
    if (route.quota.tokensPerMinute > 0 && tokensPerRequest > 0.0) {
        bound(static_cast<double>(route.quota.tokensPerMinute) / 60.0 / tokensPerRequest);
    }
    return limit;
}

/// By requests or by tokens, whichever is the tighter; the peaks of both need not be of one minute.
double ratioOf(const LoadRate& needs, double capacityRps, double tokensPerRequest)
{
    const double byRequests = needs.rps / capacityRps;
    const double capacityTokens = capacityRps * tokensPerRequest * 60.0;
    if (capacityTokens <= 0.0) return byRequests;
    return std::max(byRequests, needs.tokensPerMinute / capacityTokens);
}

std::string oneDecimal(double value)
{
    const long long tenths = std::llround(value * 10.0);
    return std::to_string(tenths / 10) + '.' + std::to_string(tenths % 10);
}

std::string joined(const std::vector<std::string>& names)
{
    std::string text;
    for (const std::string& name : names) {
        if (!text.empty()) text += ", ";
        text += name;
    }
    return text;
}

} // namespace

std::vector<FailoverStatus>
failoverCapacity(const DemandPeaks::Peaks& peaks, std::span<const RouteLimits> routes)
{
    std::vector<FailoverStatus> all;
    for (const RouteLimits& failed : routes) {
        FailoverStatus& status = all.emplace_back();
        status.provider = failed.provider;
        status.needs = peaks.all;
        status.interactiveNeeds = peaks.interactive;
        const auto own = peaks.byProvider.find(failed.provider);
        if (own != peaks.byProvider.end()) status.moves = own->second;
        double capacity = 0.0;
        for (const RouteLimits& other : routes) {
            if (&other == &failed) continue;
            status.others.push_back(other.provider);
            const auto limit = limitOf(other, peaks.tokensPerRequest);
            if (!limit) status.unknown.push_back(other.provider);
            capacity += limit.value_or(0.0);
        }
        if (status.others.empty() || !status.unknown.empty() || capacity <= 0.0) continue;
        status.capacityRps = capacity;
        status.ratio = ratioOf(peaks.all, capacity, peaks.tokensPerRequest);
        status.interactiveRatio = ratioOf(peaks.interactive, capacity, peaks.tokensPerRequest);
    }
    return all;
}

std::string failoverShortText(const FailoverStatus& status)
{
    std::string text{"a full failover of "};
    text += status.provider + " needs " + oneDecimal(status.interactiveRatio.value_or(0.0));
    text += " times what is known of " + joined(status.others);
    text += " for interactive work alone; raise a quota, add a route, or decide what is batch";
    return text;
}

} // namespace weir::routing
