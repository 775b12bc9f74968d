// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/ledger_row.h"
#include "agent/store/sql_ledger.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace weir::store {

/// Rows, cell by cell, to whatever binds one value after the other as a Statement does.

inline std::int64_t number(bool value)
{
    return value ? 1 : 0;
}

/// In the order of kLedgerColumns.
template <class To>
void bindRow(To& to, const CallRecord& row)
{
    to.bind(row.requestId)
        .bind(std::int64_t{row.attempt})
        .bind(row.agentId)
        .bind(row.service)
        .bind(row.taskId)
        .bind(row.taskType)
        .bind(row.conversation)
        .bind(row.model)
        .bind(row.provider)
        .bind(row.route)
        .bind(toWord(row.protocol))
        .bind(number(row.stream))
        .bind(epochMs(row.startedAt))
        .bind(row.ttftMs)
        .bind(row.durationMs)
        .bind(toWord(row.outcome));
    std::optional<std::int64_t> httpStatus;
    if (row.httpStatus) httpStatus = *row.httpStatus;
    to.bind(httpStatus)
        .bind(row.finishReason)
        .bind(row.usage.inputUncached)
        .bind(row.usage.inputCached)
        .bind(row.usage.cacheWrite)
        .bind(row.usage.output)
        .bind(row.usage.reasoning)
        .bind(number(row.usage.estimated))
        .bind(row.costMicroUsd);
    for (const CallFlag flag :
         {CallFlag::Explored,
          CallFlag::Pinned,
          CallFlag::Spilled,
          CallFlag::Hedged,
          CallFlag::SingleShot}) {
        to.bind(number(row.has(flag)));
    }
    to.bind(number(row.usage.inconsistent))
        .bind(number(row.has(CallFlag::ShadowChoice)))
        .bind(toWord(row.mode))
        .bind(toWord(row.reason))
        .bind(std::int64_t{row.level})
        .bind(row.snapshotId)
        .bind(row.settingsVersion)
        .bind(row.switchVersion)
        .bind(static_cast<std::int64_t>(row.seed))
        .bind(static_cast<std::int64_t>(row.eligibleMask))
        .bind(static_cast<std::int64_t>(row.heldMask));
    if (row.decision.empty())
        to.bind(std::optional<std::int64_t>{});
    else
        to.bind(row.decision);
    to.bind(number(row.last))
        .bind(toWord(row.priority))
        .bind(row.caller)
        .bind(row.regionsAsked)
        .bind(row.termsAsked)
        .bind(row.promptEstimate);
    for (const CallFlag flag : {CallFlag::Mirror, CallFlag::Eval, CallFlag::Drill})
        to.bind(number(row.has(flag)));
}

/// In the order of kUnservedColumns.
template <class To>
void bindUnserved(To& to, const CallRecord& row)
{
    to.bind(row.requestId)
        .bind(row.agentId)
        .bind(row.service)
        .bind(row.taskId)
        .bind(row.taskType)
        .bind(row.model)
        .bind(epochMs(row.startedAt))
        .bind(toWord(row.unserved))
        .bind(toWord(row.priority))
        .bind(row.caller)
        .bind(row.regionsAsked)
        .bind(row.termsAsked)
        .bind(toWord(row.mode));
}

} // namespace weir::store
