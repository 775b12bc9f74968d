// SPDX-License-Identifier: Apache-2.0
#include "agent/store/spool.h"

#include "agent/store/record_codec.h"
#include "common/base/assert.h"

#include <spdlog/spdlog.h>

#include <utility>

namespace weir::store {
namespace {

/// Records are gathered this long before they are written; the rest of the bound is for the disk.
constexpr std::chrono::milliseconds kGather = kSpoolFlush / 2;
/// How often a disk that refused is tried again.
constexpr std::chrono::milliseconds kRetry{200};
/// So that an alert is seen by somebody who looks every few seconds.
constexpr std::chrono::seconds kAlertHold{10};
/// Frames are handed to the disk in pieces of about this size.
constexpr std::size_t kWriteBytes = 1U << 20U;

std::size_t bytesOf(const CallRecord& record)
{
    return sizeof(CallRecord) + record.requestId.capacity() + record.agentId.capacity() +
           record.service.capacity() + record.taskId.capacity() + record.taskType.capacity() +
           record.conversation.capacity() + record.model.capacity() + record.provider.capacity() +
           record.route.capacity() + record.finishReason.capacity() + record.snapshotId.capacity();
}

} // namespace

SpoolRecorder::SpoolRecorder(SpoolOptions options, Tap tap)
    : m_options(std::move(options))
    , m_tap(std::move(tap))
    , m_writer(m_options.folder, m_options.bytesMax)
{
    WEIR_ASSERT(m_options.now && m_options.utcNow);
    m_thread = std::thread([this] { run(); });
}

SpoolRecorder::~SpoolRecorder()
{
    stop();
}

void SpoolRecorder::record(CallRecord record)
{
    const std::size_t bytes = bytesOf(record);
    {
        const std::scoped_lock lock(m_mutex);
        if (m_stopping || m_heldBytes + bytes > m_options.queueBytesMax) {
            ++m_gauge.lostRows;
            return;
        }
        m_heldBytes += bytes;
        ++m_gauge.queuedRows;
        m_queue.push_back(std::move(record));
        // The thread is awake already where records stand before this one.
        if (m_queue.size() > 1) return;
    }
    m_wake.notify_one();
}

void SpoolRecorder::stop()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_stopping = true;
    }
    m_wake.notify_one();
    if (m_thread.joinable()) m_thread.join();
}

SpoolGauge SpoolRecorder::gauge() const
{
    const std::scoped_lock lock(m_mutex);
    return m_gauge;
}

std::vector<Alert> SpoolRecorder::alerts() const
{
    const Instant now = m_options.now();
    const std::scoped_lock lock(m_mutex);
    if (!m_trouble || (!m_trouble->ongoing && now - m_trouble->last > kAlertHold)) return {};
    Alert alert = m_trouble->alert;
    alert.text += "; lost so far: " + std::to_string(m_gauge.lostRows) + " ledger rows";
    return {std::move(alert)};
}

std::string SpoolRecorder::lastWords(const Error& trouble) const
{
    return "event=spool_ended lost_rows=" + std::to_string(m_gauge.lostRows) + " detail=\"" +
           trouble.text() + '"';
}

void SpoolRecorder::run()
{
    std::vector<CallRecord> batch;
    std::int64_t lostBefore = 0;
    bool stopping = false;
    m_lastSync = m_options.now();
    while (!stopping) {
        std::unique_lock lock(m_mutex);
        const auto awaited = [this] { return m_stopping || !m_queue.empty(); };
        if (!m_frames.empty())
            m_wake.wait_for(lock, kRetry, awaited);
        else if (m_writer.isDirty())
            m_wake.wait_for(lock, kSpoolSync, awaited);
        else
            m_wake.wait(lock, awaited);
        if (!m_queue.empty()) m_wake.wait_for(lock, kGather, [this] { return m_stopping; });
        stopping = m_stopping;
        batch.swap(m_queue);
        const std::size_t heldBytes = m_heldBytes;
        const std::int64_t heldRows = m_gauge.queuedRows;
        const std::int64_t lost = m_gauge.lostRows - std::exchange(lostBefore, m_gauge.lostRows);
        lock.unlock();

        const bool idle = batch.empty() && m_frames.empty() && lost == 0;
        const Status<> written = flush(batch);
        batch.clear();
        lock.lock();
        if (written) {
            m_heldBytes -= heldBytes;
            m_gauge.queuedRows -= heldRows;
            m_gauge.writtenRows += heldRows;
        } else if (stopping) {
            m_gauge.lostRows += heldRows;
        }
        std::string news = idle ? std::string{} : note(written, lost);
        if (stopping && !written) news = lastWords(written.error());
        lock.unlock();
        // Never under the lock: a log may have to wait, and workers must not.
        if (!news.empty()) spdlog::warn("{}", news);
        syncIfDue(idle || stopping);
    }
}

Status<> SpoolRecorder::flush(const std::vector<CallRecord>& batch)
{
    if (m_tap && !batch.empty()) m_tap(batch);
    Status<> written;
    for (const CallRecord& record : batch) {
        appendFrame(record, m_frames);
        // After a failure the rest is only encoded: the disk is asked once a flush.
        if (m_frames.size() < kWriteBytes || !written) continue;
        written = m_writer.append(m_frames);
        if (written) m_frames.clear();
    }
    if (written && !m_frames.empty()) {
        written = m_writer.append(m_frames);
        if (written) m_frames.clear();
    }
    return written;
}

std::string SpoolRecorder::note(const Status<>& written, std::int64_t lost)
{
    if (written && lost == 0) {
        if (!m_trouble || !std::exchange(m_trouble->ongoing, false)) return {};
        return "event=spool_recovered lost_rows=" + std::to_string(m_gauge.lostRows);
    }
    const bool full = written || written.error().code == "disk_full";
    const std::string kind = full ? "spool_full" : "spool_failed";
    const std::string text =
        written ? "the disk takes ledger rows more slowly than they come" : written.error().text();
    const Instant now = m_options.now();
    const bool same = m_trouble && m_trouble->alert.kind == kind &&
                      (m_trouble->ongoing || now - m_trouble->last <= kAlertHold);
    if (same) {
        m_trouble->last = now;
        m_trouble->ongoing = true;
        return {};
    }
    m_trouble = Trouble{{kind, "", m_options.utcNow(), text}, now, true};
    return "event=" + kind + " detail=\"" + text + '"';
}

void SpoolRecorder::syncIfDue(bool atOnce)
{
    const Instant now = m_options.now();
    if (!m_writer.isDirty() || (!atOnce && now - m_lastSync < kSpoolSync)) return;
    m_lastSync = now;
    const Status<> synced = m_writer.sync();
    if (!synced) spdlog::error("event=spool_sync_failed detail=\"{}\"", synced.error().text());
}

} // namespace weir::store
