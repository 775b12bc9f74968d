// SPDX-License-Identifier: Apache-2.0
#include "agent/net/task_group.h"

#include <exception>
#include <utility>

namespace weir::net {

void TaskGroup::spawn(Task<> task)
{
    ++m_size;
    asio::co_spawn(m_io, std::move(task), [this](const std::exception_ptr& failure) {
        if (failure) std::rethrow_exception(failure);
        if (--m_size == 0 && m_whenEmpty) std::exchange(m_whenEmpty, nullptr)();
    });
}

void TaskGroup::whenEmpty(std::function<void()> done)
{
    if (m_size == 0) {
        done();
    } else {
        m_whenEmpty = std::move(done);
    }
}

} // namespace weir::net
