// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/load_run.h"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>

namespace weir::bench {
namespace {

constexpr double kNsPerSecond = 1e9;
/// How long the answers to requests that were due in the measured time are waited for.
constexpr std::int64_t kPatienceNs = 5'000'000'000;
constexpr std::size_t kStampDigits = 16;

std::int64_t ns(double seconds)
{
    return static_cast<std::int64_t>(seconds * kNsPerSecond);
}

} // namespace

LoadRun::LoadRun(LoadOptions options)
    : m_options(std::move(options))
    , m_request(m_options.request())
    , m_epoll(::epoll_create1(EPOLL_CLOEXEC))
    , m_clients(static_cast<std::size_t>(m_options.connections))
{
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = m_clients.size();
    ::epoll_ctl(m_epoll, EPOLL_CTL_ADD, m_timer.descriptor(), &event);
}

LoadRun::~LoadRun()
{
    for (const Client& client : m_clients) {
        if (client.socket >= 0) ::close(client.socket);
    }
    ::close(m_epoll);
}

bool LoadRun::connect(Client& client)
{
    client.socket = connectToLoopback(m_options.port);
    if (client.socket < 0) return false;
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = static_cast<std::uint64_t>(&client - m_clients.data());
    return ::epoll_ctl(m_epoll, EPOLL_CTL_ADD, client.socket, &event) == 0;
}

Result<LoadResult> LoadRun::run()
{
    for (Client& client : m_clients) {
        if (!connect(client)) {
            return fail("connect_failed", "127.0.0.1", "cannot connect to the port");
        }
    }
    const std::int64_t startNs = monotonicNs();
    m_measureNs = startNs + ns(m_options.warmUpSeconds);
    m_endNs = m_measureNs + ns(m_options.seconds);
    if (m_options.mode == LoadMode::Open) {
        m_nextDueNs = startNs;
        for (std::size_t i = 0; i < m_clients.size(); ++i)
            m_idle.push_back(i);
        m_timer.arm(startNs);
    } else {
        for (Client& client : m_clients)
            start(client, startNs);
        m_timer.arm(m_endNs);
    }
    std::array<epoll_event, 256> events{};
    while (!isOver(monotonicNs())) {
        const int count = ::epoll_wait(m_epoll, events.data(), events.size(), 100);
        for (int i = 0; i < count; ++i) {
            const std::uint64_t index = events[static_cast<std::size_t>(i)].data.u64;
            if (index < m_clients.size()) {
                receive(m_clients[index]);
                continue;
            }
            m_timer.consume();
            if (m_options.mode == LoadMode::Open) startDue(monotonicNs());
        }
    }
    countUnfinished(monotonicNs());
    m_result.seconds = m_options.seconds;
    return m_result;
}

bool LoadRun::isOver(std::int64_t nowNs) const
{
    if (nowNs < m_endNs) return false;
    if (m_options.mode != LoadMode::Open) return true;
    const bool answered = m_waiting.empty() && m_idle.size() == m_clients.size();
    return answered || nowNs >= m_endNs + kPatienceNs;
}

bool LoadRun::isMeasured(std::int64_t ns) const
{
    return ns >= m_measureNs && ns < m_endNs;
}

void LoadRun::startDue(std::int64_t nowNs)
{
    const auto step = static_cast<std::int64_t>(kNsPerSecond / m_options.ratePerS);
    for (; m_nextDueNs <= nowNs && m_nextDueNs < m_endNs; m_nextDueNs += step) {
        if (m_idle.empty()) {
            m_waiting.push_back(m_nextDueNs);
            continue;
        }
        Client& client = m_clients[m_idle.back()];
        m_idle.pop_back();
        start(client, m_nextDueNs);
    }
    m_timer.arm(std::min(m_nextDueNs, m_endNs));
}

void LoadRun::start(Client& client, std::int64_t dueNs)
{
    client.busy = true;
    client.inBody = false;
    client.failed = false;
    client.dueNs = dueNs;
    client.firstNs = 0;
    client.head.clear();
    client.headEnd.reset();
    client.stamp.clear();
    if (client.socket < 0 && !connect(client)) return abandon(client);
    // A request is far smaller than the socket's buffer, which is empty now.
    const ssize_t count = ::send(client.socket, m_request.data(), m_request.size(), MSG_NOSIGNAL);
    if (count != static_cast<ssize_t>(m_request.size())) abandon(client);
}

void LoadRun::receive(Client& client)
{
    if (client.socket < 0) return;
    const ssize_t count = ::recv(client.socket, m_scratch.data(), m_scratch.size(), 0);
    if (count < 0 && errno == EAGAIN) return;
    if (count > 0) {
        const std::string_view bytes(m_scratch.data(), static_cast<std::size_t>(count));
        return take(client, bytes, monotonicNs());
    }
    ::close(client.socket);
    client.socket = -1;
    ++m_result.reconnects;
    if (client.busy) abandon(client);
}

void LoadRun::take(Client& client, std::string_view bytes, std::int64_t nowNs)
{
    if (!client.busy) return abandon(client);
    if (!client.inBody && !takeHead(client, bytes)) return;
    while (true) {
        const http::BodyReader::Step step = client.body.next(bytes);
        if (step.error) return abandon(client);
        bytes.remove_prefix(step.consumed);
        if (!step.data.empty()) {
            if (client.firstNs == 0) {
                client.firstNs = nowNs;
                if (m_options.mode == LoadMode::Hold) ++m_holding;
                if (m_holding == m_options.connections) {
                    std::printf("holding %d\n", std::exchange(m_holding, 0));
                    std::fflush(stdout);
                }
            }
            if (m_options.stream) readStamps(client, step.data, nowNs);
        }
        if (client.body.finished()) return finish(client, nowNs);
        if (step.consumed == 0) return;
    }
}

bool LoadRun::takeHead(Client& client, std::string_view& bytes)
{
    const std::size_t before = client.head.size();
    client.head.append(bytes);
    const auto size = client.headEnd.find(client.head);
    if (!size) return false;
    http::ResponseHead head;
    const std::string_view text = std::string_view(client.head).substr(0, *size);
    if (http::parseResponseHead(text, http::HeadLimits{}, head)) {
        abandon(client);
        return false;
    }
    client.failed = head.status != 200;
    client.closeAfter = !head.keepAlive;
    client.body = http::BodyReader(head.framing, head.contentLength);
    client.inBody = true;
    bytes.remove_prefix(*size - before);
    return true;
}

void LoadRun::readStamps(Client& client, std::string_view data, std::int64_t nowNs)
{
    // "@" and sixteen digits and "@", possibly cut anywhere.
    while (!data.empty()) {
        if (client.stamp.empty()) {
            const std::size_t at = data.find('@');
            if (at == std::string_view::npos) return;
            data.remove_prefix(at);
        }
        const std::size_t missing = kStampDigits + 2 - client.stamp.size();
        client.stamp.append(data.substr(0, missing));
        data.remove_prefix(std::min(missing, data.size()));
        if (client.stamp.size() < kStampDigits + 2) return;
        std::int64_t sentNs = 0;
        std::from_chars(client.stamp.data() + 1, client.stamp.data() + 1 + kStampDigits, sentNs);
        client.stamp.clear();
        ++m_result.chunksAll;
        if (isMeasured(sentNs)) m_result.travel.add(nowNs - sentNs);
    }
}

void LoadRun::finish(Client& client, std::int64_t nowNs)
{
    client.busy = false;
    ++m_result.completedAll;
    if (client.failed) ++m_result.errors;
    const bool closed = m_options.mode == LoadMode::Closed;
    if (!client.failed && isMeasured(closed ? nowNs : client.dueNs)) {
        ++m_result.completed;
        m_result.latency.add(nowNs - client.dueNs);
        m_result.first.add(client.firstNs - client.dueNs);
    }
    if (client.closeAfter) {
        ::close(client.socket);
        client.socket = -1;
        ++m_result.reconnects;
    }
    next(client, nowNs);
}

void LoadRun::abandon(Client& client)
{
    ++m_result.errors;
    client.busy = false;
    if (client.socket >= 0) ::close(client.socket);
    client.socket = -1;
    // A server that refuses everything must not make this a busy loop that never ends.
    if (m_options.mode == LoadMode::Open) next(client, monotonicNs());
}

void LoadRun::next(Client& client, std::int64_t nowNs)
{
    if (m_options.mode == LoadMode::Closed && nowNs < m_endNs) return start(client, nowNs);
    if (m_options.mode != LoadMode::Open) return;
    if (m_waiting.empty()) {
        m_idle.push_back(static_cast<std::size_t>(&client - m_clients.data()));
        return;
    }
    const std::int64_t dueNs = m_waiting.front();
    m_waiting.pop_front();
    start(client, dueNs);
}

void LoadRun::countUnfinished(std::int64_t nowNs)
{
    if (m_options.mode != LoadMode::Open) return;
    const auto count = [this, nowNs](std::int64_t dueNs) {
        if (!isMeasured(dueNs)) return;
        ++m_result.unfinished;
        m_result.latency.add(nowNs - dueNs);
    };
    for (const Client& client : m_clients) {
        if (client.busy) count(client.dueNs);
    }
    for (const std::int64_t dueNs : m_waiting)
        count(dueNs);
}

} // namespace weir::bench
