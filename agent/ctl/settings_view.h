// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/ctl/style.h"
#include "agent/reports/settings_edit.h"
#include "common/model/settings.h"

#include <string>
#include <string_view>
#include <vector>

namespace weir::ctl {

/// "objective" and the keys of `settingSpecs()`.
[[nodiscard]] std::vector<std::string_view> settingKeys();

/// Each setting with its value, what it may be and what it means; below them the routes that have
/// settings of their own. With `keys`, those settings alone.
[[nodiscard]] std::vector<Line> settingsLines(
    const Decisions& decisions,
    const std::vector<std::string>& keys,
    UtcTime now,
    std::size_t width);

/// "slow_factor  3 → 4".
[[nodiscard]] std::vector<Line>
changeLines(const std::vector<reports::Change>& changes, std::size_t width);

} // namespace weir::ctl
