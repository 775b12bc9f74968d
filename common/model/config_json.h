// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/config.h"

#include <nlohmann/json_fwd.hpp>

namespace weir {

/// The effective configuration as `--check` prints it: every key with its value, secrets masked.
[[nodiscard]] nlohmann::ordered_json toJson(const Config& config);

} // namespace weir
