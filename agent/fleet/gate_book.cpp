// SPDX-License-Identifier: Apache-2.0
#include "agent/fleet/gate_book.h"

#include "agent/fleet/gate_text.h"

#include <algorithm>
#include <utility>

namespace weir::fleet {
namespace {

/// As long as a gate remembers what an agent asked for.
constexpr std::chrono::seconds kDemandLasts{5};

} // namespace

GateBook::GateBook(RouteStates& states)
    : m_states(states)
{
}

void GateBook::restore(const std::vector<SavedGate>& saved, Instant now)
{
    const std::set<RouteStates::Key> known = markEverUsed(m_states, saved, now);
    const std::scoped_lock lock(m_mutex);
    m_known.insert(known.begin(), known.end());
    for (const SavedGate& row : saved) {
        Kept kept;
        if (decodeGate(row.state, kept.state, kept.account)) {
            m_saved[{row.model, row.provider}] = std::move(kept);
        }
    }
}

bool GateBook::isKnown(const RouteStates::Key& key) const
{
    const std::scoped_lock lock(m_mutex);
    return m_known.contains(key);
}

std::optional<GateBook::Kept> GateBook::saved(const RouteStates::Key& key) const
{
    const std::scoped_lock lock(m_mutex);
    const auto found = m_saved.find(key);
    return found == m_saved.end() ? std::nullopt : std::optional{found->second};
}

std::optional<routing::AccountHold> GateBook::savedAccount(const std::string& provider) const
{
    std::optional<routing::AccountHold> newest;
    const std::scoped_lock lock(m_mutex);
    for (const auto& [key, kept] : m_saved) {
        if (key.second == provider && (!newest || isNewer(kept.account, *newest)))
            newest = kept.account;
    }
    return newest;
}

std::map<std::string, std::int64_t> GateBook::settleDemand(Instant now)
{
    std::map<std::string, std::int64_t> demand = m_states.requests();
    const std::scoped_lock lock(m_mutex);
    m_settledAt = now;
    m_demand.settle(demand, m_states.clock().at(now));
    for (auto& [model, milliRps] : demand)
        milliRps = m_demand.milliRps(model);
    return demand;
}

void GateBook::heard(const RouteStates::Key& key, const RouteReply& reply, Instant now)
{
    const std::scoped_lock lock(m_mutex);
    // Whatever Redis forgets, from now on it is no new route.
    m_known.insert(key);
    m_fleetDemand[key.first] = {reply.groupMilliRps, now};
    Known& known = m_gates[key];
    // Fewer than before: the fleet has begun to count anew.
    const std::int64_t before = std::exchange(known.cuts, reply.counters.cuts);
    const std::int64_t more = known.cuts < before ? known.cuts : known.cuts - before;
    if (known.heard) known.gauge.cuts += more;
    known.heard = true;
    known.gauge.cut = reply.counters.cut;
    known.gauge.recovering = reply.counters.recovering;
    known.gauge.demandMilliRps = reply.reply.demandMilliRps;
    known.gauge.quotaMilliRps = reply.reply.quotaMilliRps;
}

void GateBook::decided(const RouteStates::Key& key, const routing::GateEvent& event)
{
    const std::scoped_lock lock(m_mutex);
    m_gates[key].gauge.note(event);
}

void GateBook::stepped(const RouteStates::Key& key, Kept kept)
{
    const std::scoped_lock lock(m_mutex);
    m_stepped[key] = std::move(kept);
}

std::vector<SavedGate> GateBook::save()
{
    std::map<RouteStates::Key, Kept> stepped;
    {
        const std::scoped_lock lock(m_mutex);
        stepped.swap(m_stepped);
    }
    std::vector<SavedGate> saved;
    for (const auto& [key, kept] : stepped)
        saved.push_back({key.first, key.second, encodeGate(kept.state, kept.account)});
    return saved;
}

std::map<RouteStates::Key, GateGauge> GateBook::gauges(Instant now) const
{
    std::map<RouteStates::Key, GateGauge> result;
    const std::scoped_lock lock(m_mutex);
    for (const auto& [key, route] : m_states.all()) {
        const auto known = m_gates.find(key);
        GateGauge gauge = known == m_gates.end() ? GateGauge{} : known->second.gauge;
        gauge.view = route->view(now);
        result.emplace(key, gauge);
    }
    return result;
}

std::int64_t GateBook::demandMilliRps(const std::string& model) const
{
    const std::scoped_lock lock(m_mutex);
    const auto known = m_fleetDemand.find(model);
    const bool isFresh =
        known != m_fleetDemand.end() && m_settledAt - known->second.at < kDemandLasts;
    return isFresh ? known->second.milliRps : m_demand.milliRps(model);
}

} // namespace weir::fleet
