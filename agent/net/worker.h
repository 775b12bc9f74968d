// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/net/asio.h"
#include "agent/net/sweep.h"
#include "agent/net/task_group.h"

#include <memory>
#include <span>

namespace weir::net {

/// One thread's world: its loop, deadlines, tasks and scratch memory. Everything on it is touched
/// by this thread alone.
class Worker final
{
public:
    Worker();

    [[nodiscard]] asio::io_context& io() { return m_io; }

    [[nodiscard]] Sweep& sweep() { return m_sweep; }

    [[nodiscard]] TaskGroup& tasks() { return m_tasks; }

    /// Memory to read into when a socket is ready. Whoever read it must be done with it before the
    /// next suspension: so ten thousand waiting streams hold no buffer.
    [[nodiscard]] std::span<char> scratch() { return {m_scratch.get(), kScratchBytes}; }

private:
    static constexpr std::size_t kScratchBytes = 65536;

    asio::io_context m_io{1};
    Sweep m_sweep{m_io};
    TaskGroup m_tasks{m_io};
    std::unique_ptr<char[]> m_scratch;
};

} // namespace weir::net
