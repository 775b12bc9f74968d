// SPDX-License-Identifier: Apache-2.0
#include "common/routing/admission.h"

#include "common/base/fixed_point.h"

#include <algorithm>

namespace weir::routing {
namespace {

constexpr std::int64_t kNanoPerMicro = 1000;
constexpr std::int64_t kOneMicro = 1'000'000;
constexpr std::int64_t kPpmAll = 1'000'000;
constexpr std::int64_t kElapsedMaxMs = 60'000;

constexpr auto kExplore = static_cast<std::size_t>(GateClass::Explore);

} // namespace

std::int64_t debtAfter(std::int64_t debtNano, std::int64_t limitMicro, std::int64_t elapsedMs)
{
    const std::int64_t elapsed = std::clamp<std::int64_t>(elapsedMs, 0, kElapsedMaxMs);
    const std::int64_t least = -2 * std::max(kOneMicro, limitMicro) * kNanoPerMicro;
    const std::int64_t most = std::max(kOneMicro, 5 * limitMicro) * kNanoPerMicro;
    return std::clamp(debtNano - limitMicro * elapsed, least, most);
}

std::array<std::int32_t, kGateClasses>
admission(const GateScene& scene, std::int64_t limitMicro, std::int64_t debtNano)
{
    std::array<std::int32_t, kGateClasses> ppm{};
    const std::int64_t room =
        std::clamp<std::int64_t>(limitMicro - debtNano / (10 * kNanoPerMicro), 0, kMicroMax);
    if (scene.demand <= room && room > 0) {
        ppm.fill(kPpmAll);
        return ppm;
    }
    // A quota is known already: exploring gives way there as everything else does.
    const bool byQuota = scene.quota >= 0 && limitMicro >= scene.quota;
    const std::int64_t kept =
        byQuota ? 0 : std::min({scene.wants[kExplore], scene.sampling / 2, room / 2});
    std::int64_t left = room - kept;
    for (std::size_t i = 0; i < kGateClasses; ++i) {
        const std::int64_t mine = left + (i == kExplore ? kept : 0);
        const std::int64_t want = scene.wants[i];
        if (want > 0) {
            ppm[i] = static_cast<std::int32_t>(std::min(want, mine) * kPpmAll / want);
        } else {
            ppm[i] = mine > 0 ? static_cast<std::int32_t>(kPpmAll) : 0;
        }
        left = std::max<std::int64_t>(std::min(left, mine - std::min(want, mine)), 0);
    }
    return ppm;
}

std::int64_t guardMicro(const GateScene& scene, std::int64_t limitMicro, std::int64_t wantMicro)
{
    const std::int64_t most = limitMicro + limitMicro / 2;
    if (scene.demand <= 0) return most;
    const auto share =
        static_cast<std::int64_t>(static_cast<Int128>(most) * wantMicro / scene.demand);
    const std::int64_t spare = std::max<std::int64_t>(limitMicro - scene.demand, 0);
    return share + spare / std::max(scene.agents, 1);
}

} // namespace weir::routing
