// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/drill_report.h"
#include "common/model/drill_status.h"

#include <nlohmann/json_fwd.hpp>

namespace weir {

/// `{"id", "kind", "model", "provider", "share", "delay_ms", "starts_at", "ends_at", "abort_above",
/// "started_by", "host", "reason", "ended_at", "end_reason"}`: the last two null while it runs.
[[nodiscard]] nlohmann::ordered_json toJson(const Drill& drill);

/// The same with `left_s` and the counts: an element of `drills` in `/admin/v1/status`.
[[nodiscard]] nlohmann::ordered_json toJson(const DrillStatus& status);

/// Reads what `toJson` has written; absent members keep their standard. Throws what nlohmann's
/// accessors throw on a member of the wrong kind.
[[nodiscard]] DrillStatus drillStatusFromJson(const nlohmann::ordered_json& json);

[[nodiscard]] nlohmann::ordered_json toJson(const DrillCounts& counts);
[[nodiscard]] nlohmann::ordered_json toJson(const DrillReport& report);

} // namespace weir
