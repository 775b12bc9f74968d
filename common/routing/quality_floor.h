// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/quality_score.h"
#include "common/model/task_config.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace weir::routing {

/// The quality floor of a task type (seed document 001, "Eligibility before preference"): a route
/// whose newest eval scores below it is excluded, whatever fails. A route that was never scored is
/// a guess, not a failure, and may serve: who adds a floor must not lose every route until the
/// first run has ended. It is shown as unscored until then. Schema validity and refusals stand
/// beside the score and have no floor of their own: where they matter, the score says so too.

/// The newest score of the route for the task type; nothing where it was never scored.
[[nodiscard]] const QualityScore* scoreOf(
    std::span<const QualityScore> scores,
    std::string_view model,
    std::string_view provider,
    std::string_view taskType);

/// `score` may be nothing.
[[nodiscard]] bool isBelowFloor(const QualityScore* score, const TaskConfig& task);

/// "scored 0.312 for task type review (40 cases, 3 h old), below its quality_floor of 0.5".
[[nodiscard]] std::string
describeBelowFloor(const QualityScore& score, const TaskConfig& task, std::int64_t nowMs);

} // namespace weir::routing
