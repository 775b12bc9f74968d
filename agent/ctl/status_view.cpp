// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/status_view.h"

#include "agent/ctl/agents_view.h"
#include "agent/ctl/drill_view.h"
#include "agent/ctl/format.h"
#include "common/base/text.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace weir::ctl {
namespace {

double secondsBetween(UtcTime earlier, UtcTime later)
{
    return static_cast<double>((later - earlier).count()) / 1000.0;
}

Style pillOf(EffectiveMode mode)
{
    switch (mode) {
    case EffectiveMode::Adaptive:
        return Style::GoodPill;
    case EffectiveMode::Shadow:
        return Style::AccentPill;
    case EffectiveMode::Fixed:
        return Style::WarningPill;
    case EffectiveMode::Failsafe:
        return Style::BadPill;
    }
    return Style::BadPill;
}

std::string upper(std::string_view word)
{
    std::string text{word};
    std::transform(text.begin(), text.end(), text.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    return text;
}

Line modeLine(const AgentStatus& status)
{
    Line line{{' ' + upper(toWord(status.effectiveMode)) + ' ', pillOf(status.effectiveMode)}};
    const bool asSwitched = status.mode && toWord(*status.mode) == toWord(status.effectiveMode);
    if (!asSwitched) {
        line.push_back({"  " + cleaned(describeModeReason(status.modeReason)), Style::Bad});
        const std::string said = status.mode ? std::string{toWord(*status.mode)} : "nothing";
        line.push_back({", though the switch says " + said});
    }
    if (status.switchVersion == 0) {
        line.push_back({"  switch never read", Style::Dim});
        return line;
    }
    line.push_back({"  switch v" + std::to_string(status.switchVersion), Style::Bold});
    if (!status.switchBy.empty()) line.push_back({" by " + cleaned(status.switchBy)});
    if (status.switchAt) {
        line.push_back(
            {' ' + formatAge(secondsBetween(*status.switchAt, status.at)) + " ago", Style::Dim});
    }
    if (!status.switchReason.empty()) {
        line.push_back({"  “" + cleaned(status.switchReason) + "”", Style::Accent});
    }
    return line;
}

Span wordOfHealth(std::string_view what, const std::string& state)
{
    Style style = Style::Plain;
    if (state == "down")
        style = Style::Bad;
    else if (state == "none")
        style = Style::Dim;
    return {std::string{what} + ' ' + cleaned(state), style};
}

Line factsLine(const AgentStatus& status)
{
    Line line{{cleaned(status.service) + '@' + cleaned(status.host), Style::Bold}};
    const auto add = [&line](Span span) {
        line.push_back({" · ", Style::Dim});
        line.push_back(std::move(span));
    };
    add({"weir " + cleaned(status.version)});
    add({formatRate(status.requestsPerS1m) + " req/s"});
    add(
        {formatCount(status.clientConnections) +
         (status.clientConnections == 1 ? " client" : " clients")});
    add(wordOfHealth("store", status.store));
    add(wordOfHealth("redis", status.redis));
    if (status.gatesLocal) add({"gates local", Style::Warning});
    const bool behind = status.ledgerBacklogRows > 1000;
    add(
        {"ledger backlog " + formatCount(status.ledgerBacklogRows),
         behind ? Style::Warning : Style::Plain});
    add({"settings v" + std::to_string(status.settingsVersion)});
    const auto isSilent = [](const auto& agent) { return agent.lastSeenS > kSilentS; };
    const auto silent = std::ranges::count_if(status.agents, isSilent);
    const auto alive = std::ssize(status.agents) - silent;
    if (alive == 1) add({"1 agent"});
    if (alive > 1) {
        const auto applied = std::ranges::count_if(status.agents, [&](const auto& agent) {
            return !isSilent(agent) && agent.switchVersion >= status.switchVersion;
        });
        const std::string of = std::to_string(applied) + '/' + std::to_string(alive);
        add(
            {of + " agents on v" + std::to_string(status.switchVersion),
             applied == alive ? Style::Plain : Style::Warning});
    }
    if (silent > 0) add({std::to_string(silent) + " silent", Style::Warning});
    if (status.summary) add({"summary " + formatAge(status.summary->ageS) + " old"});
    if (status.draining) add({"draining", Style::Warning});
    return line;
}

/// What keeps a route from being used, the gravest first.
Span stateOf(const RouteStatus& route, UtcTime at)
{
    if (!route.enabled) return {"off", Style::Dim};
    if (route.benchedUntil && *route.benchedUntil > at) {
        std::string text = "benched " + formatAge(secondsBetween(at, *route.benchedUntil));
        if (route.benchReason) text += ' ' + cleaned(*route.benchReason);
        return {text, Style::Bad};
    }
    if (route.breaker == "open") return {"breaker open", Style::Bad};
    if (route.breaker == "half_open") return {"probing", Style::Warning};
    if (route.gate && *route.gate != "open")
        return {"gate " + cleaned(*route.gate), Style::Warning};
    return {"ready", Style::Good};
}

/// The provider stands in its own column.
std::string routeWithoutProvider(const RouteStatus& route)
{
    const std::string prefix = route.provider + '/';
    const bool repeats = route.route.starts_with(prefix);
    return cleaned(repeats ? std::string_view{route.route}.substr(prefix.size()) : route.route);
}

Style toneOf(std::optional<double> share, double warning, double bad)
{
    if (!share || *share <= 0.0) return Style::Dim;
    if (*share >= bad) return Style::Bad;
    return *share >= warning ? Style::Warning : Style::Plain;
}

/// Tokens at most for an estimated one; with overruns where more than the bound allows for.
Span tokensOf(const RouteStatus& route)
{
    if (!route.tokenBound) return {std::string{kUnknown}, Style::Dim};
    constexpr std::int64_t kAboveOneOf = 200;
    const TokenBoundStatus& bound = *route.tokenBound;
    const bool often = bound.overruns * kAboveOneOf > bound.samples;
    return {"≤" + formatRate(bound.perEstimate), often ? Style::Warning : Style::Plain};
}

std::vector<Span> cellsFor(const RouteStatus& route, const ModelStatus& model, UtcTime at)
{
    const auto leader = model.leader.find("default");
    const bool leads = leader != model.leader.end() && leader->second == route.provider;
    const bool idle = route.rps1m == 0.0;
    const Style quiet = idle ? Style::Dim : Style::Plain;
    const std::optional<double> p95 = route.ttftMs.p95;
    return {
        {(leads ? "▸ " : "  ") + cleaned(route.provider), leads ? Style::Bold : Style::Plain},
        {routeWithoutProvider(route)},
        stateOf(route, at),
        {formatShare(route.share1m), quiet},
        {formatRate(route.rps1m), quiet},
        {formatShare(route.errorRate1m), toneOf(route.errorRate1m, 0.01, 0.1)},
        {formatCount(route.rateLimited1m), route.rateLimited1m > 0 ? Style::Warning : Style::Dim},
        {formatMs(route.ttftMs.p50), quiet},
        {formatMs(p95), quiet},
        {formatRate(route.tokensPerS.p50), quiet},
        {formatCount(route.inFlight), route.inFlight > 0 ? Style::Plain : Style::Dim},
        {formatCost(route.costMicroUsd1m), quiet},
        tokensOf(route)};
}

Table routeTable(const AgentStatus& status)
{
    using enum Column::Align;
    Table table;
    table.columns = {
        {"  PROVIDER", Left, 0, {}},
        {"ROUTE", Left, 7, 14, Column::Cut::Middle},
        {"STATE", Left, 0, 13, Column::Cut::End, 13},
        {"SHARE", Right, 2, {}},
        {"REQ/S", Right, 0, {}},
        {"ERRORS", Right, 1, {}},
        {"429", Right, 4, {}},
        {"TTFT p50", Right, 3, {}},
        {"p95", Right, 8, {}, Column::Cut::End, 6},
        {"TOK/S", Right, 9, {}},
        {"IN FLIGHT", Right, 6, {}},
        {"COST/MIN", Right, 5, {}, Column::Cut::End, 9},
        {"TOK/EST", Right, 10, {}}};
    for (const ModelStatus& model : status.models) {
        table.rows.push_back({{{cleaned(model.name), Style::Bold}}, {}});
        for (const RouteStatus& route : model.routes) {
            table.rows.push_back({{}, cellsFor(route, model, status.at)});
        }
    }
    return table;
}

void append(std::vector<Line>& lines, std::vector<Line> more)
{
    std::move(more.begin(), more.end(), std::back_inserter(lines));
}

Line staleLine(const Freshness& freshness)
{
    std::string text = " STALE " + formatAge(freshness.ageS) + ' ';
    Line line{{std::move(text), Style::BadPill}};
    if (!freshness.trouble.empty()) {
        line.push_back({"  " + cleaned(freshness.trouble) + "; reconnecting", Style::Bad});
    }
    return line;
}

} // namespace

std::vector<Line> headerLines(const AgentStatus& status, std::size_t width)
{
    return {cutEnd(modeLine(status), width), cutEnd(factsLine(status), width)};
}

std::vector<Line> alertLines(const AgentStatus& status, std::size_t width)
{
    std::vector<Line> lines;
    for (const Alert& alert : status.alerts) {
        Line line{{"! " + cleaned(alert.kind), Style::Bad}};
        if (!alert.route.empty()) line.push_back({' ' + cleaned(alert.route), Style::Bold});
        line.push_back({"  " + cleaned(alert.text)});
        line.push_back({"  for " + formatAge(secondsBetween(alert.since, status.at)), Style::Dim});
        lines.push_back(cutEnd(line, width));
    }
    return lines;
}

std::vector<Line> drillStripLines(const AgentStatus& status, std::size_t width)
{
    std::vector<Line> lines;
    for (const DrillStatus& each : status.drills) {
        const DrillCounts& counts = each.counts;
        Line line{
            {" DRILL ", Style::WarningPill},
            {"  " + effectOf(each.drill), Style::Bold},
            {", " + formatAge(each.leftS) + " left: " + formatCount(counts.touched) + " touched, " +
             formatCount(counts.failures) + " failed  "},
            {cleaned(each.drill.id) + " “" + cleaned(each.drill.reason) + "”", Style::Dim}};
        lines.push_back(cutEnd(line, width));
    }
    return lines;
}

std::vector<Line> agentLines(const AgentStatus& status, std::size_t width)
{
    if (status.agents.size() < 2) return {};
    using enum Column::Align;
    Table table;
    table.columns = {
        {"AGENT", Left, 1, 8, Column::Cut::Middle},
        {"SERVICE", Left, 0, {}},
        {"HOST", Left, 2, {}},
        {"MODE", Left, 0, {}},
        {"SWITCH", Right, 0, {}},
        {"SETTINGS", Right, 3, {}},
        {"SEEN", Right, 0, {}}};
    for (const AgentPresence& agent : status.agents) {
        const bool failsafe = agent.effectiveMode == "failsafe";
        std::string mode = cleaned(agent.effectiveMode);
        if (failsafe) mode += ": " + cleaned(describeModeReason(agent.modeReason));
        const bool old = agent.switchVersion < status.switchVersion;
        table.rows.push_back(
            {{},
             {{cleaned(agent.agentId)},
              {cleaned(agent.service)},
              {cleaned(agent.host)},
              {mode, failsafe ? Style::Bad : Style::Plain},
              {'v' + std::to_string(agent.switchVersion), old ? Style::Warning : Style::Plain},
              {'v' + std::to_string(agent.settingsVersion)},
              {formatAge(agent.lastSeenS) + " ago",
               agent.lastSeenS > 5.0 ? Style::Warning : Style::Dim}}});
    }
    return layOut(table, width);
}

std::vector<Line> routeLines(const AgentStatus& status, std::size_t width)
{
    if (status.models.empty()) return {{{"no model is configured", Style::Dim}}};
    return layOut(routeTable(status), width);
}

std::vector<Line> statusLines(const AgentStatus& status, std::size_t width)
{
    std::vector<Line> lines = headerLines(status, width);
    append(lines, drillStripLines(status, width));
    append(lines, alertLines(status, width));
    lines.emplace_back();
    append(lines, routeLines(status, width));
    if (std::vector<Line> agents = agentLines(status, width); !agents.empty()) {
        lines.emplace_back();
        append(lines, std::move(agents));
    }
    return lines;
}

std::vector<Line> topLines(
    const std::optional<AgentStatus>& status,
    const Freshness& freshness,
    std::size_t width,
    std::size_t height)
{
    std::vector<Line> lines;
    if (!status) {
        const std::string why = freshness.trouble.empty()
                                    ? "waiting for the first snapshot"
                                    : cleaned(freshness.trouble) + "; trying again";
        lines.push_back(cutEnd({{" NO DATA ", Style::BadPill}, {"  " + why}}, width));
        return lines;
    }
    lines = statusLines(*status, width);
    if (freshness.ageS > kStaleAfterS || !freshness.trouble.empty()) {
        lines.insert(lines.begin() + 2, cutEnd(staleLine(freshness), width));
    }
    if (lines.size() > height && height > 0) {
        const std::size_t hidden = lines.size() - height + 1;
        lines.resize(height - 1);
        const std::string what = hidden == 1 ? " more line" : " more lines";
        lines.push_back({{"… " + std::to_string(hidden) + what, Style::Dim}});
    }
    return lines;
}

} // namespace weir::ctl
