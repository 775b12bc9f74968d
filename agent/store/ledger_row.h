// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/ledger_query.h"
#include "common/base/histogram.h"
#include "common/model/call_record.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <tuple>

namespace weir::store {

/// Token counts and costs above this are nonsense and count as unknown: sums must stay far inside
/// 64 bits.
inline constexpr std::int64_t kLedgerNumberMax = 1'000'000'000'000;

/// Makes of `record` what the ledger takes: texts cleaned and cut, numbers outside a column's range
/// unknown (or 0 where a column has no unknown). Whatever is wrong with a field harms that field
/// alone.
void fit(CallRecord& record);

/// The steps in which history is kept, and their tables.
struct HistoryStep
{
    std::chrono::seconds length;
    std::string_view table;
};

[[nodiscard]] std::span<const HistoryStep> historySteps();

/// Start of the step, agent, model, provider, task type: the key of the history tables.
using HistoryKey = std::tuple<std::int64_t, std::string, std::string, std::string, std::string>;

struct HistoryBucket
{
    CallSums sums;
    std::int64_t explored = 0;
    std::int64_t pinned = 0;
    std::int64_t spilled = 0;
    Histogram ttftUs;
    Histogram milliTps;

    void add(const CallRecord& record);
    void merge(const HistoryBucket& other);
};

/// In rising order of the key, so that two writers lock rows in the same order.
using HistoryBuckets = std::map<HistoryKey, HistoryBucket>;

/// Adds a record that is fit to the buckets of the shortest step.
void addTo(HistoryBuckets& buckets, const CallRecord& record);

/// The same sums in longer steps.
[[nodiscard]] HistoryBuckets coarsened(const HistoryBuckets& buckets, std::chrono::seconds step);

} // namespace weir::store
