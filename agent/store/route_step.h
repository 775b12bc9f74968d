// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/histogram.h"
#include "common/model/outcome.h"

#include <array>
#include <cstdint>
#include <functional>
#include <string>

namespace weir::store {

enum class RouteStepLength : std::uint8_t { Minute, TenMinutes };

/// One step of the history of one (model, task type) at one provider; agents have rows of their
/// own.
struct RouteStep
{
    std::int64_t startedMs = 0;
    std::string model;
    std::string provider;
    std::string taskType;
    /// Attempts by `Outcome`.
    std::array<std::int64_t, kOutcomeCount> outcomes{};
    /// Microseconds to the first output of answers.
    Histogram ttftUs;
};

using SeeRouteStep = std::function<void(const RouteStep&)>;

} // namespace weir::store
