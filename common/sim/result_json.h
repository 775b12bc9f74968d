// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/sim/result.h"
#include "common/sim/scenario.h"

#include <nlohmann/json_fwd.hpp>

namespace weir::sim {

/// The totals alone, keys in the order of contract section 8.
[[nodiscard]] nlohmann::ordered_json totalsJson(const SimResult& result);
/// The whole result of a run of `scenario`.
[[nodiscard]] nlohmann::ordered_json toJson(const SimResult& result, const Scenario& scenario);

} // namespace weir::sim
