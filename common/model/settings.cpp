// SPDX-License-Identifier: Apache-2.0
#include "common/model/settings.h"

#include "common/base/assert.h"

#include <array>
#include <cmath>
#include <cstdio>

namespace weir {
namespace {

// Defaults and ranges: routing.md sections 1, 3, 7 and contract section 5.
constexpr std::array<SettingSpec, 8> kSpecs = {{
    {"cost_weight",
     "",
     0.0,
     1.0,
     0.7,
     "weight of cost in the score; with speed_weight it sums to 1"},
    {"speed_weight", "", 0.0, 1.0, 0.3, "weight of speed in the score"},
    {"slow_factor",
     "times",
     1.5,
     20.0,
     3.0,
     "a route this many times slower than the fastest sorts last"},
    {"switch_margin", "share", 0.0, 0.5, 0.05, "how much better a challenger must score to lead"},
    {"exploration_share",
     "share",
     0.01,
     0.15,
     0.05,
     "share of traffic that tries each other route"},
    {"exploration_cap", "share", 0.02, 0.5, 0.2, "exploration of all routes together"},
    {"pin_seconds", "s", 0.0, 3600.0, 300.0, "how long an idle conversation keeps its route"},
    {"max_premium",
     "times",
     1.0,
     100.0,
     2.0,
     "report a leader that costs this many times the cheapest"},
}};

} // namespace

std::string_view toWord(Mode mode)
{
    switch (mode) {
    case Mode::Adaptive:
        return "adaptive";
    case Mode::Shadow:
        return "shadow";
    case Mode::Fixed:
        return "fixed";
    }
    return "fixed";
}

std::string_view toWord(EffectiveMode mode)
{
    switch (mode) {
    case EffectiveMode::Adaptive:
        return "adaptive";
    case EffectiveMode::Shadow:
        return "shadow";
    case EffectiveMode::Fixed:
        return "fixed";
    case EffectiveMode::Failsafe:
        return "failsafe";
    }
    return "failsafe";
}

std::optional<Mode> modeFromWord(std::string_view word)
{
    for (const Mode mode : {Mode::Adaptive, Mode::Shadow, Mode::Fixed}) {
        if (toWord(mode) == word) return mode;
    }
    return std::nullopt;
}

std::optional<EffectiveMode> effectiveModeFromWord(std::string_view word)
{
    if (word == toWord(EffectiveMode::Failsafe)) return EffectiveMode::Failsafe;
    const std::optional<Mode> mode = modeFromWord(word);
    if (!mode) return std::nullopt;
    return static_cast<EffectiveMode>(*mode);
}

double RoutingSettings::number(std::string_view key) const
{
    const auto found = numbers.find(key);
    WEIR_ASSERT(found != numbers.end());
    return found->second;
}

std::span<const SettingSpec> settingSpecs()
{
    return kSpecs;
}

RoutingSettings standardSettings()
{
    RoutingSettings settings;
    for (const SettingSpec& spec : kSpecs) {
        settings.numbers.emplace(std::string{spec.key}, spec.standard);
    }
    return settings;
}

Status<> validate(const RoutingSettings& settings)
{
    if (settings.objective != "score" && settings.objective != "routing_cost") {
        return fail("bad_setting", "objective", "must be score or routing_cost");
    }
    for (const SettingSpec& spec : kSpecs) {
        const auto found = settings.numbers.find(spec.key);
        if (found == settings.numbers.end()) {
            return fail("bad_setting", std::string{spec.key}, "is missing");
        }
        if (!(found->second >= spec.minimum && found->second <= spec.maximum)) {
            std::array<char, 96> range{};
            std::snprintf(
                range.data(),
                range.size(),
                "must be between %g and %g, not %g",
                spec.minimum,
                spec.maximum,
                found->second);
            return fail("bad_setting", std::string{spec.key}, range.data());
        }
    }
    const double sum = settings.number("cost_weight") + settings.number("speed_weight");
    if (std::abs(sum - 1.0) > 1e-9) {
        return fail("bad_setting", "cost_weight", "cost_weight and speed_weight must sum to 1");
    }
    return {};
}

} // namespace weir
