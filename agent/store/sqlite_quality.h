// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/sqlite.h"
#include "common/model/quality_score.h"

#include <vector>

namespace weir::store {

/// All rows of `eval_score`.
[[nodiscard]] Result<std::vector<QualityScore>> readScores(SqliteDb& db);

} // namespace weir::store
