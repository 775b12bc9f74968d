// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/ledger_sink.h"
#include "agent/store/pg.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace weir::store {

/// By COPY, into the days of the ledger, which are made where they are missing. What the server
/// knows already is left out; where it refuses a row, the batch is halved until the bad one stands
/// alone. Where the database is at fault and not a row, the whole batch fails and stays in the
/// spool. The history is written in one statement a step.
class PgSink final : public LedgerSink
{
public:
    explicit PgSink(PgConnection& db);

    [[nodiscard]] std::size_t batchRows() const override { return 10'000; }

    [[nodiscard]] Result<std::vector<RowFate>>
    insert(std::span<const CallRecord> rows, const std::function<void()>& meanwhile) override;
    [[nodiscard]] Status<> addHistory(const HistoryBuckets& buckets) override;

private:
    using Places = std::vector<std::size_t>;

    /// One table's part of a batch.
    struct Batch
    {
        std::span<const CallRecord> rows;
        std::vector<RowFate>& fates;
        std::function<void()> meanwhile;
        bool isAttempts = true;
    };

    [[nodiscard]] Status<> ensureDays(std::span<const CallRecord> rows, const Places& places);
    [[nodiscard]] Status<> copy(Batch& batch, const Places& places);
    [[nodiscard]] Status<> insert(Batch& batch, Places places);
    [[nodiscard]] Result<Places> unknownOf(const Batch& batch, const Places& places);

    PgConnection& m_db;
};

} // namespace weir::store
