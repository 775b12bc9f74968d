// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/simulate_view.h"

#include "agent/ctl/format.h"
#include "agent/ctl/table.h"
#include "common/base/text.h"
#include "common/model/price.h"

#include <string>

namespace weir::ctl {
namespace {

constexpr std::size_t kLabelCells = 15;
constexpr std::size_t kChangesMax = 20;

std::string count(std::uint64_t value)
{
    return formatCount(static_cast<std::int64_t>(value));
}

std::string time(sim::Micros micros)
{
    return formatMs(static_cast<double>(micros) / 1e3);
}

Line entry(const std::string& label, std::string value, Style style = Style::Plain)
{
    std::string padded = label;
    padded.resize(kLabelCells, ' ');
    return {{padded, Style::Dim}, {std::move(value), style}};
}

Style toneOf(std::uint64_t failures)
{
    return failures > 0 ? Style::Warning : Style::Plain;
}

/// "2 h 05 min 03 s" into the run, as "02:05:03".
std::string clock(sim::Micros at)
{
    const std::int64_t seconds = at / sim::kSecond;
    const auto two = [](std::int64_t value) {
        return (value < 10 ? "0" : "") + std::to_string(value);
    };
    return two(seconds / 3600) + ':' + two(seconds / 60 % 60) + ':' + two(seconds % 60);
}

std::vector<Line> totalLines(const sim::Totals& totals)
{
    const auto perTask = totals.tasks == 0
                             ? std::int64_t{0}
                             : totals.costMicroUsd / static_cast<std::int64_t>(totals.tasks);
    std::vector<Line> lines{
        entry("tasks", count(totals.tasks) + " with " + count(totals.calls) + " calls"),
        entry("cost", formatMicroUsd(totals.costMicroUsd)),
        entry("cost per task", formatMicroUsd(perTask)),
        entry(
            "task time",
            time(totals.taskTimeP50) + " median, " + time(totals.taskTimeP95) + " p95"),
        entry("user failures", count(totals.userFailures), toneOf(totals.userFailures)),
        entry("wasted 429s", count(totals.wasted429), toneOf(totals.wasted429))};
    if (totals.shed > 0) lines.push_back(entry("deferred", count(totals.shed)));
    if (totals.dropped > 0) {
        lines.push_back(entry("dropped", count(totals.dropped), Style::Bad));
    }
    if (totals.callerErrors > 0) {
        lines.push_back(entry("caller's errors", count(totals.callerErrors)));
    }
    if (totals.replayMismatches > 0) {
        lines.push_back(entry(
            "not replayable",
            count(totals.replayMismatches) + " of " + count(totals.decisions) + " decisions",
            Style::Bad));
    }
    return lines;
}

} // namespace

std::vector<Line>
simulationLines(const sim::SimResult& result, const sim::Scenario& scenario, std::size_t width)
{
    const std::string name = scenario.name.empty() ? "scenario" : cleaned(scenario.name);
    std::vector<Line> lines{
        {{name, Style::Bold},
         {", policy " + std::string{toWord(scenario.policy)} + ", seed " +
          std::to_string(scenario.seed)}},
        {}};
    for (Line& line : totalLines(result.totals))
        lines.push_back(std::move(line));
    lines.emplace_back();
    Table table;
    for (const char* header : {"provider", "attempts", "share", "failures", "429s", "cost"}) {
        Column column;
        column.header = header;
        if (!table.columns.empty()) column.align = Column::Align::Right;
        table.columns.push_back(std::move(column));
    }
    for (const sim::ProviderTotals& provider : result.totals.byProvider) {
        table.rows.push_back(
            {{},
             {{cleaned(provider.provider), Style::Bold},
              {count(provider.calls)},
              {formatShare(provider.share)},
              {count(provider.failures), toneOf(provider.failures)},
              {count(provider.rateLimited), toneOf(provider.rateLimited)},
              {formatMicroUsd(provider.costMicroUsd)}}});
    }
    for (Line& line : layOut(table, width))
        lines.push_back(std::move(line));
    std::size_t most = kChangesMax + result.totals.byProvider.size() + 12;
    if (result.degradation) {
        const std::size_t before = lines.size();
        lines.emplace_back();
        for (std::string& line : textOf(result.degradation->report))
            lines.push_back({{std::move(line)}});
        most += lines.size() - before;
    }
    if (!result.leaderChanges.empty()) lines.emplace_back();
    for (const sim::LeaderChange& change : result.leaderChanges) {
        if (lines.size() >= most) {
            lines.push_back({{"… and more: see --out", Style::Dim}});
            break;
        }
        const sim::PoolName& pool = result.pools[change.pool];
        const std::string from = change.from.empty() ? "nobody" : cleaned(change.from);
        const std::string to = change.to.empty() ? "nobody" : cleaned(change.to);
        lines.push_back(
            {{clock(change.at), Style::Dim},
             {"  " + cleaned(scenario.models[pool.model].name) + ", " + cleaned(pool.taskType) +
              ": "},
             {from + " → " + to, Style::Accent},
             {" (" + std::string{toWord(change.cause)} + ')'}});
    }
    return lines;
}

} // namespace weir::ctl
