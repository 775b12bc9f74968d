// SPDX-License-Identifier: Apache-2.0
#include "agent/admin/task_metrics.h"

#include "agent/admin/metrics_writer.h"

#include <array>

namespace weir::admin {
namespace {

constexpr std::array<std::string_view, kLevelCount> kLevels{"L0", "L1", "L2", "L3", "L4"};
constexpr std::array<std::string_view, routing::kBurnWindows.size()> kWindows{
    "5m", "30m", "1h", "6h", "3d"};

void writeLevels(MetricsWriter& out, const RequestTotals& totals)
{
    out.family(
        "weir_level_requests_total",
        "counter",
        "Client requests by the level that served them; L4 are those that failed.");
    for (const auto& [type, task] : totals.tasks) {
        for (std::size_t level = 0; level < kLevelCount; ++level) {
            if (task.levels[level] == 0) continue;
            const std::array<Label, 2> labels{{{"task_type", type}, {"level", kLevels[level]}}};
            out.sample(labels, static_cast<std::int64_t>(task.levels[level]));
        }
    }
    out.family(
        "weir_level_seconds_total",
        "counter",
        "Time in each mode: whole minutes by the worst level of one in a hundred interactive "
        "requests.");
    for (std::size_t level = 0; level < kLevelCount; ++level) {
        const std::array<Label, 1> labels{{{"level", kLevels[level]}}};
        out.sample(labels, totals.levelSeconds[level]);
    }
    out.family("weir_unserved_total", "counter", "Client requests that ended without any attempt.");
    for (const auto& [type, task] : totals.tasks) {
        const auto write = [&out, &name = type](Unserved why, std::int64_t count) {
            const std::array<Label, 2> labels{{{"task_type", name}, {"why", toWord(why)}}};
            if (count > 0) out.sample(labels, count);
        };
        write(Unserved::Shed, task.shed);
        write(Unserved::NoRoute, task.noRoute);
    }
}

void writeOutcomes(
    MetricsWriter& out, const RequestTotals& totals, TaskTotals::ByProvider TaskTotals::*counts)
{
    for (const auto& [type, task] : totals.tasks) {
        for (const auto& [provider, outcomes] : task.*counts) {
            for (std::size_t i = 0; i < kOutcomeCount; ++i) {
                if (outcomes[i] == 0) continue;
                const std::array<Label, 3> labels{
                    {{"task_type", type},
                     {"provider", provider},
                     {"outcome", toWord(static_cast<Outcome>(i))}}};
                out.sample(labels, outcomes[i]);
            }
        }
    }
}

void writeTasks(MetricsWriter& out, const RequestTotals& totals)
{
    out.family(
        "weir_task_requests_total",
        "counter",
        "Client requests by the provider and outcome of their last attempt.");
    writeOutcomes(out, totals, &TaskTotals::requests);
    out.family("weir_task_attempts_total", "counter", "Upstream attempts by task type.");
    writeOutcomes(out, totals, &TaskTotals::attempts);
    out.family(
        "weir_task_cost_usd_total", "counter", "Cost of the attempts whose cost is known, in USD.");
    for (const auto& [type, task] : totals.tasks) {
        const std::array<Label, 1> labels{{{"task_type", type}}};
        out.sampleMicro(labels, task.costMicroUsd);
    }
    out.family(
        "weir_task_ttft_seconds",
        "histogram",
        "Time from a request's first attempt to its first output, failovers included.");
    for (const auto& [type, task] : totals.tasks) {
        const std::array<Label, 1> labels{{{"task_type", type}}};
        out.histogram(labels, kTtftBoundsMs, task.ttft.counts, task.ttft.sum, 1000);
    }
}

void writeFailovers(MetricsWriter& out, const RequestTotals& totals)
{
    out.family("weir_model_requests_total", "counter", "Client requests by the model tried first.");
    for (const auto& [name, model] : totals.models) {
        const std::array<Label, 1> labels{{{"model", name}}};
        out.sample(labels, model.requests);
    }
    out.family(
        "weir_failovers_total",
        "counter",
        "Those of weir_model_requests_total that failed somewhere and ended on another route.");
    for (const auto& [name, model] : totals.models) {
        const std::array<Label, 1> labels{{{"model", name}}};
        out.sample(labels, model.failovers);
    }
}

void writeBudgets(MetricsWriter& out, const std::vector<routing::BudgetStatus>& budgets)
{
    out.family(
        "weir_error_budget_burn",
        "gauge",
        "How fast the error budget burns: at 1 the budget of 28 days lasts 28 days.");
    for (const routing::BudgetStatus& budget : budgets) {
        for (std::size_t window = 0; window < kWindows.size(); ++window) {
            const std::array<Label, 4> labels{
                {{"model", budget.model},
                 {"provider", budget.provider},
                 {"slo", toWord(budget.slo)},
                 {"window", kWindows[window]}}};
            out.sample(labels, static_cast<double>(budget.burnMilli[window]) / 1e3);
        }
    }
    out.family(
        "weir_error_budget_left",
        "gauge",
        "Share of the error budget of the last 28 days that is left; below 0 it is overspent.");
    for (const routing::BudgetStatus& budget : budgets) {
        if (!budget.leftPpm) continue;
        const std::array<Label, 3> labels{
            {{"model", budget.model}, {"provider", budget.provider}, {"slo", toWord(budget.slo)}}};
        out.sample(labels, static_cast<double>(*budget.leftPpm) / 1e6);
    }
}

} // namespace

std::string
taskMetricsText(const RequestTotals& totals, const std::vector<routing::BudgetStatus>& budgets)
{
    MetricsWriter out;
    writeLevels(out, totals);
    writeTasks(out, totals);
    writeFailovers(out, totals);
    writeBudgets(out, budgets);
    return out.take();
}

} // namespace weir::admin
