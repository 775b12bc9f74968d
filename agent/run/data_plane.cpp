// SPDX-License-Identifier: Apache-2.0
#include "agent/run/data_plane.h"

namespace weir::run {

Result<std::unique_ptr<DataPlane>> DataPlane::open(const AgentConfig& config, proxy::Shared& shared)
{
    std::unique_ptr<DataPlane> plane(new DataPlane);
    std::uint16_t port = config.listen.port;
    for (int i = 0; i < config.threads; ++i) {
        auto lane = std::make_unique<Lane>(shared);
        auto listener =
            net::Listener::open(lane->worker, config.listen.host, port, config.threads > 1);
        if (!listener) return tl::unexpected(listener.error());
        lane->listener = std::move(*listener);
        port = lane->listener->port();
        lane->worker.tasks().spawn(
            lane->listener->run([target = lane.get()](std::unique_ptr<net::Stream> client) {
                target->service.accept(std::move(client));
            }));
        plane->m_lanes.push_back(std::move(lane));
    }
    return plane;
}

DataPlane::~DataPlane()
{
    stopAll();
    join();
}

void DataPlane::start()
{
    m_running = static_cast<int>(m_lanes.size());
    for (const auto& lane : m_lanes) {
        lane->thread = std::thread([this, target = lane.get()] {
            target->worker.io().run();
            --m_running;
        });
    }
}

void DataPlane::drainLane(Lane& lane)
{
    if (lane.draining) return;
    lane.draining = true;
    lane.listener->stop();
    lane.service.drain();
    lane.worker.tasks().whenEmpty([&lane] { lane.worker.sweep().stop(); });
}

void DataPlane::drain()
{
    for (const auto& lane : m_lanes) {
        net::asio::post(lane->worker.io(), [target = lane.get()] { drainLane(*target); });
    }
}

void DataPlane::stopAll()
{
    for (const auto& lane : m_lanes) {
        net::asio::post(lane->worker.io(), [target = lane.get()] {
            drainLane(*target);
            target->service.stop();
        });
    }
}

void DataPlane::join()
{
    for (const auto& lane : m_lanes) {
        if (lane->thread.joinable()) lane->thread.join();
    }
}

} // namespace weir::run
