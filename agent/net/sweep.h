// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/net/asio.h"
#include "common/base/time.h"

#include <array>
#include <cstddef>

namespace weir::net {

/// All deadlines of one worker under one coarse timer: arming or moving one is a store, where a
/// timer each would cost a heap operation for every chunk relayed. A deadline fires at most one
/// tick late. Hashed timing wheel (Varghese and Lauck, 1987) whose entries move only when their
/// slot comes by.
class Sweep final
{
public:
    static constexpr std::chrono::milliseconds kTick{20};

    /// What waits. Lives in its owner, which must not move while armed; unlinks itself when it
    /// dies.
    class Entry
    {
    public:
        explicit Entry(Sweep& sweep)
            : m_sweep(sweep)
        {
        }

        virtual ~Entry() { unlink(); }

        Entry(const Entry&) = delete;
        Entry& operator=(const Entry&) = delete;

        /// `Instant::max()` disarms.
        void arm(Instant at);

        void disarm() { m_at = Instant::max(); }

    protected:
        /// Called on the worker's thread, disarmed.
        virtual void onDeadline() = 0;

    private:
        friend class Sweep;
        void link(Entry*& head);
        void unlink();

        Sweep& m_sweep;
        Entry** m_head = nullptr;
        Entry* m_next = nullptr;
        Entry* m_previous = nullptr;
        Instant m_at = Instant::max();
        /// When the slot that it stands in comes by.
        Instant m_visit = Instant::max();
    };

    explicit Sweep(asio::io_context& io)
        : m_timer(io)
    {
    }

    void stop();

private:
    static constexpr std::size_t kSlots = 256;

    void insert(Entry& entry);
    void schedule();
    void tick();
    void visit(Entry*& head, Instant now);

    asio::steady_timer m_timer;
    std::array<Entry*, kSlots> m_slots{};
    /// Index of the first tick not swept yet.
    std::int64_t m_swept = 0;
    std::size_t m_count = 0;
    bool m_running = false;
    bool m_stopped = false;
};

} // namespace weir::net
