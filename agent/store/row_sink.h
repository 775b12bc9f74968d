// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/ledger_sink.h"
#include "agent/store/sql.h"

namespace weir::store {

/// A statement a row: quick where the database is in the process, and a refused row costs nothing.
class RowSink final : public LedgerSink
{
public:
    explicit RowSink(SqlConnection& db);

    /// About 20 ms of work, for which nobody else can write to the file.
    [[nodiscard]] std::size_t batchRows() const override { return 1000; }

    [[nodiscard]] Result<std::vector<RowFate>>
    insert(std::span<const CallRecord> rows, const std::function<void()>& meanwhile) override;
    [[nodiscard]] Status<> addHistory(const HistoryBuckets& buckets) override;

private:
    SqlConnection& m_db;
};

} // namespace weir::store
