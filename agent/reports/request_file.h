// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/database.h"
#include "common/model/saved_decision.h"
#include "common/model/summary.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace weir::reports {

/// Everything that the store knows of one request.
struct RequestFile
{
    /// By their number, at least one.
    std::vector<CallRecord> attempts;
    /// Nothing where the ledger keeps no decision of it, or one that `trouble` is about.
    std::optional<SavedDecision> saved;
    /// What the decision was made from; nothing where it was made without, or where it is gone.
    std::optional<PoolSummary> pool;
    /// When the summary was computed, in epoch milliseconds; 0 where there is none.
    std::int64_t summaryAtMs = 0;
    /// Why it cannot be decided again: "bad_decision", "summary_missing".
    std::optional<Error> trouble;
    /// What the agent that decided runs today; empty where it was forgotten.
    std::string agentVersion;

    [[nodiscard]] const CallRecord& first() const { return attempts.front(); }
};

/// Error codes besides those of the store: "unserved" where it ended without an attempt,
/// "no_request" where nothing is known of it.
[[nodiscard]] Result<RequestFile>
requestFile(store::Database& database, const std::string& requestId);

} // namespace weir::reports
