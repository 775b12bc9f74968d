// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/proxy/route_choice.h"

#include <string>

namespace weir::proxy {

/// The route's newest eval score keeps it from the request's task. Never from an eval request,
/// which is there to score it.
[[nodiscard]] bool isBelowFloor(const ChoiceContext& context, const RouteRuntime& route);

/// Of such a route: " (scored 0.312 for …)".
[[nodiscard]] std::string whyBelowFloor(const ChoiceContext& context, const RouteRuntime& route);

} // namespace weir::proxy
