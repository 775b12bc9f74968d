// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace weir::bench {

/// Nanoseconds of CLOCK_MONOTONIC, the same in every process of this machine.
[[nodiscard]] std::int64_t monotonicNs();

/// CPU time of this process, user and system.
[[nodiscard]] std::int64_t cpuNs();

/// A listening, non-blocking socket on 127.0.0.1; port 0 takes a free one. -1 on failure.
[[nodiscard]] int listenOnLoopback(std::uint16_t port);
[[nodiscard]] std::uint16_t portOf(int socket);

/// A connected, non-blocking socket with TCP_NODELAY, or -1.
[[nodiscard]] int connectToLoopback(std::uint16_t port);

void setNoDelay(int socket);

/// One timer of the kernel in an epoll set, for waits finer than a millisecond.
class Timer final
{
public:
    Timer();
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;
    ~Timer();

    /// Makes `descriptor()` readable at that time of `monotonicNs`; in the past: at once.
    void arm(std::int64_t atNs);
    /// Makes it unreadable again.
    void consume();

    [[nodiscard]] int descriptor() const { return m_descriptor; }

private:
    int m_descriptor;
};

} // namespace weir::bench
