// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/store/drill_store.h"
#include "app/model/grid.h"
#include "common/model/drill_report.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace weir::model {

/// Drills in words and rows.

/// "breaker open", "429s", "503s", "delay".
[[nodiscard]] QString drillKindText(DrillKind kind);

/// "the breaker of baseten is open", "30.0 % of the requests on baseten get a 429".
[[nodiscard]] QString drillEffect(const Drill& drill);

/// "runs, 4 m left", "ran its time", "aborted".
[[nodiscard]] GridCell drillState(const Drill& drill, UtcTime now);

[[nodiscard]] std::vector<GridColumn> drillColumns();
[[nodiscard]] std::vector<GridRow>
drillRows(const std::vector<store::StoredDrill>& drills, UtcTime now);

/// Before, during and after beside each other.
[[nodiscard]] std::vector<GridColumn> reportColumns();
[[nodiscard]] std::vector<GridRow> reportRows(const DrillReport& report);

/// Who began and ended it and why, how traffic left and came back.
[[nodiscard]] QStringList
reportLines(const DrillReport& report, const store::StoredDrill& drill, UtcTime now);

} // namespace weir::model
