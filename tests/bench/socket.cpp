// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/socket.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>

namespace weir::bench {
namespace {

constexpr std::int64_t kNsPerSecond = 1'000'000'000;

std::int64_t readClock(clockid_t clock)
{
    timespec time{};
    ::clock_gettime(clock, &time);
    return time.tv_sec * kNsPerSecond + time.tv_nsec;
}

sockaddr_in loopback(std::uint16_t port)
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

} // namespace

std::int64_t monotonicNs()
{
    return readClock(CLOCK_MONOTONIC);
}

std::int64_t cpuNs()
{
    return readClock(CLOCK_PROCESS_CPUTIME_ID);
}

int listenOnLoopback(std::uint16_t port)
{
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    const int yes = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    const sockaddr_in address = loopback(port);
    const auto* generic = reinterpret_cast<const sockaddr*>(&address);
    if (::bind(socket, generic, sizeof address) != 0 || ::listen(socket, SOMAXCONN) != 0) {
        ::close(socket);
        return -1;
    }
    return socket;
}

std::uint16_t portOf(int socket)
{
    sockaddr_in address{};
    socklen_t size = sizeof address;
    ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
    return ntohs(address.sin_port);
}

int connectToLoopback(std::uint16_t port)
{
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_in address = loopback(port);
    const auto* generic = reinterpret_cast<const sockaddr*>(&address);
    if (::connect(socket, generic, sizeof address) != 0) {
        ::close(socket);
        return -1;
    }
    setNoDelay(socket);
    ::fcntl(socket, F_SETFL, O_NONBLOCK);
    return socket;
}

void setNoDelay(int socket)
{
    const int yes = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

Timer::Timer()
    : m_descriptor(::timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC))
{
}

Timer::~Timer()
{
    ::close(m_descriptor);
}

void Timer::arm(std::int64_t atNs)
{
    // A time of zero would disarm it.
    const std::int64_t at = std::max<std::int64_t>(atNs, 1);
    itimerspec when{};
    when.it_value.tv_sec = at / kNsPerSecond;
    when.it_value.tv_nsec = at % kNsPerSecond;
    ::timerfd_settime(m_descriptor, TFD_TIMER_ABSTIME, &when, nullptr);
}

void Timer::consume()
{
    std::uint64_t count = 0;
    [[maybe_unused]] const ssize_t size = ::read(m_descriptor, &count, sizeof count);
}

} // namespace weir::bench
