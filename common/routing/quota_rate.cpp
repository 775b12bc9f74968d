// SPDX-License-Identifier: Apache-2.0
#include "common/routing/quota_rate.h"

#include "common/base/fixed_point.h"

#include <algorithm>

namespace weir::routing {
namespace {

constexpr std::int64_t kPpmAll = 1'000'000;
/// Keeps sums in range whatever an agent says: 10^12 tokens and calls.
constexpr std::int64_t kMost = 1'000'000'000'000'000;
constexpr std::int64_t kFadeBy = 32;
constexpr std::int64_t kFadeEpochsMax = 2000;

std::int64_t added(std::int64_t sum, std::int64_t count)
{
    constexpr std::int64_t kCountMax = 1'000'000'000'000;
    return std::clamp(sum + std::clamp(count, -kCountMax, kCountMax) * 1000, -kMost, kMost);
}

std::int64_t rateOf(std::int64_t milliRps)
{
    return std::min(milliRps, kMicroMax / kMicroPerMilli) * kMicroPerMilli;
}

} // namespace

void note(QuotaMemory& memory, const GateReport& report)
{
    memory.calls = added(memory.calls, std::max<std::int64_t>(report.sent, 0));
    memory.tokens = added(memory.tokens, report.tokens);
}

void fade(QuotaMemory& memory, std::int64_t epochs)
{
    for (std::int64_t left = std::min(epochs, kFadeEpochsMax); left > 0; --left) {
        memory.calls -= memory.calls / kFadeBy;
        memory.tokens -= memory.tokens / kFadeBy;
    }
}

std::int64_t quotaMicro(const Quota& quota, const QuotaMemory& memory)
{
    std::int64_t limit = quota.milliRps > 0 ? rateOf(quota.milliRps) : -1;
    if (quota.tokensPerMinute <= 0 || memory.calls <= 0 || memory.tokens <= 0) return limit;
    const std::int64_t perS = mulDiv(quota.tokensPerMinute, 1'000'000, 60);
    const std::int64_t calls = std::min(mulDiv(perS, memory.calls, memory.tokens), kMicroMax);
    return limit < 0 ? calls : std::min(limit, calls);
}

std::int64_t partPpm(const GateScene& scene, std::int64_t wholeMicro, std::int64_t wantMicro)
{
    const std::int64_t agents = std::max(scene.agents, 1);
    if (wholeMicro <= 0) return kPpmAll / agents;
    const std::int64_t spare = std::max<std::int64_t>(wholeMicro - scene.demand, 0) / agents;
    const std::int64_t all = std::max(wholeMicro, scene.demand);
    return std::min(mulDiv(wantMicro + spare, kPpmAll, all), kPpmAll);
}

Quota partOf(const Quota& quota, std::int64_t ppm)
{
    const auto part = [ppm](std::int64_t whole) {
        return whole <= 0 ? 0 : std::max<std::int64_t>(mulDiv(whole, ppm, kPpmAll), 1);
    };
    return {part(quota.milliRps), part(quota.tokensPerMinute)};
}

} // namespace weir::routing
