// SPDX-License-Identifier: Apache-2.0
#include "common/routing/pins.h"

#include <utility>

namespace weir::routing {

PinTable::PinTable(std::int64_t lifeMs, std::size_t capacity)
    : m_lifeMs(lifeMs)
    , m_capacity(capacity)
{
}

std::optional<Pin> PinTable::find(std::uint64_t conversation, std::int64_t nowMs) const
{
    for (const auto* generation : {&m_young, &m_old}) {
        const auto found = generation->find(conversation);
        if (found == generation->end()) continue;
        if (nowMs - found->second.servedMs >= m_lifeMs) return std::nullopt;
        return found->second;
    }
    return std::nullopt;
}

void PinTable::served(std::uint64_t conversation, const Pin& pin)
{
    if (m_lifeMs <= 0) return;
    rotate(pin.servedMs);
    if (m_young.size() >= m_capacity && !m_young.contains(conversation)) return;
    m_young.insert_or_assign(conversation, pin);
}

void PinTable::rotate(std::int64_t nowMs)
{
    if (nowMs - m_generationMs < m_lifeMs) return;
    const bool longIdle = nowMs - m_generationMs >= 2 * m_lifeMs;
    m_old = longIdle ? std::unordered_map<std::uint64_t, Pin>{} : std::move(m_young);
    m_young.clear();
    m_generationMs = nowMs;
}

void PinTable::clear()
{
    m_young.clear();
    m_old.clear();
}

} // namespace weir::routing
