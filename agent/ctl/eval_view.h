// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/ctl/style.h"
#include "agent/store/quality_store.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace weir::ctl {

/// A row for each route.
[[nodiscard]] std::vector<Line>
evalRunLines(std::span<const store::EvalRunRow> rows, std::size_t width);
/// The scores that routing goes by, with their age.
[[nodiscard]] std::vector<Line>
evalScoreLines(std::span<const QualityScore> scores, UtcTime now, std::size_t width);

[[nodiscard]] nlohmann::ordered_json toJson(const QualityScore& score);
[[nodiscard]] nlohmann::ordered_json toJson(const store::EvalRunRow& row);

} // namespace weir::ctl
