// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/result.h"
#include "common/model/settings.h"

#include <span>
#include <string>
#include <vector>

namespace weir::reports {

/// KEY=VALUE texts turned into rows to write. Pure.

struct RouteName
{
    std::string model;
    std::string provider;

    bool operator==(const RouteName&) const = default;
};

struct KnownRoutes
{
    std::vector<RouteName> routes;
    /// There are no others, so a route that is not among them is a slip.
    bool complete = false;
};

struct Change
{
    std::string key;
    std::string before;
    std::string after;

    bool operator==(const Change&) const = default;
};

struct Edit
{
    RoutingSettings settings;
    bool settingsChanged = false;
    /// Only those that change; version 0 = there is no row yet.
    std::vector<RouteSettings> routes;
    /// For people, in the order given.
    std::vector<Change> changes;
};

/// Error code "bad_usage" with the key, its fault and its cure. An assignment of the value that
/// stands already is no change.
[[nodiscard]] Result<Edit> editSettings(
    const Decisions& decisions, std::span<const std::string> assignments, const KnownRoutes& known);

/// The fault of one assignment, whatever the others are.
[[nodiscard]] Status<> checkAssignment(
    const Decisions& decisions, const std::string& assignment, const KnownRoutes& known);

struct Value
{
    std::string key;
    std::string value;

    bool operator==(const Value&) const = default;
};

/// What stands, as assignments would write it: the objective, the numbers in the order of
/// `settingSpecs()`, and every field of these routes.
[[nodiscard]] std::vector<Value>
standingValues(const Decisions& decisions, std::span<const RouteName> routes);

/// "route.glm-5.2.baseten.enabled".
[[nodiscard]] std::string routeKey(const RouteName& route, std::string_view field);

/// "route.MODEL.PROVIDER.FIELD".
[[nodiscard]] bool isRouteKey(std::string_view key);

} // namespace weir::reports
