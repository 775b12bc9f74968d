// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/settings.h"

#include <nlohmann/json_fwd.hpp>

namespace weir {

[[nodiscard]] nlohmann::ordered_json toJson(const RoutingSwitch& value);
[[nodiscard]] nlohmann::ordered_json toJson(const RoutingSettings& value);
[[nodiscard]] nlohmann::ordered_json toJson(const RouteSettings& value);
[[nodiscard]] nlohmann::ordered_json toJson(const AuditEntry& value);

} // namespace weir
