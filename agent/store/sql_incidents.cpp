// SPDX-License-Identifier: Apache-2.0
#include "agent/store/sql_fleet.h"
#include "agent/store/sql_store.h"
#include "agent/store/sql_transaction.h"

#include <algorithm>

namespace weir::store {
namespace {

constexpr int kIncidentsMax = 1000;
constexpr std::string_view kIncidentColumns =
    "id, kind, key, model, provider, task_type, onset_ms, detected_ms, peak_ms, end_ms, count, "
    "parent, diverted_calls, user_failures, extra_cost_micro_usd";

Status<> saveIncident(SqlConnection& db, const Incident& incident)
{
    Statement upsert(
        db,
        "INSERT INTO incident (" + std::string{kIncidentColumns} +
            ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE "
            "SET onset_ms = excluded.onset_ms, detected_ms = excluded.detected_ms, "
            "peak_ms = excluded.peak_ms, end_ms = excluded.end_ms, count = excluded.count, "
            "parent = excluded.parent, diverted_calls = excluded.diverted_calls, "
            "user_failures = excluded.user_failures, "
            "extra_cost_micro_usd = excluded.extra_cost_micro_usd");
    return upsert.bind(incident.id)
        .bind(toWord(incident.kind))
        .bind(incident.key)
        .bind(incident.model)
        .bind(incident.provider)
        .bind(incident.taskType)
        .bind(incident.onsetMs)
        .bind(incident.detectedMs)
        .bind(incident.peakMs)
        .bind(incident.endMs)
        .bind(std::int64_t{incident.count})
        .bind(incident.parent)
        .bind(incident.divertedCalls)
        .bind(incident.userFailures)
        .bind(incident.extraCostMicroUsd)
        .run();
}

Status<> saveEvents(SqlConnection& db, const Incident& incident)
{
    Statement remove(db, "DELETE FROM incident_event WHERE incident_id = ?");
    if (const Status<> done = remove.bind(incident.id).run(); !done) return done;
    Statement insert(
        db,
        "INSERT INTO incident_event (incident_id, position, at_ms, kind, detail) "
        "VALUES (?, ?, ?, ?, ?)");
    std::int64_t position = 0;
    for (const IncidentEvent& event : incident.events) {
        const Status<> done = insert.bind(incident.id)
                                  .bind(position++)
                                  .bind(event.atMs)
                                  .bind(event.kind)
                                  .bind(event.detail)
                                  .run();
        if (!done) return done;
    }
    return {};
}

Result<Incident> incidentFrom(const Statement& row)
{
    Incident incident;
    incident.id = row.text(0);
    const std::optional<IncidentKind> kind = incidentKindFromWord(row.text(1));
    if (!kind) return fail("bad_row", "incident.kind", row.text(1));
    incident.kind = *kind;
    incident.key = row.text(2);
    incident.model = row.text(3);
    incident.provider = row.text(4);
    incident.taskType = row.text(5);
    incident.onsetMs = row.integer(6);
    incident.detectedMs = row.integer(7);
    incident.peakMs = row.integer(8);
    incident.endMs = row.maybeInteger(9);
    incident.count = static_cast<int>(row.integer(10));
    incident.parent = row.text(11);
    incident.divertedCalls = row.integer(12);
    incident.userFailures = row.integer(13);
    incident.extraCostMicroUsd = row.integer(14);
    return incident;
}

Status<> addEvents(SqlConnection& db, Incident& incident)
{
    Statement select(
        db,
        "SELECT at_ms, kind, detail FROM incident_event WHERE incident_id = ? ORDER BY position");
    select.bind(incident.id);
    for (;;) {
        const Result<bool> row = select.next();
        if (!row) return tl::unexpected(row.error());
        if (!*row) return {};
        incident.events.push_back({select.integer(0), select.text(1), select.text(2)});
    }
}

Result<std::vector<Incident>> allOf(SqlConnection& db, Statement& select)
{
    std::vector<Incident> incidents;
    for (;;) {
        const Result<bool> row = select.next();
        if (!row) return tl::unexpected(row.error());
        if (!*row) break;
        Result<Incident> incident = incidentFrom(select);
        if (!incident) return tl::unexpected(incident.error());
        incidents.push_back(std::move(*incident));
    }
    for (Incident& incident : incidents) {
        if (const Status<> added = addEvents(db, incident); !added) {
            return tl::unexpected(added.error());
        }
    }
    return incidents;
}

} // namespace

Status<> SqlStore::saveIncidents(std::span<const Incident> incidents, const Lease& lease)
{
    Result<Transaction> transaction = Transaction::begin(m_db);
    if (!transaction) return tl::unexpected(transaction.error());
    if (Status<> held = holdLease(m_db, lease); !held) return held;
    for (const Incident& incident : incidents) {
        if (const Status<> saved = saveIncident(m_db, incident); !saved) return saved;
        if (const Status<> saved = saveEvents(m_db, incident); !saved) return saved;
    }
    return transaction->commit();
}

Result<std::vector<Incident>> SqlStore::incidents(const IncidentQuery& query)
{
    Statement select(
        m_db,
        "SELECT " + std::string{kIncidentColumns} +
            " FROM incident WHERE (end_ms IS NULL OR (? = 0 AND end_ms >= ?)) "
            "ORDER BY onset_ms DESC, id LIMIT ?");
    select.bind(std::int64_t{query.openOnly ? 1 : 0})
        .bind(query.sinceMs.value_or(INT64_MIN))
        .bind(std::int64_t{std::clamp(query.limit, 1, kIncidentsMax)});
    return allOf(m_db, select);
}

Result<std::optional<Incident>> SqlStore::incident(const std::string& id)
{
    Statement select(
        m_db, "SELECT " + std::string{kIncidentColumns} + " FROM incident WHERE id = ?");
    select.bind(id);
    Result<std::vector<Incident>> found = allOf(m_db, select);
    if (!found) return tl::unexpected(found.error());
    if (found->empty()) return std::nullopt;
    return std::move(found->front());
}

} // namespace weir::store
