// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/routing/gate_scene.h"

#include <cstdint>
#include <vector>

namespace weir::routing {

/// At a cut because of 429s: a clean run since the cut before means that the route has an edge, and
/// L becomes 95 % of what it accepted (routing.md section 10). Call before the cut is recorded.
void learnKnee(
    GateState& state, std::int64_t atMs, const Evidence& evidence, std::vector<GateEvent>& events);

/// After a cut: what was clean before does not count for the next one.
void restartCleanRun(GateState& state, std::int64_t atMs);

/// Counts settled cohorts; once a minute learns from latency, probes upwards or forgets.
void advanceCap(
    GateState& state, const GateScene& scene, std::int64_t atMs, std::vector<GateEvent>& events);

/// Sets L; `kneeMicro` is what the route delivered.
void setCap(
    GateState& state,
    std::int64_t capMicro,
    std::int64_t kneeMicro,
    std::int64_t atMs,
    std::vector<GateEvent>& events);

/// Forgets L; `kind` says why.
void forgetCap(
    GateState& state, std::int64_t atMs, GateEventKind kind, std::vector<GateEvent>& events);

} // namespace weir::routing
