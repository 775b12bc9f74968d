// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/drill_view.h"

#include "agent/ctl/format.h"
#include "agent/ctl/table.h"
#include "common/base/text.h"

#include <algorithm>
#include <array>
#include <set>

namespace weir::ctl {
namespace {

constexpr double kPpm = 1e6;

double secondsBetween(UtcTime earlier, UtcTime later)
{
    return static_cast<double>((later - earlier).count()) / 1000.0;
}

std::string routeOf(const Drill& drill)
{
    return cleaned(drill.model) + '/' + cleaned(drill.provider);
}

/// "runs, 12 s left", "time", "stopped", "aborted".
Span stateOf(const Drill& drill, UtcTime now)
{
    if (drill.endedAt) {
        return {cleaned(drill.endReason), drill.endReason == "aborted" ? Style::Bad : Style::Dim};
    }
    if (now >= drill.endsAt) return {"over", Style::Dim};
    return {"runs, " + formatAge(secondsBetween(now, drill.endsAt)) + " left", Style::Warning};
}

using Windows = std::array<const DrillWindow*, 3>;

double shareIn(const DrillWindow& window, std::uint64_t count)
{
    return window.ladder.shareOf(count);
}

std::string countText(std::uint64_t count)
{
    return formatCount(static_cast<std::int64_t>(count));
}

std::string shareText(const DrillWindow& window, std::uint64_t count)
{
    if (window.ladder.requests == 0) return std::string{kUnknown};
    return formatShare(shareIn(window, count));
}

std::string timeText(std::optional<std::int64_t> ms)
{
    return formatMs(ms ? std::optional{static_cast<double>(*ms)} : std::nullopt);
}

template <class Cell>
void addRow(Table& table, std::string name, const Windows& windows, const Cell& cell)
{
    Row row;
    row.cells.push_back({std::move(name), Style::Dim});
    for (const DrillWindow* window : windows)
        row.cells.push_back({cell(*window)});
    table.rows.push_back(std::move(row));
}

void addShares(Table& table, const DrillReport& report, const Windows& windows)
{
    std::set<std::string> names{report.drill.provider};
    for (const DrillWindow* window : windows) {
        for (const auto& [provider, count] : window->providers)
            names.insert(provider);
    }
    for (const std::string& name : names) {
        addRow(table, "to " + cleaned(name), windows, [&name](const DrillWindow& window) {
            const auto found = window.providers.find(name);
            return shareText(window, found == window.providers.end() ? 0 : found->second);
        });
    }
    for (std::size_t level = 0; level < kLevelCount; ++level) {
        const auto has = [level](const DrillWindow* window) {
            return window->ladder.levels[level].requests > 0;
        };
        if (std::none_of(windows.begin(), windows.end(), has)) continue;
        addRow(table, "at L" + std::to_string(level), windows, [level](const DrillWindow& window) {
            return shareText(window, window.ladder.levels[level].requests);
        });
    }
}

Table tableOf(const DrillReport& report)
{
    Table table;
    constexpr auto kRight = Column::Align::Right;
    table.columns = {
        column(""),
        column("BEFORE", 0, kRight),
        column("DURING", 0, kRight),
        column("AFTER", 0, kRight)};
    const Windows windows{&report.before, &report.during, &report.after};
    addRow(table, "requests", windows, [](const DrillWindow& window) {
        return countText(window.ladder.requests);
    });
    addShares(table, report, windows);
    addRow(table, "failed for users", windows, [](const DrillWindow& window) {
        return countText(window.failures()) + " (" + shareText(window, window.failures()) + ')';
    });
    addRow(table, "failed over", windows, [](const DrillWindow& window) {
        return shareText(window, window.failovers);
    });
    addRow(table, "first output p50", windows, [](const DrillWindow& window) {
        return timeText(window.ladder.firstOutput.p50Ms);
    });
    addRow(table, "first output p95", windows, [](const DrillWindow& window) {
        return timeText(window.ladder.firstOutput.p95Ms);
    });
    addRow(table, "cost a request", windows, [](const DrillWindow& window) {
        return formatCost(window.costPerRequest());
    });
    return table;
}

std::string momentText(std::optional<std::int64_t> ms, const char* never)
{
    return ms ? "after " + timeText(ms) : std::string{never};
}

} // namespace

std::string effectOf(const Drill& drill)
{
    const std::string route = routeOf(drill);
    if (drill.kind == DrillKind::Breaker) return "the breaker of " + route + " is open";
    const std::string share =
        formatShare(static_cast<double>(drill.sharePpm) / kPpm) + " of the requests on " + route;
    if (drill.kind == DrillKind::RateLimit) return share + " get a 429";
    if (drill.kind == DrillKind::Error) return share + " get a 503";
    return share + " wait " + timeText(drill.delayMs);
}

std::vector<Line>
drillLines(const std::vector<store::StoredDrill>& drills, UtcTime now, std::size_t width)
{
    Table table;
    table.columns = {
        column("STARTED"),
        column("FOR", 3),
        column("KIND"),
        column("ROUTE"),
        column("STATE"),
        column("BY", 4),
        column("REASON", 2),
        column("ID")};
    for (const store::StoredDrill& each : drills) {
        const Drill& drill = each.drill;
        table.rows.push_back(
            {{},
             {{toIso(drill.startsAt), Style::Dim},
              {formatAge(secondsBetween(drill.startsAt, drill.endsAt))},
              {std::string{toWord(drill.kind)}, Style::Bold},
              {routeOf(drill)},
              stateOf(drill, now),
              {cleaned(drill.startedBy)},
              {cutEnd(cleaned(drill.reason), 40)},
              {cleaned(drill.id)}}});
    }
    return layOut(table, width);
}

std::string progressOf(const Drill& drill, const DrillCounts& counts, UtcTime now)
{
    const double length = secondsBetween(drill.startsAt, drill.endsAt);
    const double gone = std::clamp(secondsBetween(drill.startsAt, now), 0.0, length);
    return formatAge(gone) + " of " + formatAge(length) + ": " + formatCount(counts.requests) +
           " requests, " + formatCount(counts.failures) + " failed, " +
           formatCount(counts.touched) + " touched, " + formatCount(counts.spared) + " spared";
}

std::vector<Line>
reportLines(const DrillReport& report, const store::StoredDrill& stored, std::size_t width)
{
    const Drill& drill = report.drill;
    std::vector<Line> lines;
    lines.push_back({{"Drill " + cleaned(drill.id), Style::Bold}, {": " + effectOf(drill)}});
    std::string ended = "not over yet, until " + toIso(drill.endsAt);
    if (drill.endedAt) {
        ended = cleaned(drill.endReason) + " at " + toIso(*drill.endedAt) + " by " +
                cleaned(stored.endedBy) + ": " + cleaned(stored.endText, 1000);
    }
    lines.push_back(
        {{"  began  " + toIso(drill.startsAt) + " by " + cleaned(drill.startedBy) + ": " +
          cleaned(drill.reason, 1000)}});
    lines.push_back(
        {{"  ended  "}, {ended, drill.endReason == "aborted" ? Style::Bad : Style::Plain}});
    lines.emplace_back();
    for (Line& line : layOut(tableOf(report), width))
        lines.push_back(std::move(line));
    lines.emplace_back();
    lines.push_back(
        {{"Traffic left the route " + momentText(report.leftMs, "not, or there was too little") +
          ", and was back " + momentText(report.backMs, "not yet, or there was too little") +
          "."}});
    lines.push_back(
        {{formatCount(report.counts.touched) + " requests touched; " +
          formatCount(report.counts.spared) + " spared, because they could go nowhere else."}});
    return lines;
}

} // namespace weir::ctl
