// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/history.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>

namespace weir::model {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
constexpr Ms kLiveStep = 1'000;
constexpr Ms kSliceStep = 10'000;
constexpr Ms kWindow = 60'000;

std::size_t at(Quantity quantity)
{
    return static_cast<std::size_t>(quantity);
}

/// What one provider did in the minute before a time.
struct Minute
{
    std::int64_t attempts = 0;
    std::int64_t failures = 0;
    Histogram ttftUs;
};

struct Row
{
    Ms time = 0;
    std::vector<Minute> minutes;
};

double ratio(std::int64_t part, std::int64_t whole)
{
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : kNothing;
}

} // namespace

std::size_t History::indexOf(const std::string& provider)
{
    const auto found = std::ranges::find(m_providers, provider);
    if (found != m_providers.end()) return static_cast<std::size_t>(found - m_providers.begin());
    m_providers.push_back(provider);
    Provider& added = m_data.emplace_back();
    for (auto& column : added.columns)
        column.assign(m_times.size(), kNothing);
    return m_providers.size() - 1;
}

void History::addRow(Ms time, Ms step)
{
    m_times.push_back(time);
    m_steps.push_back(step);
    for (Provider& provider : m_data) {
        for (auto& column : provider.columns)
            column.push_back(kNothing);
    }
}

void History::append(const ModelStatus& status, UtcTime at_)
{
    const Ms time = epochMs(at_);
    if (!m_times.empty() && time <= m_times.back()) return;
    addRow(time, kLiveStep);
    for (const RouteStatus& route : status.routes) {
        Provider& provider = m_data[indexOf(route.provider)];
        const auto set = [&](Quantity quantity, double value) {
            provider.columns[at(quantity)].back() = value;
        };
        set(Quantity::Share, route.share1m.value_or(kNothing));
        set(Quantity::TtftP50S, route.ttftMs.p50 ? *route.ttftMs.p50 / 1000.0 : kNothing);
        set(Quantity::Rps, route.rps1m);
        set(Quantity::FailureShare, route.errorRate1m.value_or(kNothing));
    }
}

void History::backfill(const std::vector<RouteSlice>& slices, Span covered)
{
    std::map<Ms, std::map<std::size_t, const RouteSlice*>> byTime;
    for (const RouteSlice& slice : slices) {
        byTime[epochMs(slice.start)][indexOf(slice.provider)] = &slice;
    }
    const auto minuteBefore = [&](Ms end, std::size_t provider) {
        Minute minute;
        for (auto it = byTime.lower_bound(end - kWindow); it != byTime.end() && it->first < end;
             ++it) {
            const auto found = it->second.find(provider);
            if (found == it->second.end()) continue;
            minute.attempts += found->second->attempts;
            minute.failures += found->second->failures;
            minute.ttftUs.merge(found->second->ttftUs);
        }
        return minute;
    };

    // Built anew and merged by time: what the live stream said stays as it is.
    History merged;
    merged.m_providers = m_providers;
    merged.m_data.resize(m_data.size());
    const auto copyRow = [&](std::size_t i) {
        merged.addRow(m_times[i], m_steps[i]);
        for (std::size_t p = 0; p < m_data.size(); ++p) {
            for (std::size_t q = 0; q < kQuantityCount; ++q) {
                merged.m_data[p].columns[q].back() = m_data[p].columns[q][i];
            }
        }
    };
    std::size_t next = 0;
    for (Ms end = (covered.from / kSliceStep + 1) * kSliceStep; end <= covered.to;
         end += kSliceStep) {
        while (next < m_times.size() && m_times[next] <= end)
            copyRow(next++);
        const bool isNearBefore =
            !merged.m_times.empty() && end - merged.m_times.back() < kSliceStep;
        const bool isNearAfter = next < m_times.size() && m_times[next] - end < kSliceStep / 2;
        if (isNearBefore || isNearAfter) continue;
        merged.addRow(end, kSliceStep);
        std::vector<Minute> minutes;
        std::int64_t all = 0;
        for (std::size_t p = 0; p < m_data.size(); ++p) {
            minutes.push_back(minuteBefore(end, p));
            all += minutes.back().attempts;
        }
        for (std::size_t p = 0; p < m_data.size(); ++p) {
            auto& columns = merged.m_data[p].columns;
            const auto p50 = minutes[p].ttftUs.quantile(0.5);
            columns[at(Quantity::Share)].back() = ratio(minutes[p].attempts, all);
            columns[at(Quantity::TtftP50S)].back() =
                p50 ? static_cast<double>(*p50) / 1e6 : kNothing;
            columns[at(Quantity::Rps)].back() = static_cast<double>(minutes[p].attempts) / 60.0;
            columns[at(Quantity::FailureShare)].back() =
                ratio(minutes[p].failures, minutes[p].attempts);
        }
    }
    while (next < m_times.size())
        copyRow(next++);
    *this = std::move(merged);
}

void History::dropBefore(Ms time)
{
    const auto count = std::ranges::lower_bound(m_times, time) - m_times.begin();
    if (count == 0) return;
    m_times.erase(m_times.begin(), m_times.begin() + count);
    m_steps.erase(m_steps.begin(), m_steps.begin() + count);
    for (Provider& provider : m_data) {
        for (auto& column : provider.columns)
            column.erase(column.begin(), column.begin() + count);
    }
}

Column History::column(std::size_t provider, Quantity quantity) const
{
    return {m_times, m_data[provider].columns[at(quantity)]};
}

double History::valueAt(std::size_t provider, Quantity quantity, Ms time) const
{
    constexpr Ms kMissed = 3;
    const std::ptrdiff_t index = indexAt(m_times, time);
    if (index < 0) return kNothing;
    const auto i = static_cast<std::size_t>(index);
    if (time - m_times[i] > kMissed * m_steps[i]) return kNothing;
    return m_data[provider].columns[at(quantity)][i];
}

} // namespace weir::model
