// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/config.h"
#include "common/model/settings.h"

#include <string>
#include <string_view>
#include <vector>

namespace weir::routing {

/// The row about this route, or null where nobody has changed anything of it.
[[nodiscard]] const RouteSettings* settingsOf(
    const std::vector<RouteSettings>& settings, std::string_view model, std::string_view provider);

/// The providers of a model's enabled routes in the order of the fixed mode: a route's fixed
/// position from the settings goes before its place in `fixed_order`; where two claim one place,
/// the settings' comes first.
[[nodiscard]] std::vector<std::string>
fixedOrder(const ModelConfig& model, const std::vector<RouteSettings>& settings);

} // namespace weir::routing
