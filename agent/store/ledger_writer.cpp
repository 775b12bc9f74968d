// SPDX-License-Identifier: Apache-2.0
#include "agent/store/ledger_writer.h"

#include <spdlog/spdlog.h>

#include <utility>

namespace weir::store {
namespace {

/// A few milliseconds a step.
constexpr std::size_t kCountRowsMax = 20'000;

} // namespace

LedgerWriter::LedgerWriter(
    Store& store,
    std::filesystem::path spoolFolder,
    std::string agentId,
    std::function<void()> onCount)
    : m_store(store)
    , m_reader(std::move(spoolFolder))
    , m_agentId(std::move(agentId))
    , m_onCount(std::move(onCount))
{
}

Result<std::size_t> LedgerWriter::step()
{
    m_drained = false;
    m_counted = false;
    Result<std::size_t> moved = move();
    if (moved) noteMoved(static_cast<std::int64_t>(*moved));
    if (m_drained) return moved;
    if (!m_counted) countBacklog();
    m_gauge.backlogBytes = m_reader.bytesAfter(m_position);
    return moved;
}

void LedgerWriter::noteMoved(std::int64_t rows)
{
    if (!m_drained && m_countedTo && m_gauge.backlogRows >= rows) {
        m_gauge.backlogRows -= rows;
        return;
    }
    m_countedTo = m_position;
    m_gauge.backlogRows = 0;
    m_gauge.backlogBytes = 0;
}

void LedgerWriter::countBacklog()
{
    m_counted = true;
    // After a long outage the count needs several steps to catch up; until then it says too little.
    const Result<SpoolBatch> batch = m_reader.read(m_countedTo, kCountRowsMax, Take::Count);
    if (!batch) return;
    m_gauge.backlogRows += static_cast<std::int64_t>(batch->rows);
    m_countedTo = batch->end;
    m_onCount();
}

void LedgerWriter::readAhead(const SpoolBatch& batch)
{
    if (!batch.more) return;
    Result<SpoolBatch> next = m_reader.read(batch.end, m_store.ledgerBatchRows());
    if (next) m_ahead = std::move(*next);
    countBacklog();
}

Result<std::size_t> LedgerWriter::move()
{
    if (!m_positionKnown) {
        const Result<std::optional<SpoolPosition>> position = m_store.spoolPosition(m_agentId);
        if (!position) return tl::unexpected(position.error());
        m_position = *position;
        m_positionKnown = true;
    }
    std::optional<SpoolBatch> ahead = std::exchange(m_ahead, {});
    Result<SpoolBatch> batch =
        ahead ? std::move(*ahead) : m_reader.read(m_position, m_store.ledgerBatchRows());
    if (!batch) return tl::unexpected(batch.error());
    if (!batch->end || batch->end == m_position) {
        m_drained = true;
        return 0;
    }
    const Result<Ingested> ingested = m_store.ingest(
        std::move(batch->records), m_agentId, *batch->end, [&] { readAhead(*batch); });
    // The store may have committed all the same (its answer was lost, say): ask it again next time.
    m_positionKnown = ingested.has_value();
    if (!ingested) {
        m_ahead.reset();
        return tl::unexpected(ingested.error());
    }
    m_position = batch->end;
    m_drained = !batch->more;
    m_gauge.ingestedRows += ingested->inserted;
    m_gauge.refusedRows += ingested->refused;
    m_gauge.damaged += batch->damaged;
    if (batch->damaged > 0 || ingested->refused > 0) {
        spdlog::warn(
            "event=spool_rows_lost damaged={} damaged_bytes={} refused={} segment={} offset={}",
            batch->damaged,
            batch->damagedBytes,
            ingested->refused,
            m_position->segment,
            m_position->offset);
    }
    if (const Status<> released = m_reader.release(*m_position); !released) {
        // The rows are safe; the segment is tried again after the next batch.
        spdlog::warn("event=spool_release_failed detail=\"{}\"", released.error().text());
    }
    return batch->rows;
}

} // namespace weir::store
