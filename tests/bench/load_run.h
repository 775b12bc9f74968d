// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/http/body.h"
#include "agent/http/head.h"
#include "common/base/histogram.h"
#include "common/base/result.h"
#include "tests/bench/load_options.h"
#include "tests/bench/socket.h"

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace weir::bench {

/// Times in nanoseconds.
struct LoadResult
{
    /// Whole answers in the measured time (closed), or to the requests that were due in it (open).
    std::int64_t completed = 0;
    /// From the first request on, warm-up included.
    std::int64_t completedAll = 0;
    std::int64_t chunksAll = 0;
    /// Anything but a whole answer with status 200.
    std::int64_t errors = 0;
    /// Due but not answered when the time was over; they stand in `latency` with their age.
    std::int64_t unfinished = 0;
    std::int64_t reconnects = 0;
    double seconds = 0.0;
    Histogram latency;
    /// To the first byte of the body.
    Histogram first;
    /// Travel time of each stamped event of a stream.
    Histogram travel;
};

/// Sends the load and measures; one thread, one epoll set.
class LoadRun final
{
public:
    explicit LoadRun(LoadOptions options);
    LoadRun(const LoadRun&) = delete;
    LoadRun& operator=(const LoadRun&) = delete;
    ~LoadRun();

    /// Error code "connect_failed".
    [[nodiscard]] Result<LoadResult> run();

private:
    struct Client
    {
        int socket = -1;
        bool busy = false;
        bool inBody = false;
        bool closeAfter = false;
        bool failed = false;
        std::int64_t dueNs = 0;
        std::int64_t firstNs = 0;
        std::string head;
        http::HeadEnd headEnd;
        http::BodyReader body;
        /// The start of a stamp whose end has not arrived.
        std::string stamp;
    };

    bool connect(Client& client);
    void start(Client& client, std::int64_t dueNs);
    void startDue(std::int64_t nowNs);
    void receive(Client& client);
    void take(Client& client, std::string_view bytes, std::int64_t nowNs);
    bool takeHead(Client& client, std::string_view& bytes);
    void readStamps(Client& client, std::string_view data, std::int64_t nowNs);
    void finish(Client& client, std::int64_t nowNs);
    void abandon(Client& client);
    void next(Client& client, std::int64_t nowNs);
    [[nodiscard]] bool isMeasured(std::int64_t ns) const;
    [[nodiscard]] bool isOver(std::int64_t nowNs) const;
    void countUnfinished(std::int64_t nowNs);

    LoadOptions m_options;
    std::string m_request;
    int m_epoll;
    Timer m_timer;
    std::vector<Client> m_clients;
    std::vector<std::size_t> m_idle;
    /// Times that are over due because every connection is busy.
    std::deque<std::int64_t> m_waiting;
    std::int64_t m_nextDueNs = 0;
    std::int64_t m_measureNs = 0;
    std::int64_t m_endNs = 0;
    int m_holding = 0;
    LoadResult m_result;
    std::array<char, 262144> m_scratch{};
};

} // namespace weir::bench
