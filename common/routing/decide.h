// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/time.h"
#include "common/model/call_record.h"
#include "common/routing/eligible.h"
#include "common/routing/hold.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weir::routing {

/// One route of the model as the decision sees it.
struct RouteView
{
    /// Its place in the fixed order, from 0; unique in the model.
    std::size_t fixedPosition = 0;
    Exclusion exclusion = Exclusion::None;
    Hold hold;
};

struct Candidate
{
    /// Index into the routes that were handed in.
    std::size_t route = 0;
    Reason reason = Reason::Fixed;
};

/// Who is to be tried, in order, and what that was decided from.
struct Decision
{
    std::vector<Candidate> candidates;
    /// Bit i = route i; routes from the 64th on have none.
    std::uint64_t eligibleMask = 0;
    std::uint64_t heldMask = 0;
};

/// The fixed order (modes `fixed` and `failsafe`, contract section 2): eligible routes as
/// configured, those on hold behind the others, soonest to recover first. The first route of the
/// configured order has reason `fixed`; a held one that has to serve has `last-resort`; all others
/// `failover`. Empty only where no route is eligible. Pure: the same input gives the same decision,
/// always.
[[nodiscard]] Decision decideFixed(std::span<const RouteView> routes, Instant now);

} // namespace weir::routing
