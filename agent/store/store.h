// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/change.h"
#include "agent/store/history_query.h"
#include "agent/store/ledger_query.h"
#include "agent/store/request_rows.h"
#include "agent/store/spool_files.h"
#include "common/base/result.h"
#include "common/model/call_record.h"
#include "common/model/settings.h"
#include "common/model/status.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weir::store {

/// What an agent says of itself each second.
struct Heartbeat
{
    /// `lastSeenS` and `clockSkewMs` are ignored: the database's clock says when.
    AgentPresence presence;
    /// Now, by the agent's clock.
    UtcTime at{};
};

struct Ingested
{
    std::int64_t inserted = 0;
    /// The ledger had them: the same (request_id, attempt) was read from the spool before.
    std::int64_t repeated = 0;
    /// The database would not take them whatever was cleaned.
    std::int64_t refused = 0;
};

/// The database behind an agent: SQLite embedded, Postgres for a fleet. An object belongs to one
/// thread; every call may wait for the database and none is made on a worker. Error codes: "busy",
/// "store_full", "read_only" and "unreachable" pass by themselves; "store_newer" and "store_older"
/// where the schema is not this program's; "forbidden" where the role of the URL may not; "store"
/// is anything else the database said.
class Store
{
public:
    virtual ~Store() = default;

    /// Error "switch_missing", "settings_missing" or "bad_row" where the store answers but its rows
    /// cannot be gone by; any other error means that it could not be read.
    [[nodiscard]] virtual Result<Decisions> readDecisions() = 0;
    /// Errors besides the class's: "refused" where a constraint of the database says no.
    [[nodiscard]] virtual Result<Write<RoutingSwitch>> writeSwitch(const SwitchChange& change) = 0;
    [[nodiscard]] virtual Result<Write<RoutingSettings>>
    writeSettings(const SettingsChange& change) = 0;
    [[nodiscard]] virtual Result<Write<RouteSettings>> writeRoute(const RouteChange& change) = 0;
    /// Newest first.
    [[nodiscard]] virtual Result<std::vector<AuditEntry>> audit(int limit) = 0;

    /// How many rows `ingest` takes well at a time.
    [[nodiscard]] virtual std::size_t ledgerBatchRows() const = 0;
    /// One transaction: the rows, the history made of those that were new, and `end` as the place
    /// up to which `agent`'s spool is in the ledger. `meanwhile` is called at most once, when there
    /// is nothing to do but to wait for the database; it must not call the store.
    [[nodiscard]] virtual Result<Ingested> ingest(
        std::vector<CallRecord> records,
        const std::string& agent,
        const SpoolPosition& end,
        const std::function<void()>& meanwhile) = 0;

    [[nodiscard]] Result<Ingested>
    ingest(std::vector<CallRecord> records, const std::string& agent, const SpoolPosition& end)
    {
        return ingest(std::move(records), agent, end, [] {});
    }

    [[nodiscard]] virtual Result<std::optional<SpoolPosition>>
    spoolPosition(const std::string& agent) = 0;

    /// How far the agent's clock is ahead of the database's, in milliseconds; in the row, too.
    [[nodiscard]] virtual Result<std::int64_t> heartbeat(const Heartbeat& beat) = 0;
    /// All that were ever heard of and not forgotten, by id; `lastSeenS` is by the database's
    /// clock.
    [[nodiscard]] virtual Result<std::vector<AgentPresence>> agents() = 0;
    /// One that is alive comes back with its next heartbeat. Error code "no_agent".
    [[nodiscard]] virtual Status<> forgetAgent(const std::string& id) = 0;
    /// 64 hexadecimal digits, the same for all agents of the store: what they hash with where
    /// others must not be able to. Error code "secret_missing".
    [[nodiscard]] virtual Result<std::string> fleetSecret() = 0;

    /// Waits for somebody to change the switch, the settings or the summary, or for `wake`. True
    /// where somebody did, or may have while the connection was away; an embedded store tells
    /// nobody, so it just waits.
    [[nodiscard]] virtual Result<bool> awaitChange(std::chrono::milliseconds atMost) = 0;
    /// Any thread: ends `awaitChange` now, or the next one where none waits.
    virtual void wake() = 0;
    /// Any thread: from now on nobody waits for a server any more. The call in hand ends, and each
    /// later one, with "unreachable"; an embedded store goes on as before.
    virtual void hangUp() = 0;

    [[nodiscard]] virtual Result<LedgerPage> queryLedger(const LedgerQuery& query) = 0;
    [[nodiscard]] virtual Result<std::vector<ProviderTotals>>
    totals(const LedgerFilter& filter) = 0;
    [[nodiscard]] virtual Result<std::vector<HistoryPoint>> history(const HistoryQuery& query) = 0;
    /// By model and provider, in whole steps of 10 s that began in [from, to).
    [[nodiscard]] virtual Result<std::vector<RouteActivity>> activity(UtcTime from, UtcTime to) = 0;

    /// Shows every attempt of the requests asked for, by its start, in constant memory; what is
    /// shown is overwritten by the next. `see` must not call the store.
    [[nodiscard]] virtual Status<>
    eachAttempt(const RequestQuery& query, const SeeAttempt& see) = 0;
    /// The same of those that ended without an attempt.
    [[nodiscard]] virtual Status<>
    eachUnserved(const RequestQuery& query, const SeeUnserved& see) = 0;
};

} // namespace weir::store
