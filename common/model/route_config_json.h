// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/route_config.h"

#include <nlohmann/json_fwd.hpp>

namespace weir {

/// Prices in dollars per million tokens; null where something is not known or not limited.
[[nodiscard]] nlohmann::ordered_json toJson(const RouteConfig& route);

/// Reads what `toJson` wrote; what is not there stays unknown. Throws nlohmann::json::exception
/// where a value is of the wrong kind.
[[nodiscard]] RouteConfig routeConfigFromJson(const nlohmann::ordered_json& json);

} // namespace weir
