// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/time.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace weir::run {

/// A thread that works when work is due, or at once when somebody pokes it.
class PacedThread final
{
public:
    /// Does what is due and says when something will be due again.
    using Work = std::function<Instant()>;

    PacedThread() = default;
    ~PacedThread();
    PacedThread(const PacedThread&) = delete;
    PacedThread& operator=(const PacedThread&) = delete;

    void start(Work work);

    /// Any thread. Work that is under way is done once more.
    void poke();

    /// Waits for the work under way. True where there was a thread to end.
    bool stop();

    [[nodiscard]] bool stopping() const;

private:
    void run(const Work& work);

    mutable std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_poked = false;
    bool m_stopping = false;
    std::thread m_thread;
};

} // namespace weir::run
