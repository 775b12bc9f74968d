// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/pg_target.h"

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

struct pg_conn;

namespace weir::store {

struct PgClose
{
    void operator()(pg_conn* connection) const;
};

using PgHandle = std::unique_ptr<pg_conn, PgClose>;

/// Connects on a thread of its own, since a name server may take longer to answer than anybody can
/// wait, and libpq does not let go of it.
class PgDial final
{
public:
    explicit PgDial(const PgTarget& target);
    ~PgDial();
    PgDial(const PgDial&) = delete;
    PgDial& operator=(const PgDial&) = delete;

    /// Waits at most so long for a connection. An attempt that takes longer goes on meanwhile, and
    /// the next call waits for the same one. Errors: "unreachable", "forbidden", "store_missing".
    [[nodiscard]] Result<PgHandle> connect(std::chrono::milliseconds atMost);
    /// Any thread: nobody waits any more, now or later.
    void hangUp();

private:
    void run();

    const PgTarget& m_target;
    std::mutex m_mutex;
    std::condition_variable m_done;
    /// Of an attempt that has ended.
    PgHandle m_connection;
    bool m_isOver = false;
    bool m_isHungUp = false;
    std::thread m_thread;
};

} // namespace weir::store
