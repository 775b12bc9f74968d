// SPDX-License-Identifier: Apache-2.0
#include "agent/proxy/floor_check.h"

#include "common/routing/quality_floor.h"

namespace weir::proxy {
namespace {

const QualityScore* scoreOf(const ChoiceContext& context, const RouteRuntime& route)
{
    if (!context.control.decisions) return nullptr;
    return routing::scoreOf(
        context.control.decisions->scores,
        context.model.name,
        route.config.provider,
        context.task.name);
}

} // namespace

bool isBelowFloor(const ChoiceContext& context, const RouteRuntime& route)
{
    if (context.task.qualityFloor <= 0 || context.identity.eval) return false;
    return routing::isBelowFloor(scoreOf(context, route), context.task);
}

std::string whyBelowFloor(const ChoiceContext& context, const RouteRuntime& route)
{
    const QualityScore* const score = scoreOf(context, route);
    if (score == nullptr) return {};
    std::string why{" ("};
    why += routing::describeBelowFloor(*score, context.task, epochMs(context.utc));
    return why + ')';
}

} // namespace weir::proxy
