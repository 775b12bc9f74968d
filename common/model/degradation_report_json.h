// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/degradation_report.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <string>

namespace weir {

/// "L0" … "L4".
[[nodiscard]] std::string levelName(std::size_t level);

/// {"from", "to", "requests", "shed", "levels": {"L0": {"requests", "share", "time_s", "ttft_s":
/// {"p50", "p95"}}, …}, "tasks": [{"task_type", "priority", "requests", "failures", "shed",
/// "levels": {"L0": 12, …}}], "residency_violations", "ttft_s"}. Times are RFC 3339 and seconds;
/// what nobody had is null.
[[nodiscard]] nlohmann::ordered_json toJson(const DegradationReport& report);

/// One element of "tasks".
[[nodiscard]] nlohmann::ordered_json toJson(const LadderTask& task);

} // namespace weir
