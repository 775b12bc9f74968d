// SPDX-License-Identifier: Apache-2.0
#include "agent/reports/saved_decisions.h"

#include "common/model/summary_json.h"
#include "common/routing/pool_view.h"

namespace weir::reports {

Result<const Summary*> Summaries::of(const std::string& id)
{
    const auto known = m_known.find(id);
    if (known != m_known.end()) return known->second.get();
    const Result<std::optional<store::SummaryRow>> row = m_database->summary(id);
    if (!row) return tl::unexpected(row.error());
    std::unique_ptr<Summary>& target = m_known[id];
    if (*row) {
        Result<Summary> read = summaryFromJson((*row)->json);
        if (read) target = std::make_unique<Summary>(std::move(*read));
    }
    return target.get();
}

Result<const PoolSummary*>
poolOf(Summaries& summaries, const CallRecord& record, const std::string& snapshotId)
{
    if (snapshotId.empty()) return nullptr;
    const Result<const Summary*> summary = summaries.of(snapshotId);
    if (!summary) return tl::unexpected(summary.error());
    if (*summary == nullptr) return fail("summary_missing", snapshotId, "the store has it no more");
    return routing::findPool(**summary, record.model, record.taskType);
}

Result<store::LedgerPage> decidedPage(
    store::Database& database,
    std::optional<UtcTime> since,
    const std::optional<store::LedgerCursor>& after)
{
    store::LedgerQuery query;
    query.filter.from = since;
    query.filter.decided = true;
    query.limit = store::kLedgerPageMax;
    query.after = after;
    return database.queryLedger(query);
}

Status<> eachDecided(
    store::Database& database,
    std::optional<UtcTime> since,
    const std::function<Status<>(const CallRecord&)>& visit)
{
    std::optional<store::LedgerCursor> after;
    do {
        const Result<store::LedgerPage> page = decidedPage(database, since, after);
        if (!page) return tl::unexpected(page.error());
        for (const CallRecord& record : page->rows) {
            if (const Status<> done = visit(record); !done) return done;
        }
        after = page->next;
    } while (after);
    return {};
}

} // namespace weir::reports
