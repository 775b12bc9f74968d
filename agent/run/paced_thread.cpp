// SPDX-License-Identifier: Apache-2.0
#include "agent/run/paced_thread.h"

#include "agent/net/clock.h"

#include <utility>

namespace weir::run {

PacedThread::~PacedThread()
{
    stop();
}

void PacedThread::start(Work work)
{
    m_thread = std::thread([this, work = std::move(work)] { run(work); });
}

void PacedThread::poke()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_poked = true;
    }
    m_wake.notify_one();
}

bool PacedThread::stop()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_stopping = true;
    }
    m_wake.notify_one();
    if (!m_thread.joinable()) return false;
    m_thread.join();
    return true;
}

bool PacedThread::stopping() const
{
    const std::scoped_lock lock(m_mutex);
    return m_stopping;
}

void PacedThread::run(const Work& work)
{
    std::unique_lock lock(m_mutex);
    while (!m_stopping) {
        m_poked = false;
        lock.unlock();
        const Instant next = work();
        lock.lock();
        m_wake.wait_for(lock, next - net::monotonicNow(), [this] { return m_stopping || m_poked; });
    }
}

} // namespace weir::run
