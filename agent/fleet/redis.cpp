// SPDX-License-Identifier: Apache-2.0
#include "agent/fleet/redis.h"

#include "agent/net/clock.h"
#include "agent/net/names.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace weir::fleet {
namespace {

/// Moved, asked elsewhere, and not known there as a script: none happens twice to an honest answer.
constexpr int kRoundsMax = 4;
/// More servers than a cluster has that anybody runs for this.
constexpr std::size_t kServersMax = 64;
constexpr std::size_t kPlacesMax = 4096;

/// What decides on the place in a cluster: the key's part in braces, if it has one.
std::string tagOf(const std::string& key)
{
    const std::size_t open = key.find('{');
    const std::size_t close = open == std::string::npos ? open : key.find('}', open + 1);
    if (close == std::string::npos || close == open + 1) return key;
    return key.substr(open + 1, close - open - 1);
}

struct Move
{
    std::string host;
    std::uint16_t port = 0;
    bool isOnce = false;
};

/// "MOVED 3999 10.0.0.7:6381", "ASK 3999 10.0.0.7:6381"; no host: the same as before.
std::optional<Move> moveOf(const RedisReply& reply)
{
    if (reply.fault != RedisFault::Moved) return std::nullopt;
    const bool isOnce = reply.text.starts_with("ASK ");
    if (!isOnce && !reply.text.starts_with("MOVED ")) return std::nullopt;
    const std::string_view place = std::string_view{reply.text}.substr(reply.text.rfind(' ') + 1);
    const std::size_t colon = place.rfind(':');
    if (colon == std::string_view::npos) return std::nullopt;
    Move move{std::string{place.substr(0, colon)}, 0, isOnce};
    const char* const end = place.data() + place.size();
    const auto [at, error] = std::from_chars(place.data() + colon + 1, end, move.port);
    if (error != std::errc{} || at != end || move.port == 0) return std::nullopt;
    return move;
}

/// Nothing that is asked of this server now will be done.
bool isOutage(RedisFault fault)
{
    return fault != RedisFault::None && fault != RedisFault::NoScript && fault != RedisFault::Other;
}

/// A connection to such a server is of no use; the next may be to another.
bool ends(RedisFault fault)
{
    return fault == RedisFault::Unreachable || fault == RedisFault::Loading ||
           fault == RedisFault::ReadOnly || fault == RedisFault::NoAuth;
}

bool isNumeric(const std::string& host)
{
    boost::system::error_code error;
    static_cast<void>(net::asio::ip::make_address(host, error));
    return !error;
}

} // namespace

/// The commands of one `ask` that still wait, and where each goes next.
struct Redis::Round
{
    struct Next
    {
        Server* server = nullptr;
        /// By the text of the script, as its sum is not known there.
        bool whole = false;
        bool asking = false;
        bool done = false;
    };

    std::span<const RedisCommand> commands;
    std::vector<RedisReply> replies;
    std::vector<Next> next;
};

Redis::Redis(RedisAddress address, RedisLimits limits)
    : m_address(std::move(address))
    , m_limits(limits)
{
    static_cast<void>(serverAt(m_address.host, m_address.port));
    if (isNumeric(m_address.host)) return;
    m_names = std::make_unique<net::Names>();
    m_names->watch({m_address.host});
}

Redis::~Redis() = default;

std::string Redis::where() const
{
    return m_address.host + ':' + std::to_string(m_address.port);
}

void Redis::awaitName(std::chrono::milliseconds atMost) const
{
    if (m_names) m_names->await(m_address.host, atMost);
}

const RedisScript& Redis::script(std::string text)
{
    m_scripts.push_back(std::make_unique<RedisScript>(RedisScript{std::move(text), {}}));
    return *m_scripts.back();
}

Redis::Server& Redis::serverAt(const std::string& host, std::uint16_t port)
{
    for (const auto& server : m_servers) {
        if (server->host == host && server->port == port) return *server;
    }
    if (m_servers.size() >= kServersMax) return *m_servers.front();
    auto server = std::make_unique<Server>();
    server->host = host;
    server->port = port;
    return *m_servers.emplace_back(std::move(server));
}

/// Any server of a cluster tells where a key is, so one that does not answer is passed over.
Redis::Server& Redis::serverOf(const std::string& key)
{
    if (!key.empty() && !m_places.empty()) {
        const auto known = m_places.find(tagOf(key));
        if (known != m_places.end()) return *known->second;
    }
    const Instant now = net::monotonicNow();
    for (const auto& server : m_servers) {
        if (server->link.isOpen() || now >= server->retryAt) return *server;
    }
    return *m_servers.front();
}

std::vector<std::string> Redis::addressesOf(const Server& server) const
{
    if (!m_names || isNumeric(server.host)) return {server.host};
    const auto known = m_names->find(server.host);
    // A cluster that goes by names: those are few, and on the way already.
    if (!known && server.host != m_address.host) return {server.host};
    std::vector<std::string> addresses;
    for (const auto& address : known.value_or(std::vector<net::asio::ip::address>{}))
        addresses.push_back(address.to_string());
    return addresses;
}

RedisReply Redis::open(Server& server)
{
    if (server.link.isOpen()) return {};
    const Instant now = net::monotonicNow();
    if (now < server.retryAt) return server.lastError;
    RedisReply opened = redisError(RedisFault::Unreachable, "its name has no address");
    for (const std::string& address : addressesOf(server)) {
        server.everTried = true;
        opened = server.link.connect(address, server.port, now + m_limits.connect);
        if (!opened.isError()) return introduce(server, net::monotonicNow() + m_limits.answer);
    }
    return opened;
}

/// Who we are, which database, and the scripts. That these are known is no condition.
RedisReply Redis::introduce(Server& server, Instant until)
{
    std::vector<RedisLink::Words> words;
    if (!m_address.password.empty()) {
        RedisLink::Words& auth = words.emplace_back(RedisLink::Words{"AUTH"});
        if (!m_address.user.empty()) auth.push_back(m_address.user);
        auth.emplace_back(m_address.password.reveal());
    }
    if (m_address.database != 0) words.push_back({"SELECT", std::to_string(m_address.database)});
    const std::size_t needed = words.size();
    for (const auto& script : m_scripts)
        words.push_back({"SCRIPT", "LOAD", script->text});
    if (words.empty()) return {};
    RedisReply sent = server.link.send(words, until);
    if (sent.isError()) return sent;
    std::vector<RedisReply> replies = server.link.receive(words.size(), until);
    for (std::size_t i = 0; i < replies.size(); ++i) {
        if (replies[i].fault == RedisFault::Unreachable) return std::move(replies[i]);
        if (i < needed && replies[i].isError()) return std::move(replies[i]);
        if (i >= needed && replies[i].isText()) m_scripts[i - needed]->sum = replies[i].text;
    }
    return {};
}

void Redis::failed(Server& server, RedisReply error)
{
    server.link.close();
    server.lastError = std::move(error);
    std::erase_if(m_places, [&server](const auto& place) { return place.second == &server; });
    const Instant now = net::monotonicNow();
    // Nothing was tried while its name was looked up.
    if (now < server.retryAt || !server.everTried) return;
    server.backOff = std::clamp(2 * server.backOff, m_limits.retryFirst, m_limits.retryMost);
    server.retryAt = now + server.backOff;
}

RedisLink::Words Redis::wordsOf(const RedisCommand& command, bool whole)
{
    if (command.script == nullptr) return command.words;
    const bool bySum = !whole && !command.script->sum.empty();
    RedisLink::Words words{
        bySum ? "EVALSHA" : "EVAL",
        bySum ? command.script->sum : command.script->text,
        std::to_string(command.keys)};
    words.insert(words.end(), command.words.begin(), command.words.end());
    return words;
}

/// Takes the answer, or sends the command on.
void Redis::follow(Round& round, std::size_t index, RedisReply reply)
{
    Round::Next& next = round.next[index];
    const RedisCommand& command = round.commands[index];
    if (const auto move = moveOf(reply)) {
        // A copy: the list of servers may grow.
        const std::string host = move->host.empty() ? next.server->host : move->host;
        next.server = &serverAt(host, move->port);
        next.asking = move->isOnce;
        if (!move->isOnce && m_places.size() < kPlacesMax) {
            m_places[tagOf(command.key)] = next.server;
        }
    } else if (reply.fault == RedisFault::NoScript && !next.whole) {
        next.whole = true;
    } else {
        next.done = true;
    }
    round.replies[index] = std::move(reply);
}

void Redis::sendTo(Server& server, Round& round, Part& part)
{
    RedisReply sent = open(server);
    if (!sent.isError()) {
        std::vector<RedisLink::Words> words;
        for (const std::size_t i : part) {
            if (round.next[i].asking) words.push_back({"ASKING"});
            words.push_back(wordsOf(round.commands[i], round.next[i].whole));
        }
        sent = server.link.send(words, net::monotonicNow() + m_limits.answer);
    }
    if (!sent.isError()) return;
    for (const std::size_t i : part) {
        round.replies[i] = sent;
        round.next[i].done = true;
    }
    part.clear();
    failed(server, std::move(sent));
}

void Redis::receiveFrom(Server& server, Round& round, const Part& part, Instant until)
{
    RedisReply broken;
    for (const std::size_t i : part) {
        if (round.next[i].asking) static_cast<void>(server.link.receive(1, until));
        RedisReply reply = std::move(server.link.receive(1, until).front());
        if (ends(reply.fault)) broken = reply;
        follow(round, i, std::move(reply));
    }
    if (broken.isError()) {
        failed(server, std::move(broken));
    } else if (!part.empty()) {
        server.backOff = std::chrono::milliseconds{0};
    }
}

/// To all servers first, then from all: they work at the same time.
void Redis::run(Round& round)
{
    std::map<Server*, Part> parts;
    for (std::size_t i = 0; i < round.next.size(); ++i) {
        if (!round.next[i].done) parts[round.next[i].server].push_back(i);
    }
    for (auto& [server, part] : parts)
        sendTo(*server, round, part);
    const Instant until = net::monotonicNow() + m_limits.answer;
    for (auto& [server, part] : parts)
        receiveFrom(*server, round, part, until);
}

std::vector<RedisReply> Redis::ask(std::span<const RedisCommand> commands)
{
    Round round;
    round.commands = commands;
    round.replies.resize(commands.size());
    round.next.resize(commands.size());
    for (std::size_t i = 0; i < commands.size(); ++i)
        round.next[i].server = &serverOf(commands[i].key);
    for (int count = 0; count < kRoundsMax; ++count) {
        if (std::ranges::all_of(round.next, &Round::Next::done)) break;
        run(round);
    }
    judge(round.replies);
    return std::move(round.replies);
}

RedisReply Redis::ask(const RedisCommand& command)
{
    return std::move(ask(std::span{&command, 1}).front());
}

void Redis::judge(std::span<const RedisReply> replies)
{
    const auto bad = std::ranges::find_if(
        replies, [](const RedisReply& reply) { return isOutage(reply.fault); });
    if (bad == replies.end()) {
        m_failing = false;
        m_answered = m_answered || !replies.empty();
        return;
    }
    if (!m_failing) m_failingSince = net::monotonicNow();
    m_failing = true;
    m_last = {bad->fault, bad->text};
}

std::optional<Redis::Trouble> Redis::trouble() const
{
    if (!m_failing) return std::nullopt;
    const bool isLong = net::monotonicNow() - m_failingSince >= m_limits.down;
    if (m_answered && !isLong) return std::nullopt;
    return m_last;
}

} // namespace weir::fleet
