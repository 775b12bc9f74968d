// SPDX-License-Identifier: Apache-2.0
#include "common/routing/slow_start.h"

#include "common/base/fixed_point.h"

#include <algorithm>

namespace weir::routing {
namespace {

constexpr std::int64_t kDoubleMs = 60'000;
constexpr std::int64_t kOkLeast = 20;

bool mayDouble(const GateState& state, std::int64_t atMs)
{
    const std::int64_t from = std::max(state.rate.slowStartFromMs, atMs - kEvidenceMaxMs);
    const std::int64_t elapsed = atMs - from;
    if (elapsed < kDoubleMs) return false;
    const Evidence evidence = sumOf(state.cohorts, from, atMs);
    const Int128 used = static_cast<Int128>(evidence.attempts) * 1'000'000'000;
    const Int128 limit = static_cast<Int128>(state.rate.rateMicro) * elapsed;
    return evidence.ok >= kOkLeast && used * 10 >= limit * 7;
}

} // namespace

void slowStart(
    GateState& state, const GateScene& scene, std::int64_t atMs, std::vector<GateEvent>& events)
{
    RateMemory& memory = state.rate;
    const std::int64_t before = memory.rateMicro;
    if (memory.lastCutMs >= memory.slowStartFromMs) memory.slowStartFromMs = atMs;
    if (mayDouble(state, atMs)) {
        memory.slowStartFromMs = atMs;
        setRate(state, scene, 2 * before);
    }
    std::int64_t share = std::max(scene.sampling, memory.referenceMicro);
    if (scene.quota >= 0) share = std::min(share, scene.quota);
    const bool carried = memory.referenceMicro > 0 && scene.group > 0 && memory.rateMicro >= share;
    if (!carried) return;
    memory.slowStart = false;
    state.everUsed = true;
    events.push_back(
        {.kind = GateEventKind::SlowStartEnded,
         .atMs = atMs,
         .beforeMilliRps = before / kMicroPerMilli,
         .afterMilliRps = memory.rateMicro / kMicroPerMilli});
}

} // namespace weir::routing
