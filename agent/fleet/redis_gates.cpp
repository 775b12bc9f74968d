// SPDX-License-Identifier: Apache-2.0
#include "agent/fleet/redis_gates.h"

#include "common/base/siphash.h"

#include <algorithm>

namespace weir::fleet {
namespace {

constexpr HashKey kAgentKey{0x6167'656e, 0x7400};
constexpr std::size_t kInboxMax = 4096;
/// Of the few events that there are, so many may wait for Redis to come back.
constexpr std::size_t kLogMax = 200;
const std::string kLogKey = "weir:1:gatelog";
constexpr std::chrono::milliseconds kTickFirst{250};
constexpr std::chrono::milliseconds kTickMost{1000};
constexpr std::chrono::milliseconds kTickPerAgent{10};
/// Up to so many agents, the shortest interval.
constexpr std::int64_t kSmallFleet = 10;
/// Who dies with the turn in hand keeps the others from it for so long.
constexpr std::chrono::milliseconds kTurn{500};

std::string keyOf(const std::string& provider, std::string_view what)
{
    std::string key{"weir:1:{"};
    key += provider;
    key += "}:";
    key += what;
    return key;
}

std::string replyKey(const std::string& provider, const std::string& agent)
{
    return keyOf(provider, "reply:" + agent);
}

Duration tickOf(std::int64_t agents)
{
    const std::int64_t more = std::max<std::int64_t>(agents - kSmallFleet, 0);
    return std::min<Duration>(kTickFirst + more * kTickPerAgent, kTickMost);
}

/// Between turns: each moves the whole state, so a large fleet has no more of them than a small
/// one.
std::chrono::milliseconds spacingOf(std::int64_t agents)
{
    return std::chrono::milliseconds{std::clamp<std::int64_t>(agents / 5, 10, 100)};
}

/// A Redis hash as a list: field, value, field, value.
template <class Take>
void forEachPair(const RedisReply& reply, Take take)
{
    for (std::size_t i = 0; i + 1 < reply.items.size(); i += 2)
        take(reply.items[i].text, reply.items[i + 1].text);
}

void count(std::vector<std::string>& words, std::size_t number)
{
    words.push_back(std::to_string(number));
}

} // namespace

std::uint32_t agentNumber(const std::string& agentId)
{
    return static_cast<std::uint32_t>(sipHash(kAgentKey, agentId));
}

RedisGates::RedisGates(RouteStates& states, std::string agentId)
    : m_states(states)
    , m_agentId(std::move(agentId))
    , m_agent(std::to_string(sipHash(kAgentKey, m_agentId)))
    , m_book(states)
{
}

Duration RedisGates::jittered(Duration about)
{
    const std::uint64_t draw = sipHash(kAgentKey, m_agent + ' ' + std::to_string(++m_draws));
    return about * (900 + static_cast<std::int64_t>(draw % 201)) / 1000;
}

Instant RedisGates::exchange(Instant now, const GatePort& port)
{
    if (now >= m_nextTick) {
        // What was left over first: then the next report says what is new, not the old again.
        if (const Messages late = waiting(); !late.empty()) visit(late, now, port);
        visit(report(now), now, port);
        m_nextTick = now + jittered(tickOf(agents()));
        m_nextLook = now + jittered(2 * spacingOf(agents()));
    } else if (now >= m_nextLook) {
        visit(waiting(), now, port);
        m_nextLook = Instant::max();
    }
    if (waiting().empty()) m_nextLook = Instant::max();
    return std::min(m_nextTick, m_nextLook);
}

void RedisGates::hurry()
{
    m_nextTick = {};
    m_hurries = true;
}

/// Nothing to say: only looks for the answer.
RedisGates::Messages RedisGates::waiting() const
{
    Messages messages;
    for (const auto& [name, provider] : m_providers) {
        if (provider.waits) messages.emplace(name, std::string{});
    }
    return messages;
}

RedisGates::Messages RedisGates::report(Instant now)
{
    const std::int64_t nowMs = m_states.clock().at(now);
    const std::map<std::string, std::int64_t> demand = m_book.settleDemand(now);
    std::map<std::string, ReportMessage> reports;
    bool isLocal = false;
    for (const auto& [key, route] : m_states.all()) {
        const auto group = demand.find(key.first);
        ReportMessage& message = reports[key.second];
        message.sentMs = nowMs;
        message.routes.push_back(
            {key.first,
             m_book.isKnown(key),
             route->params(),
             route->report(nowMs, group == demand.end() ? 0 : group->second)});
        isLocal = isLocal || route->isLocal(now);
        for (const routing::GateEvent& event : route->takeLocalEvents()) {
            m_book.decided(key, event);
            m_events.emplace_back(key, event);
        }
    }
    m_isLocal.store(isLocal, std::memory_order_relaxed);
    Messages messages;
    for (const auto& [name, message] : reports)
        messages.emplace(name, packed(message));
    return messages;
}

RedisCommand
RedisGates::enter(Provider& provider, std::string message, Instant now, const GatePort& port)
{
    if (!message.empty()) {
        // Rises over a restart as well: an answer to an earlier life is not for this one.
        m_number = std::max(m_number + 1, m_states.clock().at(now));
        provider.number = std::to_string(m_number);
        provider.waits = true;
    }
    std::string guess;
    if (provider.lineMs != 0) {
        const auto since = now - provider.lineAt;
        guess = std::to_string(
            provider.lineMs + std::chrono::duration_cast<std::chrono::milliseconds>(since).count());
    }
    RedisCommand command;
    command.key = keyOf(provider.name, "gate");
    command.script = port.enter;
    command.keys = 4;
    command.words = {
        command.key,
        keyOf(provider.name, "inbox"),
        keyOf(provider.name, "used"),
        replyKey(provider.name, m_agent),
        m_agent,
        provider.number,
        std::move(message),
        std::move(guess),
        std::to_string(kTurn.count()),
        std::to_string(m_hurries ? 0 : spacingOf(agents()).count()),
        std::to_string(kInboxMax)};
    return command;
}

void RedisGates::visit(const Messages& messages, Instant now, const GatePort& port)
{
    std::vector<Provider*> providers;
    std::vector<RedisCommand> commands;
    for (const auto& [name, message] : messages) {
        Provider& provider = m_providers[name];
        provider.name = name;
        providers.push_back(&provider);
        commands.push_back(enter(provider, message, now, port));
    }
    commands.insert(commands.end(), m_log.begin(), m_log.end());
    const std::vector<RedisReply> replies = port.ask(commands);
    std::vector<Turn> turns;
    for (std::size_t i = 0; i < providers.size(); ++i)
        hear(*providers[i], replies[i], now, turns);
    logged(std::span{replies}.subspan(providers.size()));
    if (turns.empty()) return;
    std::vector<RedisCommand> leaves;
    leaves.reserve(turns.size());
    for (const Turn& turn : turns)
        leaves.push_back(leave(turn, port));
    const std::vector<RedisReply> left = port.ask(leaves);
    for (std::size_t i = 0; i < turns.size(); ++i) {
        // Else somebody has stepped meanwhile, or nobody knows: the answer shows next time.
        if (left[i].number == 1) keep(turns[i], now);
    }
}

void RedisGates::hear(
    Provider& provider, const RedisReply& reply, Instant now, std::vector<Turn>& turns)
{
    if (!reply.isList() || reply.items.size() < 3) return;
    const std::int64_t born = reply.items[1].number;
    if (provider.born != 0 && provider.born != born) {
        m_emptied.fetch_add(1, std::memory_order_relaxed);
    }
    provider.born = born;
    provider.lineMs = reply.items[0].number;
    provider.lineAt = now;
    const std::string& text = reply.items[2].text;
    if (!text.empty()) {
        const auto message = unpackReply(std::string_view{text}.substr(provider.number.size() + 1));
        if (message && provider.waits) apply(provider, *message, now);
    } else if (reply.items.size() >= 7) {
        turns.push_back(turnFrom(provider, reply));
    }
}

RedisGates::Turn RedisGates::turnFrom(Provider& provider, const RedisReply& reply) const
{
    const auto begin = [this, &provider](const std::string& model, bool everUsed) {
        SharedGate gate{routing::newGate(everUsed), {}};
        // What was saved is of before this process began: old news once the fleet has spoken.
        if (provider.everAnswered) return gate;
        if (auto kept = m_book.saved({model, provider.name})) gate.state = std::move(kept->state);
        return gate;
    };
    Turn turn{provider, reply.items[3].number, GateTurn(provider.name, provider.lineMs, begin)};
    forEachPair(reply.items[4], [&](const std::string& field, const std::string& value) {
        turn.gates.setGate(field, value);
    });
    for (const RedisReply& model : reply.items[6].items)
        turn.gates.setUsed(model.text);
    if (!turn.gates.hasAccount() && !provider.everAnswered) {
        if (const auto kept = m_book.savedAccount(provider.name)) turn.gates.setAccount(*kept);
    }
    std::vector<Letter> letters;
    forEachPair(reply.items[5], [&](const std::string& agent, const std::string& value) {
        letters.push_back(letterFrom(agent, value));
    });
    turn.gates.step(std::move(letters));
    return turn;
}

RedisCommand RedisGates::leave(const Turn& turn, const GatePort& port)
{
    const std::string& name = turn.provider.name;
    const GateTurn& gates = turn.gates;
    RedisCommand command;
    command.key = keyOf(name, "gate");
    command.script = port.leave;
    std::vector<std::string>& words = command.words;
    words = {command.key, keyOf(name, "inbox"), keyOf(name, "used")};
    for (const auto& [agent, reply] : gates.replies())
        words.push_back(replyKey(name, agent));
    command.keys = words.size();
    words.push_back(std::to_string(turn.token));
    const auto fields = gates.fields();
    count(words, fields.size());
    for (const auto& [field, value] : fields) {
        words.push_back(field);
        words.push_back(value);
    }
    count(words, gates.newlyUsed().size());
    words.insert(words.end(), gates.newlyUsed().begin(), gates.newlyUsed().end());
    count(words, gates.letters().size());
    std::map<std::string_view, std::string_view> numbers;
    for (const Letter& letter : gates.letters()) {
        numbers[letter.agent] = letter.number;
        words.push_back(letter.agent);
        words.push_back(letter.number);
    }
    for (const auto& [agent, reply] : gates.replies())
        words.push_back(std::string{numbers[agent]} + ' ' + packed(reply));
    return command;
}

void RedisGates::keep(const Turn& turn, Instant now)
{
    const std::string& name = turn.provider.name;
    for (const auto& [model, event] : turn.gates.events()) {
        m_events.emplace_back(RouteStates::Key{model, name}, event);
        log({model, name}, event);
    }
    for (const std::string& model : turn.gates.used()) {
        const auto gate = turn.gates.routes().find(model);
        if (gate == turn.gates.routes().end()) continue;
        m_book.stepped({model, name}, {gate->second.state, turn.gates.account()});
    }
    const auto mine = turn.gates.replies().find(m_agent);
    const bool isNow = std::ranges::any_of(turn.gates.letters(), [&](const Letter& letter) {
        return letter.agent == m_agent && letter.number == turn.provider.number;
    });
    if (mine != turn.gates.replies().end() && isNow) apply(turn.provider, mine->second, now);
}

void RedisGates::apply(Provider& provider, const ReplyMessage& message, Instant now)
{
    provider.waits = false;
    provider.everAnswered = true;
    m_agents.store(message.agents, std::memory_order_relaxed);
    const std::int64_t nowMs = m_states.clock().at(now);
    for (const RouteReply& route : message.routes) {
        const RouteStates::Key key{route.model, provider.name};
        m_states.of(key.first, key.second, now)->apply(route.reply, nowMs);
        m_book.heard(key, route, now);
    }
}

/// For people and for programs that follow it: the gates' log of the whole fleet.
void RedisGates::log(const RouteStates::Key& route, const routing::GateEvent& event)
{
    if (m_log.size() >= kLogMax) return;
    const auto number = [](std::int64_t value) { return std::to_string(value); };
    m_log.push_back(
        {{"XADD",        kLogKey,
          "MAXLEN",      "~",
          "10000",       "*",
          "what",        std::string{toWord(event.kind)},
          "model",       route.first,
          "provider",    route.second,
          "before_mrps", number(event.beforeMilliRps),
          "after_mrps",  number(event.afterMilliRps),
          "used_mrps",   number(event.usedMilliRps),
          "n",           number(event.attempts),
          "e",           number(event.failures),
          "hold",        std::string{toWord(event.hold)},
          "agent",       m_agentId},
         kLogKey});
}

void RedisGates::logged(std::span<const RedisReply> replies)
{
    if (std::ranges::none_of(replies, &RedisReply::isError)) {
        m_log.clear();
    } else if (std::ranges::any_of(replies, isSpoilt)) {
        m_log.insert(m_log.begin(), {{"DEL", kLogKey}, kLogKey});
    }
}

void RedisGates::restore(const std::vector<SavedGate>& saved, Instant now)
{
    m_book.restore(saved, now);
}

std::vector<SavedGate> RedisGates::save()
{
    return m_book.save();
}

std::map<RouteStates::Key, GateGauge> RedisGates::gauges(Instant now) const
{
    return m_book.gauges(now);
}

std::int64_t RedisGates::demandMilliRps(const std::string& model) const
{
    return m_book.demandMilliRps(model);
}

} // namespace weir::fleet
