// SPDX-License-Identifier: Apache-2.0
#include "agent/net/sweep.h"

#include "agent/net/clock.h"

#include <algorithm>

namespace weir::net {
namespace {

std::int64_t tickOf(Instant at)
{
    return at.time_since_epoch() / Sweep::kTick;
}

Instant timeOf(std::int64_t tick)
{
    return Instant{Duration{tick * Sweep::kTick}};
}

} // namespace

void Sweep::Entry::arm(Instant at)
{
    m_at = at;
    // A later deadline is met when the slot comes by; only an earlier one must move now.
    if (m_head != nullptr && at >= m_visit) return;
    if (at == Instant::max()) return;
    unlink();
    m_sweep.insert(*this);
}

void Sweep::Entry::link(Entry*& head)
{
    m_head = &head;
    m_previous = nullptr;
    m_next = head;
    if (head != nullptr) head->m_previous = this;
    head = this;
    ++m_sweep.m_count;
}

void Sweep::Entry::unlink()
{
    if (m_head == nullptr) return;
    (m_previous != nullptr ? m_previous->m_next : *m_head) = m_next;
    if (m_next != nullptr) m_next->m_previous = m_previous;
    m_head = nullptr;
    m_visit = Instant::max();
    --m_sweep.m_count;
}

void Sweep::insert(Entry& entry)
{
    if (m_stopped) return;
    if (!m_running) m_swept = tickOf(monotonicNow());
    // One tick past the deadline, so that it never fires early; far ones stop by once a round.
    const std::int64_t tick = std::clamp(
        tickOf(entry.m_at) + 1, m_swept + 1, m_swept + static_cast<std::int64_t>(kSlots) - 1);
    entry.m_visit = timeOf(tick);
    entry.link(m_slots[static_cast<std::size_t>(tick) % kSlots]);
    if (!m_running) schedule();
}

void Sweep::schedule()
{
    m_running = true;
    m_timer.expires_after(kTick);
    m_timer.async_wait([this](const error_code& error) {
        m_running = false;
        if (!error && !m_stopped) tick();
    });
}

void Sweep::tick()
{
    const Instant now = monotonicNow();
    const std::int64_t until = tickOf(now);
    // After a long stall every slot is swept once, not once for each tick missed.
    const std::int64_t from = std::max(m_swept + 1, until - static_cast<std::int64_t>(kSlots) + 1);
    m_swept = std::max(m_swept, until);
    m_running = true;
    for (std::int64_t at = from; at <= until; ++at) {
        visit(m_slots[static_cast<std::size_t>(at) % kSlots], now);
    }
    m_running = false;
    if (m_count > 0) schedule();
}

void Sweep::visit(Entry*& head, Instant now)
{
    // The list is taken off first: what is armed again meanwhile lands in a later slot.
    Entry* waiting = head;
    head = nullptr;
    for (Entry* entry = waiting; entry != nullptr; entry = entry->m_next)
        entry->m_head = &waiting;
    while (waiting != nullptr) {
        Entry& entry = *waiting;
        entry.unlink();
        if (entry.m_at == Instant::max()) continue;
        if (entry.m_at > now) {
            insert(entry);
            continue;
        }
        entry.m_at = Instant::max();
        entry.onDeadline();
    }
}

void Sweep::stop()
{
    m_stopped = true;
    m_timer.cancel();
}

} // namespace weir::net
