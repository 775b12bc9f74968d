// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/sim/fields_json.h"
#include "common/sim/scenario.h"

namespace weir::sim {

/// A route as a model lists it, or what an event sets of one: there, nothing is needed and `status`
/// is known.
enum class RouteText : std::uint8_t { Whole, Change };

/// Reads over what `shape` holds. `quota_rps` is what the operator knows of the route's limit and
/// agents keep to (null = nothing); `capacity_rps` is the limit that really is. A route as a model
/// lists it may also have "region" and "terms" (scenario_json.cpp), which no event changes.
void readRouteShape(Reading& reading, Fields& fields, RouteText text, RouteShape& shape);

/// {"median": …, "sigma": …}; the median is needed unless a change is read.
void readLogNormal(
    Reading& reading, const Fields::Item& item, RouteText text, LogNormal& distribution);

} // namespace weir::sim
