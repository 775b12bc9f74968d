// SPDX-License-Identifier: Apache-2.0
#include "agent/fleet/local_gates.h"

#include "agent/fleet/gate_text.h"

namespace weir::fleet {

LocalGates::LocalGates(RouteStates& states)
    : m_states(states)
{
}

void LocalGates::restore(const std::vector<SavedGate>& saved, Instant now)
{
    const std::scoped_lock lock(m_mutex);
    m_known.merge(markEverUsed(m_states, saved, now));
    for (const SavedGate& row : saved) {
        routing::GateState state = routing::newGate(true);
        routing::AccountHold account;
        const Status<> read = decodeGate(row.state, state, account);
        m_gates.insert_or_assign({row.model, row.provider}, state);
        routing::AccountHold& known = m_accounts[row.provider];
        if (read && isNewer(account, known)) known = account;
    }
}

std::vector<std::pair<RouteStates::Key, routing::GateEvent>> LocalGates::exchange(Instant now)
{
    std::vector<std::pair<RouteStates::Key, routing::GateEvent>> events;
    const std::int64_t nowMs = m_states.clock().at(now);
    const std::scoped_lock lock(m_mutex);
    m_demand.settle(m_states.requests(), nowMs);
    for (const auto& [key, route] : m_states.all()) {
        const routing::GateReport report = route->report(nowMs, m_demand.milliRps(key.first));
        const auto [gate, isNew] =
            m_gates.try_emplace(key, routing::newGate(m_known.contains(key)));
        const routing::GateReply reply =
            routing::step(gate->second, m_accounts[key.second], report, nowMs, route->params());
        route->apply(reply, nowMs);
        GateGauge& gauge = m_gauges[key];
        gauge.demandMilliRps = reply.demandMilliRps;
        gauge.quotaMilliRps = reply.quotaMilliRps;
        for (const routing::GateEvent& event : reply.events) {
            gauge.note(event);
            events.emplace_back(key, event);
        }
        gauge.note(gate->second.rate);
    }
    return events;
}

std::vector<SavedGate> LocalGates::save()
{
    std::vector<SavedGate> saved;
    const std::scoped_lock lock(m_mutex);
    for (const auto& [key, route] : m_states.all()) {
        const auto gate = m_gates.find(key);
        if (gate == m_gates.end() || !route->used()) continue;
        const auto account = m_accounts.find(key.second);
        saved.push_back(
            {key.first,
             key.second,
             encodeGate(
                 gate->second,
                 account == m_accounts.end() ? routing::AccountHold{} : account->second)});
    }
    return saved;
}

std::map<RouteStates::Key, GateGauge> LocalGates::gauges(Instant now) const
{
    std::map<RouteStates::Key, GateGauge> result;
    const std::scoped_lock lock(m_mutex);
    for (const auto& [key, route] : m_states.all()) {
        const auto known = m_gauges.find(key);
        GateGauge gauge = known == m_gauges.end() ? GateGauge{} : known->second;
        gauge.view = route->view(now);
        result.emplace(key, gauge);
    }
    return result;
}

std::int64_t LocalGates::demandMilliRps(const std::string& model) const
{
    const std::scoped_lock lock(m_mutex);
    return m_demand.milliRps(model);
}

} // namespace weir::fleet
