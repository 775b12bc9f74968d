// SPDX-License-Identifier: Apache-2.0
#include "common/routing/demand_peaks.h"

#include <algorithm>

namespace weir::routing {
namespace {

constexpr std::int64_t kMinuteMs = 60'000;

std::int64_t minuteOf(std::int64_t ms)
{
    return std::max<std::int64_t>(ms, 0) / kMinuteMs;
}

void raise(LoadRate& peak, std::int64_t requests, std::int64_t tokens)
{
    peak.rps = std::max(peak.rps, static_cast<double>(requests) / 60.0);
    peak.tokensPerMinute = std::max(peak.tokensPerMinute, static_cast<double>(tokens));
}

} // namespace

void DemandPeaks::add(const std::string& provider, const ServedRequest& request)
{
    std::vector<Minute>& minutes = m_routes[provider];
    minutes.resize(kMinutes);
    const std::int64_t number = minuteOf(request.startedMs);
    Minute& minute = minutes[static_cast<std::size_t>(number % kMinutes)];
    // The place is taken by a later minute: this one counts no more.
    if (minute.number > number) return;
    if (minute.number != number) minute = {.number = number};
    const std::int64_t tokens = std::max<std::int64_t>(request.tokens, 0);
    ++minute.requests;
    minute.tokens += tokens;
    minute.interactive += request.batch ? 0 : 1;
    minute.interactiveTokens += request.batch ? 0 : tokens;
}

DemandPeaks::Peaks DemandPeaks::at(std::int64_t nowMs) const
{
    Peaks peaks;
    const std::int64_t last = minuteOf(nowMs);
    std::vector<Minute> sums(kMinutes);
    std::int64_t requests = 0;
    std::int64_t tokens = 0;
    for (const auto& [provider, minutes] : m_routes) {
        LoadRate& own = peaks.byProvider[provider];
        for (std::size_t i = 0; i < minutes.size(); ++i) {
            const Minute& minute = minutes[i];
            if (minute.number > last || minute.number <= last - kMinutes) continue;
            raise(own, minute.requests, minute.tokens);
            sums[i].requests += minute.requests;
            sums[i].tokens += minute.tokens;
            sums[i].interactive += minute.interactive;
            sums[i].interactiveTokens += minute.interactiveTokens;
            requests += minute.requests;
            tokens += minute.tokens;
        }
    }
    for (const Minute& minute : sums) {
        raise(peaks.all, minute.requests, minute.tokens);
        raise(peaks.interactive, minute.interactive, minute.interactiveTokens);
    }
    if (requests > 0) {
        peaks.tokensPerRequest = static_cast<double>(tokens) / static_cast<double>(requests);
    }
    return peaks;
}

} // namespace weir::routing
