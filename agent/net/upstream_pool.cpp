// SPDX-License-Identifier: Apache-2.0
#include "agent/net/upstream_pool.h"

#include <algorithm>

namespace weir::net {

std::unique_ptr<Stream> UpstreamPool::take(const void* remote, Instant now)
{
    const auto found = m_idle.find(remote);
    if (found == m_idle.end()) return nullptr;
    std::vector<Idle>& idle = found->second;
    while (!idle.empty()) {
        Idle warmest = std::move(idle.back());
        idle.pop_back();
        if (now - warmest.since < kIdleMax && warmest.stream->isQuiet()) {
            return std::move(warmest.stream);
        }
    }
    return nullptr;
}

void UpstreamPool::give(const void* remote, std::unique_ptr<Stream> stream, Instant now)
{
    std::vector<Idle>& idle = m_idle[remote];
    if (idle.size() >= kIdlePerRemote) idle.erase(idle.begin());
    idle.push_back({std::move(stream), now});
}

void UpstreamPool::prune(Instant now)
{
    for (auto& [remote, idle] : m_idle) {
        const auto firstYoung = std::find_if(idle.begin(), idle.end(), [now](const Idle& entry) {
            return now - entry.since < kIdleMax;
        });
        idle.erase(idle.begin(), firstYoung);
    }
    std::erase_if(m_idle, [](const auto& entry) { return entry.second.empty(); });
}

} // namespace weir::net
