// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/reports/agreement.h"
#include "agent/store/quality_store.h"
#include "app/model/grid.h"
#include "app/model/tiles.h"
#include "common/quality/mirror_report.h"

#include <span>
#include <string>
#include <vector>

namespace weir::model {

/// What shadow mode would have changed, in four figures; null = not read yet.
[[nodiscard]] std::vector<Tile> shadowTiles(const reports::Agreement* agreement);

[[nodiscard]] std::vector<GridColumn> shadowColumns();
/// `providers` in the order of their colours. The key is the provider that shadow mode would have
/// used, with a number before it.
[[nodiscard]] std::vector<GridRow>
shadowRows(const reports::Agreement& agreement, const std::vector<std::string>& providers);

[[nodiscard]] std::vector<GridColumn> mirrorColumns();
/// One a report, in their order; the key is the report's number and task type.
[[nodiscard]] std::vector<GridRow> mirrorRows(std::span<const quality::MirrorReport> reports);
/// Why the report says what it says, as a sentence.
[[nodiscard]] QString mirrorText(const quality::MirrorReport& report);

[[nodiscard]] std::vector<GridColumn> evalColumns();
/// `scores` are those that routing goes by.
[[nodiscard]] std::vector<GridRow>
evalRows(std::span<const store::EvalRunRow> runs, std::span<const QualityScore> scores);

/// "3 code-review" → "code-review": a key without its number.
[[nodiscard]] QString nameIn(const QString& key);

} // namespace weir::model
