// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/result.h"
#include "common/base/time.h"
#include "common/model/audit_entry.h"
#include "common/model/drill.h"
#include "common/model/quality_score.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

/// What people change while Weir runs (contract section 5).

enum class Mode : std::uint8_t { Adaptive, Shadow, Fixed };

/// What an agent really does; `Failsafe` is the fixed order because the switch or the summary could
/// not be trusted.
enum class EffectiveMode : std::uint8_t { Adaptive, Shadow, Fixed, Failsafe };

[[nodiscard]] std::string_view toWord(Mode mode);
[[nodiscard]] std::string_view toWord(EffectiveMode mode);
[[nodiscard]] std::optional<Mode> modeFromWord(std::string_view word);
[[nodiscard]] std::optional<EffectiveMode> effectiveModeFromWord(std::string_view word);

/// The row of `routing_switch`.
struct RoutingSwitch
{
    Mode mode = Mode::Fixed;
    std::int64_t version = 0;
    std::string reason;
    std::string updatedBy;
    std::string updatedHost;
    UtcTime updatedAt{};
    std::string requestUuid;

    bool operator==(const RoutingSwitch&) const = default;
};

/// The row of `routing_settings`. Numbers are kept by key, so that a parameter added later needs a
/// row in `settingSpecs()` and a column, and nothing else.
struct RoutingSettings
{
    /// "score" or "routing_cost".
    std::string objective = "score";
    /// Every key of `settingSpecs()`.
    std::map<std::string, double, std::less<>> numbers;
    std::int64_t version = 0;
    std::string updatedBy;
    UtcTime updatedAt{};
    std::string reason;

    /// Asserts that the key is one of `settingSpecs()`.
    [[nodiscard]] double number(std::string_view key) const;

    bool operator==(const RoutingSettings&) const = default;
};

/// A row of `route_settings`.
struct RouteSettings
{
    std::string model;
    std::string provider;
    bool enabled = true;
    std::optional<int> fixedPosition;
    double scoreBias = 1.0;
    std::int64_t version = 0;
    std::string updatedBy;
    UtcTime updatedAt{};
    std::string reason;

    bool operator==(const RouteSettings&) const = default;
};

/// One numeric setting: what it means and what the database's constraint allows.
struct SettingSpec
{
    std::string_view key;
    std::string_view unit;
    double minimum;
    double maximum;
    double standard;
    std::string_view meaning;
};

/// All numeric settings of `routing_settings`, in the order in which people read them.
[[nodiscard]] std::span<const SettingSpec> settingSpecs();

/// The settings before anybody changed one.
[[nodiscard]] RoutingSettings standardSettings();

/// Checks ranges and that the two weights sum to 1. Error code "bad_setting", `where` the key.
[[nodiscard]] Status<> validate(const RoutingSettings& settings);

/// Everything people decided, as one agent last read it.
struct Decisions
{
    RoutingSwitch routingSwitch;
    RoutingSettings settings;
    std::vector<RouteSettings> routes;
    /// Those that may still run.
    std::vector<Drill> drills{};
    std::vector<QualityScore> scores{};
};

} // namespace weir
