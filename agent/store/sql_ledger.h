// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/ledger_row.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace weir::store {

/// The columns of call_ledger that are written, in the order in which they are bound and read.
inline constexpr std::string_view kLedgerColumns =
    "request_id, attempt, agent, service, task_id, task_type, conversation, model, provider, "
    "route, protocol, stream, started_at_ms, ttft_ms, duration_ms, outcome, http_status, "
    "finish_reason, input_uncached, input_cached, cache_write, output, reasoning, "
    "tokens_estimated, cost_micro_usd, explored, pinned, spilled, hedged, single_shot, "
    "usage_inconsistent, shadow_choice, mode, reason, level, snapshot_id, settings_version, "
    "switch_version, seed, eligible_mask, held_mask, decision, final, priority, caller, "
    "regions_asked, terms_asked, prompt_estimate, mirror, eval, drill";
inline constexpr std::size_t kLedgerColumnCount = 51;

/// The same of unserved_request.
inline constexpr std::string_view kUnservedColumns =
    "request_id, agent, service, task_id, task_type, model, started_at_ms, why, priority, caller, "
    "regions_asked, terms_asked, mode";
inline constexpr std::size_t kUnservedColumnCount = 13;

/// The columns of the history tables that are sums: calls, n_<outcome> by Outcome, and the rest.
[[nodiscard]] const std::vector<std::string>& historySumColumns();

template <class To>
void bindKey(To& to, const HistoryKey& key)
{
    const auto& [start, agent, model, provider, taskType] = key;
    to.bind(start).bind(agent).bind(model).bind(provider).bind(taskType);
}

/// In the order of historySumColumns().
template <class To>
void bindSums(To& to, const HistoryBucket& bucket)
{
    to.bind(bucket.sums.calls);
    for (const std::int64_t count : bucket.sums.outcomes)
        to.bind(count);
    to.bind(bucket.explored)
        .bind(bucket.pinned)
        .bind(bucket.spilled)
        .bind(bucket.sums.inputUncached)
        .bind(bucket.sums.inputCached)
        .bind(bucket.sums.cacheWrite)
        .bind(bucket.sums.output)
        .bind(bucket.sums.reasoning)
        .bind(bucket.sums.tokensUnknown)
        .bind(bucket.sums.costMicroUsd)
        .bind(bucket.sums.costUnknown);
}

} // namespace weir::store
