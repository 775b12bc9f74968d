// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/config.h"
#include "common/model/control.h"
#include "common/model/status.h"

namespace weir::admin {

/// The newest eval scores of each route, and an alert for each that a task with a quality floor has
/// on its ladder without a score ("quality_unscored") or with one below it ("quality_below_floor").
/// `status.models` are filled in already.
void addQuality(AgentStatus& status, const Config& config, const Control& control);

} // namespace weir::admin
