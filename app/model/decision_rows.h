// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/reports/request_file.h"
#include "app/model/console.h"
#include "app/model/grid.h"
#include "common/model/call_record.h"
#include "common/routing/explain.h"

#include <QString>

#include <optional>
#include <vector>

namespace weir::model {

/// Rows of the Decisions page.

/// The ledger's list: one row an attempt, whose key is the request's id and the attempt's number.
[[nodiscard]] std::vector<GridColumn> listColumns();
[[nodiscard]] GridRow listRow(const CallRecord& record, Console& console);
/// The request's id in such a key.
[[nodiscard]] QString requestOf(const QString& rowKey);

/// One request's attempts; the key is the attempt's number.
[[nodiscard]] std::vector<GridColumn> attemptColumns();
[[nodiscard]] GridRow attemptRow(const CallRecord& record, Console& console);

/// The ladder: one row a provider, by place, and what became of it. The key is the provider.
[[nodiscard]] std::vector<GridColumn> ladderColumns();
[[nodiscard]] std::vector<GridRow> ladderRows(
    const reports::RequestFile& file, const routing::Explanation& explanation, Console& console);

/// The ladder as it would have been; `was` is the one that was.
[[nodiscard]] std::vector<GridColumn> hypothesisColumns();
[[nodiscard]] std::vector<GridRow> hypothesisRows(
    const routing::Explanation& would, const routing::Explanation& was, Console& console);

/// "11-30 10:07:12.114Z".
[[nodiscard]] QString momentText(UtcTime time);
/// Which colour the provider has in the charts; nothing where these do not know it.
[[nodiscard]] std::optional<int> colourOf(Console& console, const std::string& provider);

} // namespace weir::model
