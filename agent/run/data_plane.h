// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/net/listener.h"
#include "agent/net/worker.h"
#include "agent/proxy/service.h"
#include "common/base/result.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace weir::run {

/// The workers: each a thread with its own loop, listener and connections.
class DataPlane final
{
public:
    /// Binds and listens on every worker; nothing is served before `start()`. Error code "listen".
    [[nodiscard]] static Result<std::unique_ptr<DataPlane>>
    open(const AgentConfig& config, proxy::Shared& shared);

    ~DataPlane();
    DataPlane(const DataPlane&) = delete;
    DataPlane& operator=(const DataPlane&) = delete;

    void start();

    /// Stops accepting and lets what is under way finish.
    void drain();

    /// Everything under way ends now.
    void stopAll();

    /// All workers have ended: nothing is under way any more.
    [[nodiscard]] bool finished() const { return m_running.load() == 0; }

    void join();

    [[nodiscard]] std::uint16_t port() const { return m_lanes.front()->listener->port(); }

private:
    struct Lane
    {
        explicit Lane(proxy::Shared& shared)
            : service(worker, shared)
        {
        }

        net::Worker worker;
        proxy::Service service;
        std::unique_ptr<net::Listener> listener;
        std::thread thread;
        bool draining = false;
    };

    DataPlane() = default;
    static void drainLane(Lane& lane);

    std::vector<std::unique_ptr<Lane>> m_lanes;
    std::atomic<int> m_running{0};
};

} // namespace weir::run
