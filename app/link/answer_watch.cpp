// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/link/answer_watch.h"

#include <sys/socket.h>

namespace weir::link {

AnswerWatch::AnswerWatch(int socket)
    : m_socket(socket)
    , m_thread([this] { run(); })
{
}

AnswerWatch::~AnswerWatch()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_isEnding = true;
    }
    m_changed.notify_one();
    m_thread.join();
}

void AnswerWatch::set(std::chrono::milliseconds limit)
{
    {
        const std::scoped_lock lock(m_mutex);
        m_until = std::chrono::steady_clock::now() + limit;
    }
    m_changed.notify_one();
}

void AnswerWatch::clear()
{
    const std::scoped_lock lock(m_mutex);
    m_until.reset();
}

bool AnswerWatch::hasPassed()
{
    const std::scoped_lock lock(m_mutex);
    return m_hasPassed;
}

void AnswerWatch::run()
{
    std::unique_lock lock(m_mutex);
    while (!m_isEnding) {
        if (!m_until) {
            m_changed.wait(lock);
        } else if (std::chrono::steady_clock::now() < *m_until) {
            m_changed.wait_until(lock, *m_until);
        } else {
            ::shutdown(m_socket, SHUT_RDWR);
            m_hasPassed = true;
            m_until.reset();
        }
    }
}

} // namespace weir::link
