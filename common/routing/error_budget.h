// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/routing/minute_facts.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace weir::routing {

/// What a provider's route is held to, over 28 days (routing.md section 13). Each counts only the
/// calls that can tell something of it.
enum class Slo : std::uint8_t {
    /// 99 % of those that it answered or failed; not 429s, credit, keys, or the caller's own doing.
    Availability,
    /// 98 % of those and of its 429s are no 429.
    RateLimit,
    /// 95 % of its answers begin within twice their usual time.
    Latency,
};

inline constexpr std::array kSlos{Slo::Availability, Slo::RateLimit, Slo::Latency};

/// "availability", "rate_limit", "latency".
[[nodiscard]] std::string_view toWord(Slo slo);
/// Share of the calls that may be bad.
[[nodiscard]] std::int64_t allowedPpm(Slo slo);

struct SloCount
{
    std::int64_t total = 0;
    std::int64_t bad = 0;

    bool operator==(const SloCount&) const = default;
};

using SloCounts = std::array<SloCount, kSlos.size()>;

[[nodiscard]] SloCounts sloCountsOf(const RouteMinute& row);

enum class BurnLevel : std::uint8_t { None, Ticket, Page };

/// Alerts where the budget burns this fast in both windows: the long one says that it matters, the
/// short one that it goes on.
struct BurnRule
{
    BurnLevel level = BurnLevel::None;
    std::int64_t longMinutes = 0;
    std::int64_t shortMinutes = 0;
    /// Thousandths: at 1000 the budget of 28 days lasts 28 days.
    std::int64_t burnMilli = 0;
};

inline constexpr std::array<BurnRule, 3> kBurnRules{{
    {BurnLevel::Page, 60, 5, 14'400},
    {BurnLevel::Page, 360, 30, 6'000},
    {BurnLevel::Ticket, 4'320, 360, 1'000},
}};

/// All windows of the rules, in minutes; the longest is 3 days.
inline constexpr std::array<std::int64_t, 5> kBurnWindows{5, 30, 60, 360, 4'320};

/// The error budget of one route: fed with one minute after another, whatever the clock.
class ErrorBudget final
{
public:
    ErrorBudget();

    /// Ten minutes that were over before the first minute.
    void addOlder(const SloCounts& tenMinutes);
    void advance(const SloCounts& minute);

    /// Of the last `minutes`, which is one of `kBurnWindows`.
    [[nodiscard]] SloCount sum(Slo slo, std::int64_t minutes) const;
    /// Thousandths; 0 without calls.
    [[nodiscard]] std::int64_t burnMilli(Slo slo, std::int64_t minutes) const;
    /// Whether the rule's alert stands: from when it burns until its short window has been below
    /// half the threshold for twice that window's length.
    [[nodiscard]] bool stands(Slo slo, std::size_t rule) const;
    /// What is left of the budget that the calls of 28 days bring; below 0 = overspent. Nothing
    /// without calls.
    [[nodiscard]] std::optional<std::int64_t> leftPpm(Slo slo) const;
    /// No call in 28 days.
    [[nodiscard]] bool isIdle() const;

private:
    struct Slot
    {
        std::uint32_t total = 0;
        std::uint32_t bad = 0;
    };

    using Slots = std::array<Slot, kSlos.size()>;

    struct Alert
    {
        bool stands = false;
        std::int64_t calmMinutes = 0;
    };

    void beginStep();
    void addToMonth(const SloCounts& counts, std::int64_t totalMax);
    void judge(Slo slo, std::size_t index);

    /// The minutes of the longest window, and the ten-minute steps of 28 days; both are rings.
    std::vector<Slots> m_minutes;
    std::vector<Slots> m_steps;
    std::int64_t m_minute = 0;
    std::int64_t m_step = 0;
    std::array<SloCounts, kBurnWindows.size()> m_windows{};
    SloCounts m_month{};
    std::array<std::array<Alert, kBurnRules.size()>, kSlos.size()> m_alerts{};
};

} // namespace weir::routing
