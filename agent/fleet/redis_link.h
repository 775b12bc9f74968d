// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/fleet/redis_reply.h"
#include "common/base/time.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

struct redisContext;

namespace weir::fleet {

/// One connection to one Redis server. Every wait has an end; a connection that broke, or on which
/// an answer did not come in time, is closed and never used again: the answer that came later would
/// be taken for that of another question. One thread.
class RedisLink final
{
public:
    using Words = std::vector<std::string>;

    RedisLink() = default;
    ~RedisLink();
    RedisLink(const RedisLink&) = delete;
    RedisLink& operator=(const RedisLink&) = delete;

    [[nodiscard]] bool isOpen() const { return m_context != nullptr; }

    /// `address` is numeric, so that nothing waits for a name server. An error, or a miss.
    [[nodiscard]] RedisReply connect(const std::string& address, std::uint16_t port, Instant until);

    /// Sends all; an error closes the connection.
    [[nodiscard]] RedisReply send(std::span<const Words> commands, Instant until);

    /// The answers to `count` commands, in their order. Once one did not come, neither do those
    /// behind it.
    [[nodiscard]] std::vector<RedisReply> receive(std::size_t count, Instant until);

    void close();

private:
    enum class Wait : std::uint8_t { ToRead, ToWrite };

    /// False = too late.
    [[nodiscard]] bool await(Wait what, Instant until) const;
    [[nodiscard]] RedisReply receiveOne(Instant until);
    [[nodiscard]] RedisReply broken(std::string text);

    redisContext* m_context = nullptr;
};

} // namespace weir::fleet
