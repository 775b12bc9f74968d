// SPDX-License-Identifier: Apache-2.0
#include "agent/store/sql_drills.h"

#include "agent/store/sql_store.h"
#include "agent/store/sql_transaction.h"
#include "common/base/text.h"

#include <algorithm>

namespace weir::store {
namespace {

constexpr std::size_t kReasonCharactersMax = 1000;
constexpr int kListMax = 1000;

constexpr std::string_view kColumns =
    "id, kind, model, provider, share_ppm, delay_ms, starts_at_ms, ends_at_ms, abort_failure_ppm, "
    "started_by, started_host, reason, ended_at_ms, end_reason, ended_by, end_text";

StoredDrill drillFrom(const Statement& row)
{
    StoredDrill stored;
    Drill& drill = stored.drill;
    drill.id = row.text(0);
    // A constraint keeps other words out.
    drill.kind = drillKindFromWord(row.text(1)).value_or(DrillKind::Breaker);
    drill.model = row.text(2);
    drill.provider = row.text(3);
    drill.sharePpm = row.integer(4);
    drill.delayMs = row.integer(5);
    drill.startsAt = fromEpochMs(row.integer(6));
    drill.endsAt = fromEpochMs(row.integer(7));
    drill.abortFailurePpm = row.integer(8);
    drill.startedBy = row.text(9);
    drill.host = row.text(10);
    drill.reason = row.text(11);
    if (const auto endedAtMs = row.maybeInteger(12)) drill.endedAt = fromEpochMs(*endedAtMs);
    drill.endReason = row.text(13);
    stored.endedBy = row.text(14);
    stored.endText = row.text(15);
    return stored;
}

Result<std::vector<StoredDrill>> rowsOf(Statement& select)
{
    std::vector<StoredDrill> rows;
    for (;;) {
        const Result<bool> row = select.next();
        if (!row) return tl::unexpected(row.error());
        if (!*row) return rows;
        rows.push_back(drillFrom(select));
    }
}

Result<std::optional<StoredDrill>> readDrill(SqlConnection& db, const std::string& id)
{
    static const std::string kSelect =
        "SELECT " + std::string{kColumns} + " FROM drill WHERE id = ?";
    Statement select(db, kSelect);
    const Result<bool> found = select.bind(id).next();
    if (!found) return tl::unexpected(found.error());
    if (!*found) return std::nullopt;
    return drillFrom(select);
}

Status<> writeEnd(SqlConnection& db, const DrillEnd& end)
{
    const std::string who = cleaned(end.by.who);
    const std::string host = cleaned(end.by.host);
    const std::string text = cleaned(end.by.reason, kReasonCharactersMax);
    Statement update(
        db,
        "UPDATE drill SET ended_at_ms = ?, end_reason = ?, end_text = ?, ended_by = ?, "
        "ended_host = ? WHERE id = ? AND ended_at_ms IS NULL");
    return update.bind(epochMs(end.by.at))
        .bind(end.reason)
        .bind(text)
        .bind(who)
        .bind(host)
        .bind(end.id)
        .run();
}

/// Nobody was there when their time was over.
Status<> endForgotten(SqlConnection& db, const Authorship& by)
{
    Statement update(
        db,
        "UPDATE drill SET ended_at_ms = ends_at_ms, end_reason = 'time', "
        "end_text = 'its time was over', ended_by = ?, ended_host = ? "
        "WHERE ended_at_ms IS NULL AND ends_at_ms <= ?");
    return update.bind(by.who).bind(by.host).bind(epochMs(by.at)).run();
}

Status<> insertDrill(SqlConnection& db, const Drill& drill, const Authorship& by)
{
    Statement insert(
        db,
        "INSERT INTO drill (id, kind, model, provider, share_ppm, delay_ms, starts_at_ms, "
        "ends_at_ms, abort_failure_ppm, started_by, started_host, reason, request_uuid) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    return insert.bind(drill.id)
        .bind(toWord(drill.kind))
        .bind(drill.model)
        .bind(drill.provider)
        .bind(drill.sharePpm)
        .bind(drill.delayMs)
        .bind(epochMs(drill.startsAt))
        .bind(epochMs(drill.endsAt))
        .bind(drill.abortFailurePpm)
        .bind(by.who)
        .bind(by.host)
        .bind(by.reason)
        .bind(by.requestUuid)
        .run();
}

} // namespace

Result<std::vector<Drill>> openDrills(SqlConnection& db)
{
    static const std::string kSelect = "SELECT " + std::string{kColumns} +
                                       " FROM drill WHERE ended_at_ms IS NULL ORDER BY "
                                       "starts_at_ms, id";
    Statement select(db, kSelect);
    const Result<std::vector<StoredDrill>> rows = rowsOf(select);
    if (!rows) return tl::unexpected(rows.error());
    std::vector<Drill> drills;
    for (const StoredDrill& row : *rows)
        drills.push_back(row.drill);
    return drills;
}

Result<Drill> SqlStore::startDrill(const Drill& drill, const Authorship& by)
{
    Authorship writer = by;
    writer.who = cleaned(by.who);
    writer.host = cleaned(by.host);
    writer.reason = cleaned(by.reason, kReasonCharactersMax);
    writer.requestUuid = cleaned(by.requestUuid, 64);
    Result<Transaction> transaction = Transaction::begin(m_db, "drill");
    if (!transaction) return tl::unexpected(transaction.error());
    if (const Status<> ended = endForgotten(m_db, writer); !ended) {
        return tl::unexpected(ended.error());
    }
    const Result<std::vector<Drill>> open = openDrills(m_db);
    if (!open) return tl::unexpected(open.error());
    for (const Drill& other : *open) {
        if (other.model != drill.model) continue;
        return fail(
            "drill_running",
            other.id,
            "a drill of " + other.model + '/' + other.provider + " runs until " +
                toIso(other.endsAt));
    }
    if (const Status<> written = insertDrill(m_db, drill, writer); !written) {
        return tl::unexpected(written.error());
    }
    const Result<std::optional<StoredDrill>> row = readDrill(m_db, drill.id);
    if (!row) return tl::unexpected(row.error());
    if (const Status<> done = transaction->commit(); !done) return tl::unexpected(done.error());
    return row->value().drill;
}

Result<StoredDrill> SqlStore::endDrill(const DrillEnd& end)
{
    if (const Status<> written = writeEnd(m_db, end); !written) {
        return tl::unexpected(written.error());
    }
    Result<std::optional<StoredDrill>> row = readDrill(m_db, end.id);
    if (!row) return tl::unexpected(row.error());
    if (!*row) return fail("no_drill", cleaned(end.id), "no drill has this id");
    return std::move(**row);
}

Result<std::vector<StoredDrill>> SqlStore::drills(int limit)
{
    static const std::string kSelect = "SELECT " + std::string{kColumns} +
                                       " FROM drill ORDER BY starts_at_ms DESC, id DESC LIMIT ?";
    Statement select(m_db, kSelect);
    select.bind(std::int64_t{std::clamp(limit, 1, kListMax)});
    return rowsOf(select);
}

Result<std::optional<StoredDrill>> SqlStore::drill(const std::string& id)
{
    return readDrill(m_db, id);
}

Status<> SqlStore::saveDrillCounts(
    const std::string& id, const std::string& agent, const DrillCounts& counts)
{
    Statement upsert(
        m_db,
        "INSERT INTO drill_count (drill, agent, requests, failures, touched, spared) "
        "VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (drill, agent) DO UPDATE SET "
        "requests = excluded.requests, failures = excluded.failures, "
        "touched = excluded.touched, spared = excluded.spared");
    return upsert.bind(id)
        .bind(agent)
        .bind(counts.requests)
        .bind(counts.failures)
        .bind(counts.touched)
        .bind(counts.spared)
        .run();
}

Result<DrillCounts> SqlStore::drillCounts(const std::string& id)
{
    Statement select(
        m_db,
        "SELECT coalesce(sum(requests), 0), coalesce(sum(failures), 0), "
        "coalesce(sum(touched), 0), coalesce(sum(spared), 0) FROM drill_count WHERE drill = ?");
    const Result<bool> found = select.bind(id).next();
    if (!found) return tl::unexpected(found.error());
    return DrillCounts{select.integer(0), select.integer(1), select.integer(2), select.integer(3)};
}

} // namespace weir::store
