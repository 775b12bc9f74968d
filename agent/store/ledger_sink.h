// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/ledger_row.h"
#include "common/base/result.h"
#include "common/model/call_record.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace weir::store {

/// What became of a row.
enum class RowFate : std::uint8_t {
    Inserted,
    /// Its key was there.
    Repeated,
    /// The database would not take it.
    Refused,
};

/// How a driver takes a batch of the ledger, inside a transaction. Rows are fit.
class LedgerSink
{
public:
    virtual ~LedgerSink() = default;

    /// How many rows to a batch: a database that is far away takes more at a time.
    [[nodiscard]] virtual std::size_t batchRows() const = 0;
    /// Attempts, and requests without any, each into its table. The fates are in the rows' order.
    /// `meanwhile` is called at most once, when there is nothing to do but to wait.
    [[nodiscard]] virtual Result<std::vector<RowFate>>
    insert(std::span<const CallRecord> rows, const std::function<void()>& meanwhile) = 0;
    /// Adds to the history, in all its steps.
    [[nodiscard]] virtual Status<> addHistory(const HistoryBuckets& buckets) = 0;
};

} // namespace weir::store
