// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace weir::run {

/// Does something if its scope lasts longer than it may: once, on a thread of its own.
class Alarm final
{
public:
    Alarm(std::chrono::milliseconds limit, std::function<void()> action);
    /// Waits for the action where it has begun.
    ~Alarm();
    Alarm(const Alarm&) = delete;
    Alarm& operator=(const Alarm&) = delete;

private:
    std::mutex m_mutex;
    std::condition_variable m_ended;
    bool m_isOver = false;
    std::thread m_thread;
};

} // namespace weir::run
