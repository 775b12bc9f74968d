// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/fleet/drills.h"
#include "agent/http/head.h"
#include "agent/net/names.h"
#include "agent/net/upstream_pool.h"
#include "agent/net/worker.h"
#include "agent/proxy/conversations.h"
#include "agent/proxy/mirror_board.h"
#include "agent/proxy/pool_views.h"
#include "agent/proxy/request_id.h"
#include "agent/proxy/runtime.h"
#include "agent/store/recorder.h"
#include "common/base/published.h"
#include "common/base/siphash.h"
#include "common/model/control.h"

#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace weir::proxy {

class Mirror;
class Session;

/// What all workers share.
struct Shared
{
    std::string agentId;
    /// Hashes conversation keys, so that no client chooses its own coin.
    HashKey conversationKey;
    const Published<Runtime>& runtime;
    const Published<Control>& control;
    /// Null until there is one.
    const Published<Summary>& summary;
    const Published<fleet::DrillList>& drills;
    const net::Names& names;
    store::Recorder& recorder;
    std::atomic<std::int64_t> clientConnections{0};
    std::atomic<bool> draining{false};
    Conversations conversations{};
    MirrorBoard mirror{};
};

/// The data plane on one worker: its sessions and whatever they use together. Lives on the worker's
/// thread; `accept`, `drain` and `stop` are called there.
class Service final
{
public:
    Service(net::Worker& worker, Shared& shared);
    ~Service();
    Service(const Service&) = delete;
    Service& operator=(const Service&) = delete;

    /// Serves a new connection until it ends, or turns it away where there are too many.
    void accept(std::unique_ptr<net::Stream> client);

    /// Idle connections close now, busy ones after their answer.
    void drain();

    /// Everything ends now; live streams get their protocol's error event.
    void stop();

    [[nodiscard]] const std::shared_ptr<const Runtime>& runtime();

    [[nodiscard]] const std::shared_ptr<const Control>& control() { return m_control.current(); }

    /// The newest; null where there is none.
    [[nodiscard]] const std::shared_ptr<const Summary>& summary() { return m_summary.current(); }

    [[nodiscard]] const fleet::DrillList& drills() { return *m_drills.current(); }

    [[nodiscard]] PoolViews& pools() { return m_pools; }

    [[nodiscard]] std::string newRequestId();

    [[nodiscard]] net::Worker& worker() { return m_worker; }

    [[nodiscard]] Shared& shared() { return m_shared; }

    [[nodiscard]] net::UpstreamPool& pool() { return m_pool; }

    [[nodiscard]] Mirror& mirror() { return *m_mirror; }

    /// Heads are parsed into these and read before the next suspension.
    http::RequestHead requestHead;
    http::ResponseHead responseHead;
    std::vector<std::string_view> pieces;

private:
    friend class Session;

    net::Task<> serve(std::unique_ptr<Session> session);
    net::Task<> turnAway(std::unique_ptr<net::Stream> client);
    net::Task<> prunePool();

    net::Worker& m_worker;
    Shared& m_shared;
    Published<Runtime>::Reader m_runtime;
    Published<Control>::Reader m_control;
    Published<Summary>::Reader m_summary;
    Published<fleet::DrillList>::Reader m_drills;
    PoolViews m_pools;
    /// The runtime whose connections are in the pool.
    std::shared_ptr<const Runtime> m_pooled;
    net::UpstreamPool m_pool;
    RequestIds m_ids;
    std::vector<Session*> m_sessions;
    std::unique_ptr<Mirror> m_mirror;
    net::asio::steady_timer m_pruneTimer;
    bool m_stopping = false;
};

} // namespace weir::proxy
