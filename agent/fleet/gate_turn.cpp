// SPDX-License-Identifier: Apache-2.0
#include "agent/fleet/gate_turn.h"

#include "agent/fleet/route_states.h"

#include <algorithm>
#include <charconv>

namespace weir::fleet {
namespace {

constexpr std::string_view kAccountField = "a";
constexpr std::string_view kRoutePrefix = "s:";
/// So long a message lies in the inbox at most.
constexpr std::int64_t kInboxMs = 61'000;

/// Whole buckets, the nearest: where clocks agree about as well as clocks do, none.
std::int64_t shiftOf(std::int64_t atMs, std::int64_t sentMs)
{
    return routing::bucketOf(atMs - sentMs + routing::kCohortMs / 2);
}

std::int64_t groupMilliRps(const routing::GateState& state)
{
    std::int64_t sum = 0;
    for (const routing::AgentWant& want : state.wants)
        sum = std::min(sum + want.groupMicro, routing::kMicroMax);
    return sum / routing::kMicroPerMilli;
}

} // namespace

Letter letterFrom(std::string agent, std::string_view text)
{
    const std::size_t first = text.find(' ');
    const std::size_t second = first == std::string_view::npos ? first : text.find(' ', first + 1);
    if (second == std::string_view::npos) return {std::move(agent), {}, 0, {}};
    Letter letter{std::move(agent), std::string{text.substr(0, first)}, 0, {}};
    const char* const end = text.data() + second;
    const auto [at, error] = std::from_chars(text.data() + first + 1, end, letter.atMs);
    if (error != std::errc{} || at != end) letter.number.clear();
    letter.message = text.substr(second + 1);
    return letter;
}

GateTurn::GateTurn(std::string provider, std::int64_t nowMs, Beginning beginning)
    : m_provider(std::move(provider))
    , m_nowMs(nowMs)
    , m_beginning(std::move(beginning))
{
}

void GateTurn::setGate(std::string_view field, std::string_view value)
{
    if (field == kAccountField) {
        if (const auto account = unpackAccount(value)) setAccount(*account);
    } else if (field.starts_with(kRoutePrefix)) {
        auto gate = unpackGate(value);
        // One of a time that is still to come would stand still until then.
        if (gate && gate->state.lastMs <= m_nowMs)
            m_routes[std::string{field.substr(kRoutePrefix.size())}] = std::move(*gate);
    }
}

void GateTurn::setAccount(const routing::AccountHold& account)
{
    m_account = account;
    m_hasAccount = true;
}

void GateTurn::step(std::vector<Letter> letters)
{
    m_letters = std::move(letters);
    for (Letter& letter : m_letters)
        letter.atMs = std::clamp(letter.atMs, m_nowMs - kInboxMs, m_nowMs);
    std::ranges::sort(m_letters, [](const Letter& left, const Letter& right) {
        return std::tie(left.atMs, left.agent) < std::tie(right.atMs, right.agent);
    });
    for (const Letter& letter : m_letters) {
        std::optional<ReportMessage> message = unpackReport(letter.message);
        if (!message) continue;
        ReplyMessage& reply = m_replies[letter.agent];
        const std::int64_t shiftMs = shiftOf(letter.atMs, message->sentMs);
        for (RouteReport& route : message->routes)
            stepRoute(std::move(route), shiftMs, letter.atMs, reply);
    }
}

void GateTurn::stepRoute(
    RouteReport route, std::int64_t shiftMs, std::int64_t atMs, ReplyMessage& reply)
{
    for (routing::Cohort& cohort : route.report.cohorts)
        cohort.startMs += shiftMs;
    auto known = m_routes.find(route.model);
    if (known == m_routes.end()) {
        const bool everUsed = route.everUsed || m_used.contains(route.model);
        known = m_routes.emplace(route.model, m_beginning(route.model, everUsed)).first;
    }
    if (route.report.sent > 0 && m_used.insert(route.model).second) {
        m_newlyUsed.insert(route.model);
    }
    SharedGate& gate = known->second;
    route.params.routeKey = route.params.seed = routeKey(route.model, m_provider);
    RouteReply answer;
    answer.reply = routing::step(gate.state, m_account, route.report, atMs, route.params);
    for (const routing::GateEvent& event : answer.reply.events) {
        gate.counters.note(event);
        m_events.emplace_back(route.model, event);
    }
    gate.counters.note(gate.state.rate);
    answer.counters = gate.counters;
    answer.groupMilliRps = groupMilliRps(gate.state);
    answer.model = std::move(route.model);
    reply.agents = std::max(reply.agents, std::ssize(gate.state.wants));
    reply.routes.push_back(std::move(answer));
}

std::vector<std::pair<std::string, std::string>> GateTurn::fields() const
{
    std::vector<std::pair<std::string, std::string>> fields;
    fields.emplace_back(kAccountField, packed(m_account));
    for (const auto& [model, gate] : m_routes)
        fields.emplace_back(std::string{kRoutePrefix} + model, packed(gate));
    return fields;
}

} // namespace weir::fleet
