// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/proxy/route_choice.h"
#include "common/routing/context_fit.h"
#include "common/routing/pool_view.h"

namespace weir::proxy {

/// By route of the model.
using PromptFits = StaticVector<routing::Fit, kRoutesMax>;

/// Whether the request fits into the window of each route that is not excluded yet, by what `pool`
/// has learned of it. Where that leaves it open and a choice remains, the route's own tokenizer is
/// asked, if it has one.
[[nodiscard]] PromptFits
promptFits(const ChoiceContext& context, const routing::PoolView& pool, const DecisionInput& input);

/// Behind all others, the routes that were left out only because the prompt perhaps does not fit:
/// an estimate is no reason to fail where those into which it surely fits have failed. Not those
/// on hold or with an open breaker.
void appendPerhaps(const DecisionInput& input, const PromptFits& fits, Decision& decision);

} // namespace weir::proxy
