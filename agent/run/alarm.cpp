// SPDX-License-Identifier: Apache-2.0
#include "agent/run/alarm.h"

#include <utility>

namespace weir::run {

Alarm::Alarm(std::chrono::milliseconds limit, std::function<void()> action)
    : m_thread([this, limit, action = std::move(action)] {
        std::unique_lock lock(m_mutex);
        if (m_ended.wait_for(lock, limit, [this] { return m_isOver; })) return;
        lock.unlock();
        action();
    })
{
}

Alarm::~Alarm()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_isOver = true;
    }
    m_ended.notify_one();
    m_thread.join();
}

} // namespace weir::run
