// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/time.h"
#include "common/model/policy.h"
#include "common/model/settings.h"

#include <optional>
#include <string>

namespace weir {

/// What one agent goes by: the newest decisions it could read and the mode that follows from them
/// and from what it can trust. Immutable; the control thread publishes a new one on every change.
struct Control
{
    EffectiveMode effectiveMode = EffectiveMode::Failsafe;
    /// "switch", or why not: "settings_unreadable", "switch_missing", "no_summary", "summary_old".
    std::string modeReason = "settings_unreadable";
    /// Nothing until the first successful read.
    std::optional<Decisions> decisions;
    /// The settings of `decisions` as integers, made once a change and not once a request.
    RoutingPolicy policy;
    bool storeReachable = false;
    /// When this agent applied the switch version and the settings version that it holds.
    UtcTime appliedAt{};
};

} // namespace weir
