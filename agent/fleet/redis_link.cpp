// SPDX-License-Identifier: Apache-2.0
#include "agent/fleet/redis_link.h"

#include "agent/net/clock.h"

#include <hiredis/hiredis.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace weir::fleet {
namespace {

std::string systemText(int error)
{
    return std::strerror(error); // NOLINT(concurrency-mt-unsafe): glibc's is, for known errors
}

RedisReply replyFrom(const redisReply& from)
{
    RedisReply reply;
    switch (from.type) {
    case REDIS_REPLY_INTEGER:
        reply.kind = RedisReply::Kind::Number;
        reply.number = from.integer;
        break;
    case REDIS_REPLY_STRING:
    case REDIS_REPLY_STATUS:
        reply.kind = RedisReply::Kind::Text;
        reply.text.assign(from.str, from.len);
        break;
    case REDIS_REPLY_ARRAY:
        reply.kind = RedisReply::Kind::List;
        for (const redisReply* item : std::span(from.element, from.elements))
            reply.items.push_back(replyFrom(*item));
        break;
    case REDIS_REPLY_ERROR:
        reply.kind = RedisReply::Kind::Error;
        reply.text.assign(from.str, from.len);
        reply.fault = faultOf(reply.text);
        break;
    default:
        break;
    }
    return reply;
}

struct FreeReply
{
    void operator()(redisReply* reply) const { freeReplyObject(reply); }
};

} // namespace

RedisLink::~RedisLink()
{
    close();
}

void RedisLink::close()
{
    if (m_context != nullptr) redisFree(m_context);
    m_context = nullptr;
}

RedisReply RedisLink::broken(std::string text)
{
    close();
    return redisError(RedisFault::Unreachable, std::move(text));
}

bool RedisLink::await(Wait what, Instant until) const
{
    pollfd descriptor{
        m_context->fd, static_cast<short>(what == Wait::ToRead ? POLLIN : POLLOUT), 0};
    while (true) {
        const Duration left = until - net::monotonicNow();
        if (left <= Duration::zero()) return false;
        const auto ms = std::chrono::ceil<std::chrono::milliseconds>(left).count();
        const int ready =
            ::poll(&descriptor, 1, static_cast<int>(std::min<std::int64_t>(ms, 60'000)));
        if (ready > 0) return true;
        if (ready < 0 && errno != EINTR) return false;
    }
}

RedisReply RedisLink::connect(const std::string& address, std::uint16_t port, Instant until)
{
    close();
    m_context = redisConnectNonBlock(address.c_str(), port);
    if (m_context == nullptr) return redisError(RedisFault::Unreachable, "out of memory");
    if (m_context->err != 0) return broken(std::string{m_context->errstr});
    if (!await(Wait::ToWrite, until)) return broken("no connection in time");
    int error = 0;
    socklen_t size = sizeof error;
    if (::getsockopt(m_context->fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0) error = errno;
    return error == 0 ? RedisReply{} : broken(systemText(error));
}

RedisReply RedisLink::send(std::span<const Words> commands, Instant until)
{
    std::vector<const char*> texts;
    std::vector<std::size_t> sizes;
    for (const Words& words : commands) {
        texts.clear();
        sizes.clear();
        for (const std::string& word : words) {
            texts.push_back(word.data());
            sizes.push_back(word.size());
        }
        const int count = static_cast<int>(texts.size());
        if (redisAppendCommandArgv(m_context, count, texts.data(), sizes.data()) != REDIS_OK) {
            return broken("a command cannot be written");
        }
    }
    for (int done = 0; done == 0;) {
        if (redisBufferWrite(m_context, &done) != REDIS_OK) {
            return broken(std::string{m_context->errstr});
        }
        if (done == 0 && !await(Wait::ToWrite, until)) return broken("commands not taken in time");
    }
    return {};
}

RedisReply RedisLink::receiveOne(Instant until)
{
    while (m_context != nullptr) {
        void* found = nullptr;
        if (redisGetReplyFromReader(m_context, &found) != REDIS_OK) {
            return broken(std::string{m_context->errstr});
        }
        if (found != nullptr) {
            const std::unique_ptr<redisReply, FreeReply> reply(static_cast<redisReply*>(found));
            return replyFrom(*reply);
        }
        if (!await(Wait::ToRead, until)) return broken("no answer in time");
        if (redisBufferRead(m_context) != REDIS_OK) return broken(std::string{m_context->errstr});
    }
    return redisError(RedisFault::Unreachable, "the connection broke");
}

std::vector<RedisReply> RedisLink::receive(std::size_t count, Instant until)
{
    std::vector<RedisReply> replies;
    replies.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
        replies.push_back(receiveOne(until));
    return replies;
}

} // namespace weir::fleet
