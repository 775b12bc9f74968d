// SPDX-License-Identifier: Apache-2.0
#include "agent/admin/quality_status.h"

#include "common/routing/quality_floor.h"

#include <algorithm>

namespace weir::admin {
namespace {

void addAlert(
    std::vector<Alert>& alerts,
    const RouteStatus& route,
    const TaskConfig& task,
    const QualityScore* score,
    const Control& control,
    UtcTime now)
{
    if (score == nullptr) {
        alerts.push_back(
            {"quality_unscored",
             route.route,
             control.appliedAt,
             "task type " + task.name + " has a quality_floor, and this route was never scored " +
                 "for it: weirctl eval run"});
    } else if (routing::isBelowFloor(score, task)) {
        alerts.push_back(
            {"quality_below_floor",
             route.route,
             score->scoredAt,
             "it does not serve task type " + task.name + ": it " +
                 routing::describeBelowFloor(*score, task, epochMs(now))});
    }
}

} // namespace

void addQuality(AgentStatus& status, const Config& config, const Control& control)
{
    if (!control.decisions) return;
    const std::vector<QualityScore>& scores = control.decisions->scores;
    for (ModelStatus& model : status.models) {
        for (RouteStatus& route : model.routes) {
            for (const QualityScore& score : scores) {
                if (score.model == model.name && score.provider == route.provider)
                    route.quality.push_back(score);
            }
        }
    }
    for (const auto& [name, task] : config.tasks) {
        if (task.qualityFloor <= 0) continue;
        for (const ModelStatus& model : status.models) {
            const auto& ladder = task.models;
            if (std::find(ladder.begin(), ladder.end(), model.name) == ladder.end()) continue;
            for (const RouteStatus& route : model.routes) {
                const QualityScore* const score =
                    routing::scoreOf(scores, model.name, route.provider, name);
                if (!route.enabled) continue;
                addAlert(status.alerts, route, task, score, control, status.at);
            }
        }
    }
}

} // namespace weir::admin
