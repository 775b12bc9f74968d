// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/recorder.h"
#include "agent/store/spool_files.h"
#include "common/base/time.h"
#include "common/model/status.h"

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

namespace weir::store {

/// The flush bound: a record is in the spool file at most this long after record(), as long as the
/// disk takes writes. What is there survives `kill -9`.
inline constexpr std::chrono::milliseconds kSpoolFlush{20};
/// The spool is forced onto the disk this often: what a power cut can lose.
inline constexpr std::chrono::milliseconds kSpoolSync{1000};
/// Records waiting in memory while the disk takes none; above it they are refused and counted.
inline constexpr std::size_t kSpoolQueueBytesMax = 16U << 20U;

struct SpoolOptions
{
    std::filesystem::path folder;
    /// limits.spool_bytes: all segments together.
    std::uint64_t bytesMax = 1U << 30U;
    std::size_t queueBytesMax = kSpoolQueueBytesMax;
    std::function<Instant()> now;
    std::function<UtcTime()> utcNow;
};

struct SpoolGauge
{
    /// Accepted, not on disk yet.
    std::int64_t queuedRows = 0;
    /// That the disk took since the start.
    std::int64_t writtenRows = 0;
    /// Refused since the start because neither disk nor memory had room.
    std::int64_t lostRows = 0;
};

/// The recorder of the data plane: workers push into memory, one thread of its own writes the
/// spool. record() takes a short lock and never waits for the disk. The destructor writes what is
/// queued.
class SpoolRecorder final : public Recorder
{
public:
    /// Sees every accepted record once, on the spool's thread, before it is written.
    using Tap = std::function<void(std::span<const CallRecord>)>;

    explicit SpoolRecorder(SpoolOptions options, Tap tap = {});
    ~SpoolRecorder() override;
    SpoolRecorder(const SpoolRecorder&) = delete;
    SpoolRecorder& operator=(const SpoolRecorder&) = delete;

    void record(CallRecord record) override;

    /// Writes and syncs what was recorded before, and ends the thread. Records that come later are
    /// lost and counted.
    void stop();

    [[nodiscard]] SpoolGauge gauge() const;

    /// `spool_full` or `spool_failed`, with the number of lost rows, until the disk takes rows
    /// again.
    [[nodiscard]] std::vector<Alert> alerts() const;

private:
    struct Trouble
    {
        Alert alert;
        Instant last{};
        bool ongoing = false;
    };

    void run();
    /// Works on what was queued, without the lock; success when the disk has all of it.
    Status<> flush(const std::vector<CallRecord>& batch);
    /// Keeps the alert up to date, under the lock; returns a line for the log where something is
    /// new.
    std::string note(const Status<>& written, std::int64_t lost);
    /// A line for the log where the disk did not even take the last rows.
    [[nodiscard]] std::string lastWords(const Error& trouble) const;
    void syncIfDue(bool atOnce);

    SpoolOptions m_options;
    Tap m_tap;

    // Touched by the spool's thread alone: frames that the disk has not taken yet, and its file.
    SpoolWriter m_writer;
    std::string m_frames;
    Instant m_lastSync{};

    mutable std::mutex m_mutex;
    std::condition_variable m_wake;
    std::vector<CallRecord> m_queue;
    std::size_t m_heldBytes = 0;
    SpoolGauge m_gauge;
    std::optional<Trouble> m_trouble;
    bool m_stopping = false;
    std::thread m_thread;
};

} // namespace weir::store
