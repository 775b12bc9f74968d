// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/decision.h"
#include "common/routing/pool_view.h"

namespace weir::routing {

/// Who is to serve this request, and who next where that fails. Pure: the same input gives the same
/// decision, always and everywhere; integers only, no allocation.
///
/// Eligibility comes before preference. Preference is, in this order: the issuer of a single-shot
/// request's state, the caller's own order, the conversation's pin, exploration's coin, the planned
/// share; behind these the order of scores. Then each route's gate is asked: what is over its rate,
/// broken or on hold goes behind the others but never away, so that the list is empty only where no
/// route is eligible. Batch work alone goes over no rate: as long as one route takes it, those that
/// are over theirs are left out.
///
/// In every mode but `adaptive` preference is the configured order, and the rate moves nothing;
/// breakers and holds act as ever (contract section 2, "Modes"). The same goes where nothing is
/// known of the pool yet, except that exploration goes on, or nothing ever would be.
[[nodiscard]] Decision decide(const PoolView& pool, const DecisionInput& input);

/// Chance that an explorable task tries this route, for one that the summary does not know yet the
/// policy's own share; ppm.
[[nodiscard]] std::int64_t
explorePpm(const PoolView& pool, const DecisionInput& input, std::size_t route);

} // namespace weir::routing
