// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/result.h"
#include "common/sim/scenario.h"

#include <string>
#include <string_view>

namespace weir::sim {

/// Reads a scenario file strictly (contract section 8): unknown keys, other types and values that
/// make no sense are one error, code "bad_scenario", whose `where` is "FILE: path.of.the[0].key".
[[nodiscard]] Result<Scenario> readScenario(std::string_view text, const std::string& file);

} // namespace weir::sim
