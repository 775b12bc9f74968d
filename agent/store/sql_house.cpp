// SPDX-License-Identifier: Apache-2.0
#include "agent/store/sql_store.h"
#include "agent/store/sql_transaction.h"

#include <array>

namespace weir::store {
namespace {

constexpr std::int64_t kDaysAhead = 3;
constexpr std::int64_t kDayMs = 86'400'000;
/// Of the oldest rows so much goes at a time, so that a file that was never pruned is in the end.
constexpr std::int64_t kSliceMs = 6 * 3'600'000;

struct Aging
{
    std::string_view table;
    std::string_view column;
    /// 0 = as many days as the ledger.
    int days;
};

/// The same ages as weir_ledger_maintain() of Postgres.
constexpr std::array<Aging, 7> kAgings{
    {{"call_ledger", "started_at_ms", 0},
     {"unserved_request", "started_at_ms", 0},
     {"mirror_comparison", "at_ms", 0},
     {"eval_run", "scored_at_ms", 400},
     {"route_10s", "started_at_ms", 3},
     {"route_minute", "started_at_ms", 35},
     {"route_10min", "started_at_ms", 400}}};

std::string sliceSql(const Aging& aging)
{
    const std::string table{aging.table};
    const std::string column{aging.column};
    const std::string clock{clockMs(Dialect::Sqlite)};
    return "DELETE FROM " + table + " WHERE " + column + " < min(" + clock + " - ?, (SELECT min(" +
           column + ") FROM " + table + ") + ?)";
}

Result<std::vector<Chore>> pruneFile(SqlConnection& db, int keepDays)
{
    std::vector<Chore> done;
    for (const Aging& aging : kAgings) {
        Statement prune(db, sliceSql(aging));
        prune.bind(kDayMs * (aging.days == 0 ? keepDays : aging.days)).bind(kSliceMs);
        if (const Status<> pruned = prune.run(); !pruned) return tl::unexpected(pruned.error());
        if (db.changes() > 0) done.push_back({"pruned", std::string{aging.table}, db.changes()});
    }
    return done;
}

Result<std::vector<Chore>> maintainDays(SqlConnection& db, int keepDays)
{
    Statement maintain(db, "SELECT action, name, rows FROM weir_ledger_maintain(?, ?)");
    maintain.bind(kDaysAhead).bind(std::int64_t{keepDays});
    std::vector<Chore> done;
    for (;;) {
        const Result<bool> row = maintain.next();
        if (!row) return tl::unexpected(row.error());
        if (!*row) return done;
        done.push_back({maintain.text(0), maintain.text(1), maintain.integer(2)});
    }
}

} // namespace

Result<std::vector<Chore>> SqlStore::keepHouse(int keepDays)
{
    return m_db.dialect() == Dialect::Postgres ? maintainDays(m_db, keepDays)
                                               : pruneFile(m_db, keepDays);
}

} // namespace weir::store
