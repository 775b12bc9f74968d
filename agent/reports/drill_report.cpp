// SPDX-License-Identifier: Apache-2.0
#include "agent/reports/drill_report.h"

#include "common/routing/drill_tally.h"

namespace weir::reports {

Result<DrillReport>
drillReport(store::Database& store, const store::StoredDrill& drill, UtcTime now)
{
    const Result<DrillCounts> counts = store.drillCounts(drill.drill.id);
    if (!counts) return tl::unexpected(counts.error());
    routing::DrillTally tally(drill.drill, epochMs(now));
    store::LedgerQuery query;
    query.filter.from = fromEpochMs(tally.fromMs());
    query.filter.to = fromEpochMs(tally.toMs());
    query.limit = store::kLedgerPageMax;
    for (;;) {
        const Result<store::LedgerPage> page = store.queryLedger(query);
        if (!page) return tl::unexpected(page.error());
        for (const CallRecord& row : page->rows)
            tally.add(row);
        if (!page->next) return tally.report(*counts);
        query.after = page->next;
    }
}

} // namespace weir::reports
