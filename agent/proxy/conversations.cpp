// SPDX-License-Identifier: Apache-2.0
#include "agent/proxy/conversations.h"

#include <algorithm>

namespace weir::proxy {
namespace {

constexpr std::int64_t kHourMs = 3'600'000;
constexpr std::int64_t kOriginMs = 24 * kHourMs;
/// The smallest table life that holds for every setting of `pin_seconds`.
constexpr std::int64_t kPinMsMax = kHourMs;
/// Between two batches to the fleet.
constexpr std::size_t kUnsharedMax = 2000;
constexpr std::int64_t kToldInItsLife = 8;

} // namespace

Conversations::Conversations()
    : m_pins(kPinMsMax)
    , m_origins(kOriginMs)
    , m_tasks(kHourMs)
{
}

Conversations::Known Conversations::look(
    std::uint64_t conversation,
    std::optional<std::uint64_t> task,
    std::int64_t pinMs,
    std::int64_t nowMs)
{
    const std::scoped_lock lock(m_mutex);
    m_pinMs = pinMs;
    m_pins.setLife(pinMs);
    m_hedges.onRequest();
    Known known;
    known.pin = m_pins.find(conversation, nowMs);
    known.origin = m_origins.find(conversation, nowMs);
    if (!task) return known;
    known.taskSeen = m_tasks.find(*task, nowMs).has_value();
    m_tasks.served(*task, {.servedMs = nowMs});
    return known;
}

void Conversations::served(std::uint64_t conversation, const routing::Pin& pin)
{
    const std::scoped_lock lock(m_mutex);
    const bool isWorthTelling = m_shares && isNews(conversation, pin);
    m_pins.served(conversation, pin);
    m_origins.served(conversation, pin);
    if (!isWorthTelling) return;
    if (m_unshared.size() < kUnsharedMax || m_unshared.contains(conversation)) {
        m_unshared.insert_or_assign(conversation, pin);
    }
}

/// Each call renews its conversation's pin; the others need to know of it some times in its life.
bool Conversations::isNews(std::uint64_t conversation, const routing::Pin& pin) const
{
    const std::int64_t part = std::max<std::int64_t>(m_pinMs / kToldInItsLife, 1);
    const std::optional<routing::Pin> known = m_pins.find(conversation, pin.servedMs);
    return !known || known->route != pin.route || known->explored != pin.explored ||
           known->servedMs / part != pin.servedMs / part;
}

void Conversations::share()
{
    const std::scoped_lock lock(m_mutex);
    m_shares = true;
}

Conversations::Served Conversations::takeServed()
{
    std::unordered_map<std::uint64_t, routing::Pin> served;
    {
        const std::scoped_lock lock(m_mutex);
        served.swap(m_unshared);
    }
    return {served.begin(), served.end()};
}

void Conversations::heard(std::uint64_t conversation, const routing::Pin& pin)
{
    const std::scoped_lock lock(m_mutex);
    for (routing::PinTable* const table : {&m_pins, &m_origins}) {
        const std::optional<routing::Pin> own = table->find(conversation, pin.servedMs);
        if (!own || own->servedMs < pin.servedMs) table->served(conversation, pin);
    }
}

void Conversations::succeeded()
{
    const std::scoped_lock lock(m_mutex);
    m_budget.onSuccess();
}

bool Conversations::takeHedge()
{
    const std::scoped_lock lock(m_mutex);
    if (!m_hedges.has() || !m_budget.take()) return false;
    m_hedges.take();
    return true;
}

routing::NextStep Conversations::nextStep(
    const routing::AttemptLog& log,
    const routing::FailedAttempt& failed,
    const routing::Outlook& outlook)
{
    const std::scoped_lock lock(m_mutex);
    return routing::nextStep(log, failed, outlook, m_budget);
}

} // namespace weir::proxy
