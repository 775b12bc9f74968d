// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

namespace weir::link {

/// Bounds what Qt's Postgres driver cannot: its calls wait for as long as the connection stands.
/// When the time set has passed, both directions of the socket are shut, so the call that waits
/// returns with an error. The socket must stay open while this lives.
class AnswerWatch final
{
public:
    explicit AnswerWatch(int socket);
    ~AnswerWatch();
    AnswerWatch(const AnswerWatch&) = delete;
    AnswerWatch& operator=(const AnswerWatch&) = delete;

    void set(std::chrono::milliseconds limit);
    void clear();

    /// It has passed once; the connection is of no use any more.
    [[nodiscard]] bool hasPassed();

private:
    void run();

    int m_socket;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::optional<std::chrono::steady_clock::time_point> m_until;
    bool m_hasPassed = false;
    bool m_isEnding = false;
    std::thread m_thread;
};

} // namespace weir::link
