// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/time.h"
#include "common/model/call_record.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace weir::store {

inline constexpr int kLedgerPageMax = 1000;

/// Empty texts and absent values do not filter.
struct LedgerFilter
{
    /// Started at or after.
    std::optional<UtcTime> from;
    /// Started before.
    std::optional<UtcTime> to;
    std::string requestId;
    std::string taskId;
    /// The hash that the ledger keeps.
    std::string conversation;
    std::string taskType;
    std::string model;
    std::string provider;
    std::string agent;
    std::optional<Outcome> outcome;
    /// Only outcomes that are a failure of the route: neither served nor neutral.
    bool failed = false;
    std::optional<Reason> reason;
    /// Only attempts that keep the record of their request's decision.
    bool decided = false;
};

/// The last row of the page before; rows that come later do not shift the pages.
struct LedgerCursor
{
    UtcTime startedAt{};
    std::string requestId;
    int attempt = 0;

    bool operator==(const LedgerCursor&) const = default;
};

struct LedgerQuery
{
    LedgerFilter filter;
    std::optional<LedgerCursor> after;
    /// 1 to kLedgerPageMax.
    int limit = 200;
};

/// Newest first. `next` is there while older rows are.
struct LedgerPage
{
    std::vector<CallRecord> rows;
    std::optional<LedgerCursor> next;
};

/// Sums of what is known; `*Unknown` count the attempts where it was not.
struct CallSums
{
    std::int64_t calls = 0;
    /// By `Outcome`.
    std::array<std::int64_t, kOutcomeCount> outcomes{};
    std::int64_t inputUncached = 0;
    std::int64_t inputCached = 0;
    std::int64_t cacheWrite = 0;
    std::int64_t output = 0;
    std::int64_t reasoning = 0;
    std::int64_t tokensUnknown = 0;
    std::int64_t costMicroUsd = 0;
    std::int64_t costUnknown = 0;

    void add(const CallSums& other);

    bool operator==(const CallSums&) const = default;
};

struct ProviderTotals
{
    std::string provider;
    CallSums sums;
};

} // namespace weir::store
