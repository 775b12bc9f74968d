// SPDX-License-Identifier: Apache-2.0
#include "common/routing/caller_shares.h"

#include "common/base/fixed_point.h"

#include <algorithm>

namespace weir::routing {
namespace {

constexpr std::int64_t kPpmAll = 1'000'000;
constexpr std::int64_t kIntervalMs = 1000;
/// The place of all those that found no place of their own.
constexpr std::uint64_t kOthers = ~std::uint64_t{0};

/// The f at which min(demand, f) over all callers adds up to what there is.
std::int64_t fairRate(std::vector<std::int64_t>& demands, std::int64_t room)
{
    std::sort(demands.begin(), demands.end());
    std::int64_t left = room;
    for (std::size_t i = 0; i < demands.size(); ++i) {
        const std::int64_t equal = left / static_cast<std::int64_t>(demands.size() - i);
        if (demands[i] > equal) return equal;
        left -= demands[i];
    }
    return demands.empty() ? -1 : demands.back();
}

} // namespace

const CallerShares::Caller* CallerShares::find(std::uint64_t id) const
{
    const auto place = std::ranges::lower_bound(m_callers, id, {}, &Caller::id);
    return place != m_callers.end() && place->id == id ? &*place : nullptr;
}

void CallerShares::asked(std::uint64_t caller, GateClass kind)
{
    if (m_callers.capacity() == 0) m_callers.reserve(kCallersMax + 1);
    std::uint64_t id = caller;
    if (m_callers.size() >= kCallersMax && find(id) == nullptr) id = kOthers;
    auto place = std::ranges::lower_bound(m_callers, id, {}, &Caller::id);
    if (place == m_callers.end() || place->id != id) {
        place = m_callers.insert(place, Caller{.id = id});
    }
    ++place->asked[static_cast<std::size_t>(kind)].count;
}

void CallerShares::settle(std::int64_t nowMs)
{
    if (m_settledMs < 0) m_settledMs = nowMs;
    const std::int64_t elapsed = nowMs - m_settledMs;
    if (elapsed < kIntervalMs) return;
    m_settledMs = nowMs;
    for (Caller& caller : m_callers) {
        for (DemandMeter& meter : caller.asked)
            meter.settle(elapsed);
    }
    std::erase_if(m_callers, [](const Caller& caller) {
        return std::ranges::all_of(
            caller.asked, [](const DemandMeter& meter) { return meter.milliRps <= 0; });
    });
}

void CallerShares::divide(const std::array<std::int32_t, kGateClasses>& admitPpm)
{
    std::vector<std::int64_t> demands;
    for (std::size_t kind = 0; kind < kGateClasses; ++kind) {
        m_fairMilliRps[kind] = -1;
        if (admitPpm[kind] >= kPpmAll) continue;
        demands.clear();
        std::int64_t whole = 0;
        for (const Caller& caller : m_callers) {
            const std::int64_t demand = caller.asked[kind].milliRps;
            if (demand <= 0) continue;
            demands.push_back(demand);
            whole += demand;
        }
        if (demands.size() < 2) continue;
        m_fairMilliRps[kind] = fairRate(demands, mulDiv(whole, admitPpm[kind], kPpmAll));
    }
}

CallerShares::Part
CallerShares::partOf(std::uint64_t caller, GateClass kind, std::int32_t wholePpm) const
{
    const auto index = static_cast<std::size_t>(kind);
    const std::int64_t fair = m_fairMilliRps[index];
    if (fair < 0) return {wholePpm, false};
    const Caller* found = find(caller);
    if (found == nullptr && m_callers.size() >= kCallersMax) found = find(kOthers);
    const std::int64_t demand = found == nullptr ? 0 : found->asked[index].milliRps;
    // Nothing is known of it yet: as all together, or ever new names would get past the gate.
    if (demand <= 0) return {wholePpm, false};
    if (demand <= fair) return {static_cast<std::int32_t>(kPpmAll), false};
    return {static_cast<std::int32_t>(mulDiv(fair, kPpmAll, demand)), true};
}

} // namespace weir::routing
