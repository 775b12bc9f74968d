// SPDX-License-Identifier: Apache-2.0
#include "common/routing/error_budget.h"

#include "common/base/assert.h"
#include "common/base/fixed_point.h"

#include <algorithm>

namespace weir::routing {
namespace {

constexpr std::size_t kMinutes = kBurnWindows.back();
constexpr std::int64_t kStepMinutes = 10;
constexpr std::size_t kSteps = std::int64_t{28} * 24 * 60 / kStepMinutes;
/// Less than this in the long window is chance, not a burn.
constexpr std::int64_t kBadMin = 20;
constexpr std::int64_t kTotalMin = 100;
/// More calls than any route gets in a minute; sums over 28 days stay far inside 64 bits.
constexpr std::int64_t kCountMax = 100'000'000;
/// A thousandth of all calls, in ppm of ppm.
constexpr std::int64_t kMilliPpm = 1'000'000'000;
/// Where so much of all calls fails, the alert comes whatever the rule says: at an SLO of 95 % the
/// budget cannot burn faster than 20 times.
constexpr std::int64_t kFailingMilliPpm = 800'000'000;

std::size_t indexOf(Slo slo)
{
    return static_cast<std::size_t>(slo);
}

std::size_t windowOf(std::int64_t minutes)
{
    const auto* const found = std::find(kBurnWindows.begin(), kBurnWindows.end(), minutes);
    WEIR_ASSERT(found != kBurnWindows.end());
    return static_cast<std::size_t>(found - kBurnWindows.begin());
}

/// At most `totalMax` calls, of which none is bad twice.
SloCount bounded(const SloCount& count, std::int64_t totalMax)
{
    const std::int64_t total = std::clamp<std::int64_t>(count.total, 0, totalMax);
    return {total, std::clamp<std::int64_t>(count.bad, 0, total)};
}

std::int64_t burnOf(const SloCount& sum, Slo slo)
{
    if (sum.total == 0) return 0;
    return mulDiv(sum.bad, kMilliPpm, sum.total * allowedPpm(slo));
}

std::int64_t thresholdOf(Slo slo, const BurnRule& rule)
{
    return std::min(rule.burnMilli, kFailingMilliPpm / allowedPpm(slo));
}

} // namespace

std::string_view toWord(Slo slo)
{
    constexpr std::array<std::string_view, kSlos.size()> kWords{
        "availability", "rate_limit", "latency"};
    return kWords[indexOf(slo)];
}

std::int64_t allowedPpm(Slo slo)
{
    constexpr std::array<std::int64_t, kSlos.size()> kAllowedPpm{10'000, 20'000, 50'000};
    return kAllowedPpm[indexOf(slo)];
}

SloCounts sloCountsOf(const RouteMinute& row)
{
    const std::int64_t served = row.successes + row.failed;
    SloCounts counts;
    counts[indexOf(Slo::Availability)] = {served, row.failed};
    counts[indexOf(Slo::RateLimit)] = {served + row.rateLimited, row.rateLimited};
    counts[indexOf(Slo::Latency)] = {row.comparedCalls, row.slowCalls};
    return counts;
}

ErrorBudget::ErrorBudget()
    : m_minutes(kMinutes)
    , m_steps(kSteps)
{
}

void ErrorBudget::addOlder(const SloCounts& tenMinutes)
{
    beginStep();
    addToMonth(tenMinutes, kStepMinutes * kCountMax);
}

void ErrorBudget::advance(const SloCounts& minute)
{
    if (m_minute % kStepMinutes == 0) beginStep();
    addToMonth(minute, kCountMax);
    for (std::size_t window = 0; window < kBurnWindows.size(); ++window) {
        const std::int64_t leaving = m_minute - kBurnWindows[window];
        if (leaving < 0) continue;
        const Slots& old = m_minutes[static_cast<std::size_t>(leaving) % kMinutes];
        for (std::size_t slo = 0; slo < kSlos.size(); ++slo) {
            m_windows[window][slo].total -= old[slo].total;
            m_windows[window][slo].bad -= old[slo].bad;
        }
    }
    Slots& slots = m_minutes[static_cast<std::size_t>(m_minute++) % kMinutes];
    for (std::size_t slo = 0; slo < kSlos.size(); ++slo) {
        const SloCount count = bounded(minute[slo], kCountMax);
        slots[slo] = {
            static_cast<std::uint32_t>(count.total), static_cast<std::uint32_t>(count.bad)};
        for (SloCounts& window : m_windows) {
            window[slo].total += count.total;
            window[slo].bad += count.bad;
        }
    }
    for (const Slo slo : kSlos) {
        for (std::size_t rule = 0; rule < kBurnRules.size(); ++rule)
            judge(slo, rule);
    }
}

SloCount ErrorBudget::sum(Slo slo, std::int64_t minutes) const
{
    return m_windows[windowOf(minutes)][indexOf(slo)];
}

std::int64_t ErrorBudget::burnMilli(Slo slo, std::int64_t minutes) const
{
    return burnOf(sum(slo, minutes), slo);
}

bool ErrorBudget::stands(Slo slo, std::size_t rule) const
{
    return m_alerts[indexOf(slo)][rule].stands;
}

std::optional<std::int64_t> ErrorBudget::leftPpm(Slo slo) const
{
    constexpr std::int64_t kWhole = 1'000'000;
    const SloCount& month = m_month[indexOf(slo)];
    if (month.total == 0) return std::nullopt;
    return kWhole - mulDiv(month.bad, kWhole * kWhole, month.total * allowedPpm(slo));
}

bool ErrorBudget::isIdle() const
{
    return std::all_of(
        m_month.begin(), m_month.end(), [](const SloCount& sum) { return sum.total == 0; });
}

/// The oldest ten minutes leave the 28 days.
void ErrorBudget::beginStep()
{
    Slots& oldest = m_steps[static_cast<std::size_t>(++m_step) % kSteps];
    for (std::size_t slo = 0; slo < kSlos.size(); ++slo) {
        m_month[slo].total -= oldest[slo].total;
        m_month[slo].bad -= oldest[slo].bad;
    }
    oldest = {};
}

void ErrorBudget::addToMonth(const SloCounts& counts, std::int64_t totalMax)
{
    Slots& now = m_steps[static_cast<std::size_t>(m_step) % kSteps];
    for (std::size_t slo = 0; slo < kSlos.size(); ++slo) {
        const SloCount count = bounded(counts[slo], totalMax);
        now[slo].total += static_cast<std::uint32_t>(count.total);
        now[slo].bad += static_cast<std::uint32_t>(count.bad);
        m_month[slo].total += count.total;
        m_month[slo].bad += count.bad;
    }
}

void ErrorBudget::judge(Slo slo, std::size_t index)
{
    const BurnRule& rule = kBurnRules[index];
    Alert& alert = m_alerts[indexOf(slo)][index];
    const std::int64_t threshold = thresholdOf(slo, rule);
    const std::int64_t brief = burnMilli(slo, rule.shortMinutes);
    if (!alert.stands) {
        const SloCount matters = sum(slo, rule.longMinutes);
        alert.stands = brief >= threshold && burnOf(matters, slo) >= threshold &&
                       matters.bad >= kBadMin && matters.total >= kTotalMin;
        alert.calmMinutes = 0;
        return;
    }
    alert.calmMinutes = 2 * brief < threshold ? alert.calmMinutes + 1 : 0;
    alert.stands = alert.calmMinutes < 2 * rule.shortMinutes;
}

} // namespace weir::routing
