// SPDX-License-Identifier: Apache-2.0
#include "agent/admin/mirror_metrics.h"

#include "agent/admin/metrics_writer.h"

#include <array>

namespace weir::admin {

std::string mirrorMetrics(const std::vector<MirrorTotal>& totals)
{
    if (totals.empty()) return {};
    MetricsWriter out;
    out.family(
        "weir_mirror_total",
        "counter",
        "Requests that were meant for a copy to a candidate, by what became of it.");
    for (const MirrorTotal& total : totals) {
        const std::array<Label, 2> labels{
            {{"task_type", total.taskType}, {"result", toWord(total.result)}}};
        out.sample(labels, total.count);
    }
    return out.take();
}

} // namespace weir::admin
