// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/store.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace weir::store {

struct LedgerGauge
{
    /// In the spool, not in the ledger yet, as of the last step.
    std::int64_t backlogRows = 0;
    std::int64_t backlogBytes = 0;
    /// Stretches of the spool that were no record: torn off by a crash, or damaged.
    std::int64_t damaged = 0;
    std::int64_t ingestedRows = 0;
    std::int64_t refusedRows = 0;
};

/// Moves rows from the spool into the store, each exactly once: the position is committed with the
/// rows, and the ledger's key absorbs what is read again. It has no thread; the control thread
/// steps it. While the store is away, everything stays in the spool.
class LedgerWriter final
{
public:
    /// `store` must outlive the writer. `onCount` is called each time the backlog was counted, also
    /// in the middle of a step.
    LedgerWriter(
        Store& store,
        std::filesystem::path spoolFolder,
        std::string agentId,
        std::function<void()> onCount = [] {});

    /// Moves at most one batch and says how many rows it took from the spool: 0 when the ledger is
    /// up to date. After an error, call again later.
    [[nodiscard]] Result<std::size_t> step();

    [[nodiscard]] const LedgerGauge& gauge() const { return m_gauge; }

private:
    [[nodiscard]] Result<std::size_t> move();
    /// While the store works on `batch`.
    void readAhead(const SpoolBatch& batch);
    void noteMoved(std::int64_t rows);
    void countBacklog();

    Store& m_store;
    SpoolReader m_reader;
    std::string m_agentId;
    std::function<void()> m_onCount;
    std::optional<SpoolPosition> m_position;
    bool m_positionKnown = false;
    bool m_drained = false;
    /// What comes behind the position, where it has been read.
    std::optional<SpoolBatch> m_ahead;
    bool m_counted = false;
    /// How far the backlog has been counted.
    std::optional<SpoolPosition> m_countedTo;
    LedgerGauge m_gauge;
};

} // namespace weir::store
