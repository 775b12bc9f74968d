// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/config.h"
#include "common/model/decision_input.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weir::routing {

/// What one request demands of a route. Views hold for the call.
struct Demands
{
    Protocol protocol = Protocol::OpenAi;
    /// Words of `RouteConfig::capabilities` that the request cannot do without.
    std::vector<std::string_view> capabilities;
    /// Any one of these regions will do; empty = any region.
    std::vector<std::string_view> regions;
    /// All of these contract terms are needed.
    std::vector<std::string_view> terms;
};

/// "its protocol", "a capability", … : the part of a sentence that names the rule.
[[nodiscard]] std::string_view describe(Exclusion exclusion);

/// The first rule, in the order of the enumeration, that removes the route.
[[nodiscard]] Exclusion
exclusionOf(const RouteConfig& route, Protocol routeProtocol, bool enabled, const Demands& demands);

} // namespace weir::routing
