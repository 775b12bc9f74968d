// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/task_rows.h"

#include "app/model/format.h"
#include "app/model/provider_order.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace weir::model {
namespace {

/// Costs that moved by so much are worth a look.
constexpr double kNotable = 0.1;
constexpr double kSoundRate = 0.99;

/// A figure made of `n`.
GridCell figure(const QString& text, std::int64_t n)
{
    GridCell cell{text};
    if (text == unknown() || n >= kThin) return cell;
    cell.text += QStringLiteral(" n=") + QString::number(n);
    cell.isFaint = true;
    return cell;
}

QString dollars(std::optional<double> value)
{
    return money(value ? std::optional{std::llround(*value * 1e6)} : std::nullopt);
}

GridCell changeCell(const reports::TaskReport& task)
{
    const std::optional<double> change = task.costChange();
    if (!change) return {unknown()};
    const auto percent = std::llround(*change * 100);
    const QString sign = percent > 0 ? QStringLiteral("+") : QString();
    GridCell cell =
        figure(sign + QString::number(percent) + QStringLiteral(" %"), task.tasksBefore);
    cell.tip = QStringLiteral("%1 a task before, over %2")
                   .arg(
                       dollars(task.costPerTaskBefore()),
                       counted(task.tasksBefore, QStringLiteral("task")));
    if (std::abs(*change) >= kNotable) cell.tone = *change > 0 ? Tone::Warning : Tone::Ok;
    return cell;
}

GridCell ttftCell(const reports::TaskReport& task, double quantile)
{
    const std::optional<std::int64_t> us = task.ttftUs.quantile(quantile);
    const auto value = us ? std::optional{static_cast<double>(*us) / 1e6} : std::nullopt;
    return figure(seconds(value), static_cast<std::int64_t>(task.ttftUs.count()));
}

GridCell successCell(const reports::TaskReport& task)
{
    GridCell cell;
    QStringList parts;
    QStringList whole;
    bool isThin = true;
    for (const auto& [name, provider] : task.providers) {
        const std::int64_t telling = provider.attempts - provider.neutral;
        const std::optional<double> rate = provider.successRate();
        if (rate.value_or(1) < kSoundRate && telling >= kThin) cell.tone = Tone::Warning;
        isThin = isThin && telling < kThin;
        parts << plain(name) + QChar(' ') + figure(percent(rate), telling).text;
        whole << QStringLiteral("%1: %2 of %3 attempts succeeded, %4 in no rate")
                     .arg(plain(name))
                     .arg(provider.successes)
                     .arg(telling)
                     .arg(provider.neutral);
    }
    cell.text = parts.isEmpty() ? unknown() : parts.join(QStringLiteral(" · "));
    cell.tip = whole.join(QChar('\n'));
    cell.isFaint = isThin;
    return cell;
}

QString callsPerTask(const reports::TaskReport& task)
{
    if (task.tasks == 0) return unknown();
    const std::int64_t served = task.calls - task.shed;
    return rate(static_cast<double>(served) / static_cast<double>(task.tasks));
}

GridCell costCell(const reports::TaskReport& task)
{
    std::int64_t attempts = 0;
    for (const auto& [name, provider] : task.providers)
        attempts += provider.attempts;
    if (attempts == task.costUnknown) {
        return {.text = unknown(), .tip = QStringLiteral("No attempt has a known cost.")};
    }
    GridCell cell = figure(dollars(task.costPerTask()), task.tasks);
    cell.tip = QStringLiteral("%1 for all").arg(money(task.costMicroUsd));
    if (task.costUnknown > 0) {
        cell.tip += QStringLiteral("; %1 without a known cost")
                        .arg(counted(task.costUnknown, QStringLiteral("attempt")));
    }
    return cell;
}

GridRow rowOf(const reports::TaskReport& task)
{
    GridCell shed{QString::number(task.shed)};
    if (task.shed > 0) shed.tone = Tone::Warning;
    return {
        QString::fromStdString(task.taskType),
        {{plain(task.taskType)},
         {QString::number(task.tasks)},
         figure(callsPerTask(task), task.tasks),
         costCell(task),
         changeCell(task),
         ttftCell(task, 0.5),
         ttftCell(task, 0.95),
         figure(percent(task.failoverRate()), task.calls - task.shed),
         shed,
         successCell(task)}};
}

} // namespace

std::vector<GridColumn> taskColumns()
{
    const auto text = [](const char* words) { return QString::fromUtf8(words); };
    return {
        {text("Task type"), {}, 150},
        {text("Tasks"), text("Tasks of which a request ended in this time"), 70, true},
        {text("Calls/task"), text("Requests that were not shed, over tasks"), 90, true},
        {text("Cost/task"),
         text("By the price card: what all attempts cost, failed ones too, over tasks. Attempts "
              "whose cost is not known count as nothing."),
         110,
         true},
        {text("Change"),
         text("Cost a task against the time before, which is as long. The mix of tasks may be "
              "another."),
         90,
         true},
        {text("TTFT p50"),
         text("From a request's first attempt to its first output, over all its attempts"),
         100,
         true},
        {text("TTFT p95"), text("As p50: one in twenty waited longer"), 100, true},
        {text("Failovers"),
         text("Requests that failed somewhere and ended on another route, of all not shed"),
         100,
         true},
        {text("Shed"), text("Requests refused because there was no room"), 60, true},
        {text("Success by provider"),
         text("Attempts that succeeded. What is neither the provider's success nor its failure, "
              "such as a caller that hung up, is in no rate."),
         330}};
}

std::vector<GridRow> taskRows(std::span<const reports::TaskReport> reports)
{
    std::vector<const reports::TaskReport*> order;
    for (const reports::TaskReport& report : reports)
        order.push_back(&report);
    std::ranges::stable_sort(
        order, std::greater{}, [](const auto* report) { return report->costMicroUsd; });
    std::vector<GridRow> rows;
    for (const reports::TaskReport* report : order)
        rows.push_back(rowOf(*report));
    return rows;
}

CostBars costBars(
    const Span& range,
    Ms step,
    std::span<const store::HistoryPoint> points,
    std::vector<std::string> providers)
{
    CostBars result{range, step, std::move(providers), {}};
    const Ms first = range.from / step * step;
    for (Ms from = first; from < range.to; from += step) {
        CostBar& bar = result.bars.emplace_back();
        bar.from = from;
        bar.costs.assign(result.providers.size(), 0);
        bar.isPartial = from + step > range.to;
    }
    for (const store::HistoryPoint& point : points) {
        const Ms at = epochMs(point.at);
        if (at < first || at >= range.to) continue;
        CostBar& bar = result.bars[static_cast<std::size_t>((at - first) / step)];
        bar.costs[static_cast<std::size_t>(colourIn(result.providers, point.provider))] +=
            point.sums.costMicroUsd;
        bar.attempts += point.sums.calls;
        bar.unknown += point.sums.costUnknown;
    }
    return result;
}

std::vector<GridColumn> providerColumns()
{
    return {
        {QStringLiteral("Provider"), {}, 120},
        {QStringLiteral("Cost"),
         QStringLiteral("By the price card, of all attempts in the bars"),
         80,
         true},
        {QStringLiteral("Share"), QStringLiteral("Of the cost of all providers"), 70, true},
        {QStringLiteral("Attempts"), {}, 80, true},
        {QStringLiteral("No cost"),
         QStringLiteral("Attempts whose cost is not known: no usage or no price"),
         70,
         true}};
}

std::vector<GridRow> providerRows(const CostBars& bars, std::span<const store::HistoryPoint> points)
{
    std::map<std::string, store::CallSums> sums;
    for (const store::HistoryPoint& point : points)
        sums[point.provider].add(point.sums);
    std::vector<std::pair<std::string, store::CallSums>> order(sums.begin(), sums.end());
    std::ranges::stable_sort(
        order, std::greater{}, [](const auto& one) { return one.second.costMicroUsd; });
    const auto total = static_cast<double>(bars.total().value_or(0));
    std::vector<GridRow> rows;
    for (const auto& [name, sum] : order) {
        GridCell provider{plain(name)};
        provider.colour = colourIn(bars.providers, name);
        const bool isKnown = sum.calls > sum.costUnknown;
        const auto cost = isKnown ? std::optional{sum.costMicroUsd} : std::nullopt;
        std::optional<double> share;
        if (isKnown && total > 0) share = static_cast<double>(sum.costMicroUsd) / total;
        GridCell unknownCost{QString::number(sum.costUnknown)};
        if (sum.costUnknown > 0) unknownCost.tone = Tone::Warning;
        rows.push_back(
            {QString::fromStdString(name),
             {provider,
              {money(cost)},
              {percent(share)},
              {QString::number(sum.calls)},
              unknownCost}});
    }
    return rows;
}

} // namespace weir::model
