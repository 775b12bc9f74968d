// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/net/asio.h"

#include <cstddef>
#include <functional>

namespace weir::net {

/// Owns every coroutine of one worker: nothing runs that is not counted here, so "all have ended"
/// is a fact. Not thread-safe; lives on its worker's thread.
class TaskGroup final
{
public:
    explicit TaskGroup(asio::io_context& io)
        : m_io(io)
    {
    }

    /// Starts a task. An exception that leaves it ends the program: expected errors are values.
    void spawn(Task<> task);

    [[nodiscard]] std::size_t size() const { return m_size; }

    /// Called once, when no task is left (at once where there is none).
    void whenEmpty(std::function<void()> done);

private:
    asio::io_context& m_io;
    std::size_t m_size = 0;
    std::function<void()> m_whenEmpty;
};

} // namespace weir::net
