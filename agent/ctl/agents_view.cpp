// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/agents_view.h"

#include "agent/ctl/format.h"
#include "agent/ctl/table.h"
#include "common/base/text.h"

#include <cmath>

namespace weir::ctl {
namespace {

constexpr double kSkewMs = 5000.0;

Span health(const std::string& word)
{
    return {cleaned(word), word == "down" ? Style::Bad : Style::Plain};
}

Span modeOf(const AgentPresence& agent)
{
    std::string text = cleaned(agent.effectiveMode);
    const bool failsafe = agent.effectiveMode == "failsafe";
    if (failsafe) text += ": " + cleaned(agent.modeReason);
    return {std::move(text), failsafe ? Style::Bad : Style::Plain};
}

Span skewOf(const AgentPresence& agent)
{
    if (!agent.clockSkewMs) return {std::string{kUnknown}, Style::Dim};
    const auto skewMs = static_cast<double>(*agent.clockSkewMs);
    const std::string sign = skewMs < 0.0 ? "-" : "+";
    return {
        sign + formatMs(std::abs(skewMs)),
        std::abs(skewMs) > kSkewMs ? Style::Warning : Style::Plain};
}

Row rowOf(const AgentPresence& agent)
{
    const bool silent = agent.lastSeenS > kSilentS;
    Row row;
    row.cells = {
        {cleaned(agent.agentId), silent ? Style::Dim : Style::Bold},
        {cleaned(agent.service) + '@' + cleaned(agent.host)},
        {formatAge(agent.lastSeenS) + " ago", silent ? Style::Bad : Style::Plain},
        modeOf(agent),
        {"v" + std::to_string(agent.switchVersion)},
        {"v" + std::to_string(agent.settingsVersion)},
        health(agent.redis),
        {formatCount(agent.ledgerBacklogRows)},
        skewOf(agent),
        {cleaned(agent.version)}};
    return row;
}

} // namespace

std::vector<Line> agentLines(const std::vector<AgentPresence>& agents, std::size_t width)
{
    constexpr auto kRight = Column::Align::Right;
    Table table;
    table.columns = {
        column("AGENT"),
        column("SERVICE", 4),
        column("SEEN", 0, kRight),
        column("MODE"),
        column("SWITCH", 0, kRight),
        column("SETTINGS", 3, kRight),
        column("REDIS", 2),
        column("BACKLOG", 1, kRight),
        column("CLOCK", 5, kRight),
        column("WEIR", 6)};
    for (const AgentPresence& agent : agents)
        table.rows.push_back(rowOf(agent));
    return layOut(table, width);
}

} // namespace weir::ctl
