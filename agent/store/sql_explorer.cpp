// SPDX-License-Identifier: Apache-2.0
#include "agent/store/sql_store.h"

namespace weir::store {
namespace {

constexpr std::string_view kReasons =
    "SELECT started_at_ms / ? AS step, reason, count(*) FROM call_ledger "
    "WHERE started_at_ms >= ? AND started_at_ms < ? AND attempt = 1 AND mirror = 0 AND eval = 0 "
    "GROUP BY step, reason ORDER BY step, reason";

} // namespace

Result<std::vector<ReasonCount>>
SqlStore::reasons(std::int64_t fromMs, std::int64_t toMs, std::int64_t stepMs)
{
    Statement select(m_db, kReasons);
    select.bind(stepMs).bind(fromMs).bind(toMs);
    std::vector<ReasonCount> counts;
    for (;;) {
        const Result<bool> row = select.next();
        if (!row) return tl::unexpected(row.error());
        if (!*row) return counts;
        counts.push_back(
            {select.integer(0) * stepMs,
             reasonFromWord(select.text(1)).value_or(Reason::Fixed),
             select.integer(2)});
    }
}

Result<std::optional<Unserved>> SqlStore::unserved(const std::string& requestId)
{
    Statement select(m_db, "SELECT why FROM unserved_request WHERE request_id = ?");
    const Result<bool> found = select.bind(requestId).next();
    if (!found) return tl::unexpected(found.error());
    if (!*found) return std::nullopt;
    return unservedFromWord(select.text(0));
}

} // namespace weir::store
