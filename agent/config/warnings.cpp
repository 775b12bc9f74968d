// SPDX-License-Identifier: Apache-2.0
#include "agent/config/warnings.h"

#include <algorithm>

namespace weir::config {
namespace {

bool isLast(const TaskConfig& task, const std::string& model)
{
    return !task.models.empty() && task.models.back() == model && task.answerModel.empty();
}

bool names(const TaskConfig& task, const std::string& model)
{
    return std::find(task.models.begin(), task.models.end(), model) != task.models.end();
}

/// Where a request of the model has nowhere else to go; empty = it always has.
std::string bareLadders(const Config& config, const std::string& model)
{
    std::string bare;
    bool isNamed = false;
    for (const auto& [name, task] : config.tasks) {
        isNamed = isNamed || names(task, model);
        if (isLast(task, model)) bare += (bare.empty() ? "task." : ", task.") + name;
    }
    return isNamed ? bare : std::string{"requests that name it"};
}

} // namespace

std::vector<std::string> warningsOf(const Config& config)
{
    std::vector<std::string> warnings;
    for (const auto& [name, model] : config.models) {
        if (model.routes.size() != 1 || model.routes.front().capacity.inFlightMax == 0) continue;
        const std::string bare = bareLadders(config, name);
        if (bare.empty()) continue;
        warnings.push_back(
            "model." + name + ".route[1].max_in_flight: provider \"" +
            model.routes.front().provider +
            "\" is all there is, so requests fail while it is full, slow or down (" + bare +
            "): give the model a second route, or the task a smaller model or an answer_model");
    }
    return warnings;
}

} // namespace weir::config
