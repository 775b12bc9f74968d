// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/fleet/redis_link.h"
#include "common/base/time.h"
#include "common/model/redis_address.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace weir::net {
class Names;
}

namespace weir::fleet {

struct RedisLimits
{
    std::chrono::milliseconds connect{100};
    /// For all commands that are sent together.
    std::chrono::milliseconds answer{100};
    /// Before it is tried again: the first time, and at most.
    std::chrono::milliseconds retryFirst{250};
    std::chrono::milliseconds retryMost{2000};
    /// A Redis that fails for so long is down; one slow answer is no outage.
    std::chrono::milliseconds down{1000};
};

/// A client of one Redis, or of a Redis Cluster: it learns from the answers which server has which
/// key. Nothing waits longer than its limits; while a server does not answer, all that is asked of
/// it fails at once until it is tried again. One thread; `trouble` says how it is.
class Redis final
{
public:
    explicit Redis(RedisAddress address, RedisLimits limits = {});
    ~Redis();
    Redis(const Redis&) = delete;
    Redis& operator=(const Redis&) = delete;

    /// From now on, this script can be called; not more than a few.
    [[nodiscard]] const RedisScript& script(std::string text);

    /// All at once; as many answers, in the same order.
    [[nodiscard]] std::vector<RedisReply> ask(std::span<const RedisCommand> commands);
    [[nodiscard]] RedisReply ask(const RedisCommand& command);

    struct Trouble
    {
        RedisFault fault = RedisFault::None;
        std::string detail;
    };

    /// Nothing while it answers, or has not failed for long.
    [[nodiscard]] std::optional<Trouble> trouble() const;

    /// "host:port".
    [[nodiscard]] std::string where() const;

    /// Until its name's address is known, at most so long; until then nothing can be asked.
    void awaitName(std::chrono::milliseconds atMost) const;

private:
    struct Server
    {
        std::string host;
        std::uint16_t port = 0;
        RedisLink link;
        Instant retryAt{};
        std::chrono::milliseconds backOff{0};
        RedisReply lastError;
        bool everTried = false;
    };

    struct Round;
    /// The commands of a round that go to one server.
    using Part = std::vector<std::size_t>;

    [[nodiscard]] Server& serverAt(const std::string& host, std::uint16_t port);
    [[nodiscard]] Server& serverOf(const std::string& key);
    [[nodiscard]] std::vector<std::string> addressesOf(const Server& server) const;
    [[nodiscard]] RedisReply open(Server& server);
    [[nodiscard]] RedisReply introduce(Server& server, Instant until);
    void failed(Server& server, RedisReply error);
    void sendTo(Server& server, Round& round, Part& part);
    void receiveFrom(Server& server, Round& round, const Part& part, Instant until);
    void run(Round& round);
    void follow(Round& round, std::size_t index, RedisReply reply);
    void judge(std::span<const RedisReply> replies);
    [[nodiscard]] static RedisLink::Words wordsOf(const RedisCommand& command, bool whole);

    RedisAddress m_address;
    RedisLimits m_limits;
    std::unique_ptr<net::Names> m_names;
    std::vector<std::unique_ptr<RedisScript>> m_scripts;
    /// The one of the address first; the others are those of a cluster.
    std::vector<std::unique_ptr<Server>> m_servers;
    /// By hash tag.
    std::map<std::string, Server*> m_places;
    Trouble m_last;
    Instant m_failingSince{};
    bool m_failing = false;
    /// Never answered yet: then it is down from the first failure on.
    bool m_answered = false;
};

} // namespace weir::fleet
