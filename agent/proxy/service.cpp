// SPDX-License-Identifier: Apache-2.0
#include "agent/proxy/service.h"

#include "agent/net/clock.h"
#include "agent/proxy/mirror.h"
#include "agent/proxy/session.h"

#include <algorithm>
#include <random>

namespace weir::proxy {
namespace {

constexpr std::chrono::seconds kPruneEvery{5};

std::array<std::uint64_t, 2> randomSeed()
{
    std::random_device device;
    const auto word = [&device] {
        return std::uint64_t{device()} << 32U | std::uint64_t{device()};
    };
    return {word(), word() | 1U};
}

} // namespace

Service::Service(net::Worker& worker, Shared& shared)
    : m_worker(worker)
    , m_shared(shared)
    , m_runtime(shared.runtime)
    , m_control(shared.control)
    , m_summary(shared.summary)
    , m_drills(shared.drills)
    , m_ids(randomSeed())
    , m_mirror(std::make_unique<Mirror>(*this))
    , m_pruneTimer(worker.io())
{
    m_worker.tasks().spawn(prunePool());
}

Service::~Service() = default;

const std::shared_ptr<const Runtime>& Service::runtime()
{
    const std::shared_ptr<const Runtime>& current = m_runtime.current();
    if (current != m_pooled) {
        m_pool.clear();
        m_pooled = current;
    }
    return current;
}

std::string Service::newRequestId()
{
    return m_ids.next(net::utcNow());
}

void Service::accept(std::unique_ptr<net::Stream> client)
{
    const int limit = runtime()->config->limits.clientConnections;
    if (m_shared.clientConnections.load(std::memory_order_relaxed) >= limit) {
        m_worker.tasks().spawn(turnAway(std::move(client)));
        return;
    }
    m_worker.tasks().spawn(serve(std::make_unique<Session>(*this, std::move(client))));
}

net::Task<> Service::serve(std::unique_ptr<Session> session)
{
    m_shared.clientConnections.fetch_add(1, std::memory_order_relaxed);
    m_sessions.push_back(session.get());
    co_await session->run();
    std::erase(m_sessions, session.get());
    m_shared.clientConnections.fetch_sub(1, std::memory_order_relaxed);
}

net::Task<> Service::turnAway(std::unique_ptr<net::Stream> client)
{
    constexpr std::array<std::string_view, 1> kAnswer = {
        "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 1\r\n"
        "Connection: close\r\nContent-Length: 109\r\n\r\n"
        R"({"error":{"message":"too many connections to this agent","type":"overloaded_error","param":null,"code":null}})"};
    static_cast<void>(
        client->tryWrite(kAnswer)); // Whoever does not take it is closed all the same.
    co_return;
}

net::Task<> Service::prunePool()
{
    while (!m_stopping) {
        m_pruneTimer.expires_after(kPruneEvery);
        co_await m_pruneTimer.async_wait(net::kAwait);
        m_pool.prune(net::monotonicNow());
    }
}

void Service::drain()
{
    for (Session* session : m_sessions)
        session->drain();
    m_mirror->stop();
    m_stopping = true;
    m_pruneTimer.cancel();
}

void Service::stop()
{
    m_stopping = true;
    m_mirror->stop();
    m_pruneTimer.cancel();
    for (Session* session : m_sessions)
        session->stop();
    m_pool.clear();
}

} // namespace weir::proxy
