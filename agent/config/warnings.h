// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/config.h"

#include <string>
#include <vector>

namespace weir::config {

/// What a sound configuration had better not have, one sentence each with the key in front: a
/// server of the operator's own (`max_in_flight`) with nothing behind it that serves while it is
/// full, slow or down.
[[nodiscard]] std::vector<std::string> warningsOf(const Config& config);

} // namespace weir::config
