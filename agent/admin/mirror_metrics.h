// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/admin/sources.h"

#include <string>
#include <vector>

namespace weir::admin {

/// The family `weir_mirror_total`, for the end of the page `/metrics`; empty where no task type has
/// a mirror.
[[nodiscard]] std::string mirrorMetrics(const std::vector<MirrorTotal>& totals);

} // namespace weir::admin
