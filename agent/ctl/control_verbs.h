// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/settings.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace weir::ctl {

/// The verbs that look at, or turn, what people change while Weir runs.

struct ModeGetVerb
{
};

struct ModeSetVerb
{
    Mode mode = Mode::Fixed;
    std::string reason;
    /// Only where the switch has this version still.
    std::optional<std::int64_t> ifVersion;
};

struct SettingsGetVerb
{
    /// Empty = all.
    std::vector<std::string> keys;
};

struct SettingsSetVerb
{
    /// KEY=VALUE, as given.
    std::vector<std::string> assignments;
    std::string reason;
};

struct AgentsListVerb
{
};

struct AgentsForgetVerb
{
    /// As much of it as tells it from the others.
    std::string id;
};

struct StoreMigrateVerb
{
};

} // namespace weir::ctl
