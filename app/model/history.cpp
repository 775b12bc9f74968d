// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/history.h"

#include "app/model/provider_state.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>

namespace weir::model {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
constexpr Ms kLiveStep = 1'000;
constexpr Ms kWindow = 60'000;

std::size_t at(Quantity quantity)
{
    return static_cast<std::size_t>(quantity);
}

double ratio(std::int64_t part, std::int64_t whole)
{
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : kNothing;
}

/// What one provider did in the minute, or the step, before a time.
struct Minute
{
    std::int64_t attempts = 0;
    std::int64_t failures = 0;
    std::int64_t rateLimited = 0;
    Histogram ttftUs;
};

/// Slices by time, to be summed over the time before any.
class Slices final
{
public:
    void add(const RouteSlice& slice) { m_byTime[epochMs(slice.start)].push_back(&slice); }

    [[nodiscard]] Minute before(Ms end, Ms window, const std::string& provider) const
    {
        Minute minute;
        auto time = m_byTime.lower_bound(end - window);
        for (; time != m_byTime.end() && time->first < end; ++time) {
            for (const RouteSlice* slice : time->second) {
                if (slice->provider != provider) continue;
                minute.attempts += slice->attempts;
                minute.failures += slice->failures;
                minute.rateLimited += slice->rateLimited;
                minute.ttftUs.merge(slice->ttftUs);
            }
        }
        return minute;
    }

private:
    std::map<Ms, std::vector<const RouteSlice*>> m_byTime;
};

} // namespace

std::size_t History::indexOf(const std::string& provider)
{
    const auto place = std::ranges::lower_bound(m_providers, provider);
    const auto index = place - m_providers.begin();
    if (place == m_providers.end() || *place != provider) {
        m_providers.insert(place, provider);
        const auto added = m_data.insert(m_data.begin() + index, Provider{});
        for (auto& column : added->columns)
            column.assign(m_times.size(), kNothing);
    }
    return static_cast<std::size_t>(index);
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
        set(Quantity::PermittedRps, route.permittedRps.value_or(kNothing));
        const std::int64_t attempts = attemptsOf(route);
        const auto limited = route.outcomes1m.find("rate_limited");
        set(Quantity::RateLimitedShare,
            ratio(limited == route.outcomes1m.end() ? 0 : limited->second, attempts));
    }
}

void History::copyRow(const History& from, std::size_t row)
{
    addRow(from.m_times[row], from.m_steps[row]);
    for (std::size_t p = 0; p < from.m_data.size(); ++p) {
        for (std::size_t q = 0; q < kQuantityCount; ++q) {
            m_data[p].columns[q].back() = from.m_data[p].columns[q][row];
        }
    }
}

void History::backfill(const std::vector<RouteSlice>& slices, Span covered, Ms step)
{
    Slices sums;
    for (const RouteSlice& slice : slices) {
        indexOf(slice.provider);
        sums.add(slice);
    }
    // Built anew and merged by time: what is known already stays as it is.
    History merged;
    merged.m_providers = m_providers;
    merged.m_data.resize(m_data.size());
    const Ms window = std::max(kWindow, step);
    std::size_t next = 0;
    for (Ms end = (covered.from / step + 1) * step; end <= covered.to; end += step) {
        while (next < m_times.size() && m_times[next] <= end)
            merged.copyRow(*this, next++);
        const bool isKnownBefore =
            !merged.m_times.empty() && end - merged.m_times.back() < step / 2;
        const bool isKnownAfter = next < m_times.size() && m_times[next] - end < step / 2;
        if (isKnownBefore || isKnownAfter) continue;
        merged.addRow(end, step);
        std::vector<Minute> minutes;
        std::int64_t all = 0;
        for (const std::string& provider : m_providers) {
            minutes.push_back(sums.before(end, window, provider));
            all += minutes.back().attempts;
        }
        for (std::size_t p = 0; p < minutes.size(); ++p) {
            auto& columns = merged.m_data[p].columns;
            const auto p50 = minutes[p].ttftUs.quantile(0.5);
            columns[at(Quantity::Share)].back() = ratio(minutes[p].attempts, all);
            columns[at(Quantity::TtftP50S)].back() =
                p50 ? static_cast<double>(*p50) / 1e6 : kNothing;
            columns[at(Quantity::Rps)].back() =
                static_cast<double>(minutes[p].attempts) * 1000.0 / static_cast<double>(window);
            columns[at(Quantity::FailureShare)].back() =
                ratio(minutes[p].failures, minutes[p].attempts);
            columns[at(Quantity::RateLimitedShare)].back() =
                ratio(minutes[p].rateLimited, minutes[p].attempts);
        }
    }
    while (next < m_times.size())
        merged.copyRow(*this, next++);
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
