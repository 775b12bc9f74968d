// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/route_config.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <utility>

namespace weir::fleet {

class Slots;

/// Leave for one attempt, for as long as it lives. False = there is none.
class Slot final
{
public:
    Slot() = default;

    explicit Slot(Slots& server)
        : m_slots(&server)
    {
    }

    Slot(Slot&& other) noexcept
        : m_slots(std::exchange(other.m_slots, nullptr))
    {
    }

    Slot& operator=(Slot&& other) noexcept;
    Slot(const Slot&) = delete;
    Slot& operator=(const Slot&) = delete;
    ~Slot();

    explicit operator bool() const { return m_slots != nullptr; }

private:
    Slots* m_slots = nullptr;
};

/// What a server of the operator's own can do at once, and who waits for it (`Capacity`): in the
/// order in which they came, interactive work before batch. All workers share it; it outlives its
/// slots. A lock is held for a few additions, never while someone is woken.
class Slots final
{
public:
    /// Called once, on any thread, when the one who waits has a slot.
    using Wake = std::function<void()>;

    void setCapacity(const Capacity& capacity);

    /// A slot, unless all are taken or others wait already.
    [[nodiscard]] Slot tryTake();

    /// A place in the queue; 0 = there is none. Whoever has one must `leave`, with a slot or not.
    [[nodiscard]] std::uint64_t enter(bool batch, Wake wake);
    [[nodiscard]] Slot leave(std::uint64_t place);

    /// A slot or a place in the queue is free.
    [[nodiscard]] bool hasRoom() const;
    [[nodiscard]] bool isLimited() const;
    [[nodiscard]] std::int64_t waiting() const;

private:
    friend class Slot;

    struct Waiter
    {
        std::uint64_t place = 0;
        Wake wake;
    };

    void release();
    void giveOut();
    [[nodiscard]] bool isFree() const;

    mutable std::mutex m_mutex;
    Capacity m_capacity;
    int m_taken = 0;
    std::uint64_t m_lastPlace = 0;
    std::deque<Waiter> m_interactive;
    std::deque<Waiter> m_batch;
    /// Places that have got a slot and have not left yet.
    std::deque<std::uint64_t> m_given;
};

} // namespace weir::fleet
