// SPDX-License-Identifier: Apache-2.0
#include "agent/reports/request_file.h"

#include "agent/reports/saved_decisions.h"
#include "common/base/text.h"

#include <algorithm>
#include <utility>

namespace weir::reports {
namespace {

/// Only what the store itself has to say is an error: a summary that is gone is an answer.
Status<> addDecision(RequestFile& file, store::Database& database)
{
    const CallRecord& first = file.first();
    if (first.decision.empty()) return {};
    Result<SavedDecision> saved = decodeSavedDecision(first.decision);
    if (!saved) {
        file.trouble = saved.error();
        return {};
    }
    file.saved = std::move(*saved);
    const std::string& id = file.saved->served.snapshotId;
    Summaries summaries(database);
    const Result<const PoolSummary*> pool = poolOf(summaries, first, id);
    if (!pool) {
        if (pool.error().code != "summary_missing") return tl::unexpected(pool.error());
        file.trouble = pool.error();
        return {};
    }
    if (*pool != nullptr) file.pool = **pool;
    if (id.empty()) return {};
    const Result<const Summary*> summary = summaries.of(id);
    if (summary && *summary != nullptr) file.summaryAtMs = (*summary)->computedAtMs;
    return {};
}

} // namespace

Result<RequestFile> requestFile(store::Database& database, const std::string& requestId)
{
    store::LedgerQuery query;
    query.filter.requestId = requestId;
    Result<store::LedgerPage> page = database.queryLedger(query);
    if (!page) return tl::unexpected(page.error());
    if (page->rows.empty()) {
        const Result<std::optional<Unserved>> why = database.unserved(requestId);
        if (!why) return tl::unexpected(why.error());
        std::string detail{"the ledger has no attempt of it"};
        if (*why) detail = "it ended without an attempt: " + std::string{toWord(**why)};
        return fail(*why ? "unserved" : "no_request", cleaned(requestId, 128), detail);
    }
    RequestFile file;
    file.attempts = std::move(page->rows);
    std::ranges::sort(file.attempts, {}, &CallRecord::attempt);
    if (const Status<> added = addDecision(file, database); !added) {
        return tl::unexpected(added.error());
    }
    const Result<std::vector<AgentPresence>> agents = database.agents();
    if (!agents) return tl::unexpected(agents.error());
    const auto agent = std::ranges::find(*agents, file.first().agentId, &AgentPresence::agentId);
    if (agent != agents->end()) file.agentVersion = agent->version;
    return file;
}

} // namespace weir::reports
