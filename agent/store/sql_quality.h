// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/sql.h"
#include "common/model/quality_score.h"

#include <vector>

namespace weir::store {

/// All rows of `eval_score`.
[[nodiscard]] Result<std::vector<QualityScore>> readScores(SqlConnection& db);

} // namespace weir::store
