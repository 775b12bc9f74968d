// SPDX-License-Identifier: Apache-2.0
#include "agent/store/sql_store.h"
#include "agent/store/sql_transaction.h"
#include "common/base/text.h"

#include <algorithm>
#include <array>

namespace weir::store {
namespace {

constexpr std::array<std::string_view, 13> kSaid{
    "service",
    "host",
    "version",
    "effective_mode",
    "mode_reason",
    "switch_version",
    "settings_version",
    "applied_at_ms",
    "store",
    "redis",
    "ledger_backlog_rows",
    "summary_age_s",
    "clock_skew_ms"};

/// Binds the agent, then kSaid in its order with the agent's clock in place of the skew.
std::string heartbeatSql(Dialect dialect)
{
    const std::string clock{clockMs(dialect)};
    std::string columns = "agent, last_seen_at_ms";
    std::string values = "?, " + clock;
    std::string sets = "last_seen_at_ms = excluded.last_seen_at_ms";
    for (const std::string_view column : kSaid) {
        columns.append(", ").append(column);
        values += column == kSaid.back() ? ", ? - " + clock : std::string{", ?"};
        sets.append(", ").append(column).append(" = excluded.").append(column);
    }
    return "INSERT INTO agent_state (" + columns + ") VALUES (" + values +
           ") ON CONFLICT (agent) DO UPDATE SET " + sets + " RETURNING clock_skew_ms";
}

AgentPresence presenceFrom(const Statement& row)
{
    AgentPresence agent;
    int column = 0;
    for (std::string* text :
         {&agent.agentId,
          &agent.service,
          &agent.host,
          &agent.version,
          &agent.effectiveMode,
          &agent.modeReason}) {
        *text = row.text(column++);
    }
    agent.switchVersion = row.integer(column++);
    agent.settingsVersion = row.integer(column++);
    agent.appliedAt = fromEpochMs(row.integer(column++));
    agent.store = row.text(column++);
    agent.redis = row.text(column++);
    agent.ledgerBacklogRows = row.integer(column++);
    agent.summaryAgeS = row.maybeReal(column++);
    agent.clockSkewMs = row.maybeInteger(column++);
    const std::int64_t ageMs = std::max<std::int64_t>(row.integer(column), 0);
    agent.lastSeenS = static_cast<double>(ageMs) / 1000.0;
    return agent;
}

} // namespace

Result<std::int64_t> SqlStore::heartbeat(const Heartbeat& beat)
{
    static const std::array<std::string, 2> kUpsert{
        heartbeatSql(Dialect::Sqlite), heartbeatSql(Dialect::Postgres)};
    const AgentPresence& said = beat.presence;
    const std::string service = cleaned(said.service);
    const std::string host = cleaned(said.host);
    Statement upsert(m_db, kUpsert.at(static_cast<std::size_t>(m_db.dialect())));
    upsert.bind(said.agentId)
        .bind(service)
        .bind(host)
        .bind(said.version)
        .bind(said.effectiveMode)
        .bind(said.modeReason)
        .bind(said.switchVersion)
        .bind(said.settingsVersion)
        .bind(said.appliedAt ? epochMs(*said.appliedAt) : 0)
        .bind(said.store)
        .bind(said.redis)
        .bind(said.ledgerBacklogRows.value_or(0))
        .bind(said.summaryAgeS)
        .bind(epochMs(beat.at));
    const Result<bool> written = upsert.next();
    if (!written) return tl::unexpected(written.error());
    const std::int64_t skewMs = upsert.integer(0);
    if (const Result<bool> ended = upsert.next(); !ended) return tl::unexpected(ended.error());
    return skewMs;
}

Result<std::vector<AgentPresence>> SqlStore::agents()
{
    Statement select(
        m_db,
        "SELECT agent, service, host, version, effective_mode, mode_reason, switch_version, "
        "settings_version, applied_at_ms, store, redis, ledger_backlog_rows, summary_age_s, "
        "clock_skew_ms, " +
            std::string{clockMs(m_db.dialect())} +
            " - last_seen_at_ms FROM agent_state ORDER BY agent");
    std::vector<AgentPresence> agents;
    for (;;) {
        const Result<bool> row = select.next();
        if (!row) return tl::unexpected(row.error());
        if (!*row) return agents;
        agents.push_back(presenceFrom(select));
    }
}

Status<> SqlStore::forgetAgent(const std::string& id)
{
    Statement remove(m_db, "DELETE FROM agent_state WHERE agent = ?");
    if (Status<> removed = remove.bind(id).run(); !removed) return removed;
    if (m_db.changes() > 0) return {};
    return fail("no_agent", cleaned(id), "no agent of this store has this id");
}

Result<bool> SqlStore::awaitChange(std::chrono::milliseconds atMost)
{
    return m_db.awaitChange(atMost);
}

void SqlStore::wake()
{
    m_db.wake();
}

void SqlStore::hangUp()
{
    m_db.hangUp();
}

} // namespace weir::store
