// SPDX-License-Identifier: Apache-2.0

// weir-bench-upstream: what every arm of the benchmark talks to in the end. A provider that costs
// next to nothing, so that the machine's time goes to what is measured: one thread, one epoll set,
// fixed answers. It speaks on 127.0.0.1 alone and ends by itself after half an hour.

#include "tests/bench/socket.h"
#include "tests/bench/upstream_answer.h"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <queue>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <unordered_map>
#include <vector>

namespace weir::bench {
namespace {

constexpr unsigned kLifetimeSeconds = 1800;
constexpr std::size_t kRequestBytesMax = 1 << 20;

struct Peer
{
    int socket = -1;
    std::uint64_t serial = 0;
    std::string in;
    std::string out;
    std::size_t sent = 0;
    Wish wish;
    /// The next event of the running stream; 0 = none runs.
    std::int64_t event = 0;
};

/// When which peer's next event is due. The serial tells a closed peer from its successor.
struct Due
{
    std::int64_t atNs;
    int socket;
    std::uint64_t serial;

    bool operator>(const Due& other) const { return atNs > other.atNs; }
};

class Upstream final
{
public:
    explicit Upstream(int listener)
        : m_listener(listener)
        , m_epoll(::epoll_create1(EPOLL_CLOEXEC))
    {
        watch(m_listener, EPOLLIN);
        watch(m_timer.descriptor(), EPOLLIN);
    }

    void run()
    {
        std::array<epoll_event, 256> events{};
        while (true) {
            const int count = ::epoll_wait(m_epoll, events.data(), events.size(), -1);
            for (int i = 0; i < count; ++i)
                handle(events[static_cast<std::size_t>(i)]);
        }
    }

private:
    void watch(int descriptor, std::uint32_t what)
    {
        epoll_event event{};
        event.events = what;
        event.data.fd = descriptor;
        ::epoll_ctl(m_epoll, EPOLL_CTL_ADD, descriptor, &event);
    }

    void handle(const epoll_event& event)
    {
        const int descriptor = event.data.fd;
        if (descriptor == m_listener) return accept();
        if (descriptor == m_timer.descriptor()) return sendDue();
        const auto found = m_peers.find(descriptor);
        if (found == m_peers.end()) return;
        Peer& peer = found->second;
        const bool gone = (event.events & (EPOLLERR | EPOLLHUP)) != 0;
        if (gone || ((event.events & EPOLLIN) != 0 && !read(peer)) || !flush(peer)) close(peer);
    }

    void accept()
    {
        while (true) {
            const int socket =
                ::accept4(m_listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
            if (socket < 0) return;
            setNoDelay(socket);
            Peer& peer = m_peers[socket];
            peer = {};
            peer.socket = socket;
            peer.serial = ++m_serial;
            // Edge-triggered, so that a full socket needs no change of the set.
            watch(socket, EPOLLIN | EPOLLOUT | EPOLLET);
        }
    }

    bool read(Peer& peer)
    {
        while (true) {
            const ssize_t count = ::recv(peer.socket, m_scratch.data(), m_scratch.size(), 0);
            if (count == 0) return false;
            if (count < 0) return errno == EAGAIN;
            peer.in.append(m_scratch.data(), static_cast<std::size_t>(count));
            if (peer.in.size() > kRequestBytesMax) return false;
            takeRequests(peer);
            if (static_cast<std::size_t>(count) < m_scratch.size()) return true;
        }
    }

    void takeRequests(Peer& peer)
    {
        while (peer.event == 0) {
            const std::size_t headEnd = peer.in.find("\r\n\r\n");
            if (headEnd == std::string::npos) return;
            const std::size_t size =
                headEnd + 4 + bodySize(std::string_view(peer.in).substr(0, headEnd));
            if (peer.in.size() < size) return;
            peer.wish =
                Wish::read(std::string_view(peer.in).substr(headEnd + 4, size - headEnd - 4));
            peer.in.erase(0, size);
            if (!peer.wish.stream) {
                peer.out += jsonAnswer();
                continue;
            }
            peer.out += streamHead();
            peer.event = 1;
            sendEvents(peer);
        }
    }

    static std::size_t bodySize(std::string_view head)
    {
        // Each proxy here writes it in one of these two ways.
        std::size_t at = head.find("Content-Length: ");
        if (at == std::string_view::npos) at = head.find("content-length: ");
        if (at == std::string_view::npos) return 0;
        std::size_t size = 0;
        std::from_chars(head.data() + at + 16, head.data() + head.size(), size);
        return size;
    }

    /// All events that are due; each is a packet of its own, as a provider's are.
    void sendEvents(Peer& peer)
    {
        do {
            if (peer.event > peer.wish.chunks) {
                appendEnd(peer.out, peer.wish);
                peer.event = 0;
                flush(peer);
                return;
            }
            const std::int64_t now = monotonicNs();
            appendEvent(peer.out, peer.event++, now);
            flush(peer);
            if (peer.wish.intervalUs > 0) {
                m_due.push({now + peer.wish.intervalUs * 1000, peer.socket, peer.serial});
                m_timer.arm(m_due.top().atNs);
            }
        } while (peer.wish.intervalUs == 0);
    }

    void sendDue()
    {
        m_timer.consume();
        while (!m_due.empty() && m_due.top().atNs <= monotonicNs()) {
            const Due due = m_due.top();
            m_due.pop();
            const auto found = m_peers.find(due.socket);
            if (found == m_peers.end() || found->second.serial != due.serial) continue;
            sendEvents(found->second);
            if (found->second.event == 0) takeRequests(found->second);
        }
        if (!m_due.empty()) m_timer.arm(m_due.top().atNs);
    }

    /// False where the peer is gone.
    static bool flush(Peer& peer)
    {
        while (peer.sent < peer.out.size()) {
            const ssize_t count = ::send(
                peer.socket,
                peer.out.data() + peer.sent,
                peer.out.size() - peer.sent,
                MSG_NOSIGNAL);
            if (count < 0) return errno == EAGAIN;
            peer.sent += static_cast<std::size_t>(count);
        }
        peer.out.clear();
        peer.sent = 0;
        return true;
    }

    void close(const Peer& peer)
    {
        const int socket = peer.socket;
        ::close(socket);
        m_peers.erase(socket);
    }

    int m_listener;
    int m_epoll;
    Timer m_timer;
    std::uint64_t m_serial = 0;
    std::unordered_map<int, Peer> m_peers;
    std::priority_queue<Due, std::vector<Due>, std::greater<>> m_due;
    std::array<char, 65536> m_scratch{};
};

} // namespace
} // namespace weir::bench

int main()
{
    ::alarm(weir::bench::kLifetimeSeconds);
    const int listener = weir::bench::listenOnLoopback(0);
    if (listener < 0) {
        std::perror("weir-bench-upstream: listen");
        return 1;
    }
    std::printf("port %u\n", static_cast<unsigned>(weir::bench::portOf(listener)));
    std::fflush(stdout);
    const auto upstream = std::make_unique<weir::bench::Upstream>(listener);
    upstream->run();
}
