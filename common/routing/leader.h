// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/summary.h"
#include "common/routing/pool_setup.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace weir::routing {

/// The pool's route of this provider.
[[nodiscard]] std::optional<std::size_t>
indexOf(const PoolSummary& pool, std::string_view provider);

/// Who leads, by the scores in `next` (routing.md section 1): the incumbent stays unless it is slow
/// or not trusted, or another trusted route scores more than the margin above it; who lost the lead
/// to a trouble that is over needs no margin to return. Three changes within an hour double the
/// margin for two hours. Where nothing is trusted the incumbent stays, so that a moment without
/// data is no change. Writes the leader, the cause and what is kept for next time.
void chooseLeader(
    const PoolSummary* previous,
    PoolSummary& next,
    const PoolSetup& setup,
    const RoutingPolicy& policy,
    std::int64_t nowMs);

} // namespace weir::routing
