// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/rules.h"
#include "common/model/summary.h"
#include "common/routing/learner.h"
#include "common/routing/pool_setup.h"

#include <cstdint>
#include <span>

namespace weir::routing {

/// The whole summary job as a function: the same rows, previous summary, setups and time give the
/// same bytes, on every machine. `pools[i]` is pool i of the learner, and its routes in the order
/// of their indices. `previous` carries what must outlast a restart (windows, hit rates, leader,
/// ramps): pools and routes are found in it by name, and a default one means a first start.
/// Advances the learner to `nowMs`. `rules` for study only.
[[nodiscard]] Summary summarise(
    const Summary& previous,
    Learner& learner,
    std::span<const PoolSetup> pools,
    const RoutingPolicy& policy,
    std::int64_t nowMs,
    const GuardingRules& rules = {});

} // namespace weir::routing
