// SPDX-License-Identifier: Apache-2.0
#include "agent/store/sqlite_store.h"
#include "common/base/text.h"

#include <algorithm>

namespace weir::store {

Status<> SqliteStore::heartbeat(const Heartbeat& beat)
{
    const AgentPresence& said = beat.presence;
    const std::string service = cleaned(said.service);
    const std::string host = cleaned(said.host);
    SqliteStatement upsert(
        m_db,
        "INSERT INTO agent_state (agent, service, host, version, effective_mode, mode_reason, "
        "switch_version, settings_version, applied_at_ms, last_seen_at_ms, store, redis, "
        "ledger_backlog_rows, summary_age_s, clock_skew_ms) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'ok', ?, ?, ?, ?) "
        "ON CONFLICT (agent) DO UPDATE SET service = excluded.service, host = excluded.host, "
        "version = excluded.version, effective_mode = excluded.effective_mode, "
        "mode_reason = excluded.mode_reason, switch_version = excluded.switch_version, "
        "settings_version = excluded.settings_version, applied_at_ms = excluded.applied_at_ms, "
        "last_seen_at_ms = excluded.last_seen_at_ms, store = excluded.store, "
        "redis = excluded.redis, ledger_backlog_rows = excluded.ledger_backlog_rows, "
        "summary_age_s = excluded.summary_age_s, clock_skew_ms = excluded.clock_skew_ms");
    return upsert.bind(said.agentId)
        .bind(service)
        .bind(host)
        .bind(said.version)
        .bind(said.effectiveMode)
        .bind(said.modeReason)
        .bind(said.switchVersion)
        .bind(said.settingsVersion)
        .bind(epochMs(beat.appliedAt))
        .bind(epochMs(beat.at))
        .bind(beat.redis)
        .bind(beat.ledgerBacklogRows)
        .bind(beat.summaryAgeS)
        .bind(beat.clockSkewMs)
        .run();
}

Result<std::vector<AgentPresence>> SqliteStore::agents(UtcTime now, std::chrono::seconds within)
{
    SqliteStatement select(
        m_db,
        "SELECT agent, service, host, version, effective_mode, mode_reason, switch_version, "
        "settings_version, last_seen_at_ms FROM agent_state WHERE last_seen_at_ms >= ? ORDER BY "
        "agent");
    select.bind(epochMs(now - within));
    std::vector<AgentPresence> agents;
    for (;;) {
        const Result<bool> row = select.next();
        if (!row) return tl::unexpected(row.error());
        if (!*row) return agents;
        const std::int64_t ageMs = std::max<std::int64_t>(epochMs(now) - select.integer(8), 0);
        agents.push_back(
            {select.text(0),
             select.text(1),
             select.text(2),
             select.text(3),
             select.text(4),
             select.text(5),
             select.integer(6),
             select.integer(7),
             static_cast<double>(ageMs) / 1000.0});
    }
}

} // namespace weir::store
