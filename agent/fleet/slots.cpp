// SPDX-License-Identifier: Apache-2.0
#include "agent/fleet/slots.h"

#include <algorithm>
#include <vector>

namespace weir::fleet {

Slot& Slot::operator=(Slot&& other) noexcept
{
    if (this == &other) return *this;
    if (m_slots != nullptr) m_slots->release();
    m_slots = std::exchange(other.m_slots, nullptr);
    return *this;
}

Slot::~Slot()
{
    if (m_slots != nullptr) m_slots->release();
}

bool Slots::isFree() const
{
    return m_capacity.inFlightMax == 0 || m_taken < m_capacity.inFlightMax;
}

void Slots::setCapacity(const Capacity& capacity)
{
    {
        const std::scoped_lock lock(m_mutex);
        m_capacity = capacity;
    }
    giveOut();
}

Slot Slots::tryTake()
{
    const std::scoped_lock lock(m_mutex);
    if (!isFree() || !m_interactive.empty() || !m_batch.empty()) return {};
    ++m_taken;
    return Slot(*this);
}

std::uint64_t Slots::enter(bool batch, Wake wake)
{
    std::uint64_t place = 0;
    {
        const std::scoped_lock lock(m_mutex);
        const std::size_t waiting = m_interactive.size() + m_batch.size();
        if (waiting >= static_cast<std::size_t>(m_capacity.queueMax)) return 0;
        place = ++m_lastPlace;
        (batch ? m_batch : m_interactive).push_back({place, std::move(wake)});
    }
    // A slot may have become free before there was anybody to give it to.
    giveOut();
    return place;
}

Slot Slots::leave(std::uint64_t place)
{
    const std::scoped_lock lock(m_mutex);
    const auto given = std::find(m_given.begin(), m_given.end(), place);
    if (given != m_given.end()) {
        m_given.erase(given);
        return Slot(*this);
    }
    for (std::deque<Waiter>* const queue : {&m_interactive, &m_batch}) {
        const auto found = std::ranges::find(*queue, place, &Waiter::place);
        if (found == queue->end()) continue;
        queue->erase(found);
        break;
    }
    return {};
}

bool Slots::hasRoom() const
{
    const std::scoped_lock lock(m_mutex);
    const std::size_t waiting = m_interactive.size() + m_batch.size();
    return (isFree() && waiting == 0) || waiting < static_cast<std::size_t>(m_capacity.queueMax);
}

bool Slots::isLimited() const
{
    const std::scoped_lock lock(m_mutex);
    return m_capacity.inFlightMax > 0;
}

std::int64_t Slots::waiting() const
{
    const std::scoped_lock lock(m_mutex);
    return static_cast<std::int64_t>(m_interactive.size() + m_batch.size());
}

void Slots::release()
{
    {
        const std::scoped_lock lock(m_mutex);
        --m_taken;
    }
    giveOut();
}

/// To those who wait, as far as there is something to give.
void Slots::giveOut()
{
    std::vector<Wake> woken;
    {
        const std::scoped_lock lock(m_mutex);
        while (isFree()) {
            std::deque<Waiter>& queue = m_interactive.empty() ? m_batch : m_interactive;
            if (queue.empty()) break;
            ++m_taken;
            m_given.push_back(queue.front().place);
            woken.push_back(std::move(queue.front().wake));
            queue.pop_front();
        }
    }
    for (const Wake& wake : woken)
        wake();
}

} // namespace weir::fleet
