// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/capacity_view.h"

#include "agent/ctl/format.h"
#include "agent/ctl/table.h"
#include "common/base/text.h"

#include <string>

namespace weir::ctl {
namespace {

std::string joined(const std::vector<std::string>& names)
{
    std::string text;
    for (const std::string& name : names) {
        if (!text.empty()) text += ", ";
        text += cleaned(name);
    }
    return text;
}

Span ratioCell(const std::optional<double>& ratio)
{
    if (!ratio) return {formatRate(ratio), Style::Dim};
    return {formatRate(ratio) + "×", *ratio > 1.0 ? Style::Bad : Style::Good};
}

Span verdictOf(const FailoverStatus& failover)
{
    if (failover.others.empty()) return {"nothing else serves this model", Style::Warning};
    if (!failover.unknown.empty()) {
        return {"no limit is known of " + joined(failover.unknown), Style::Dim};
    }
    if (failover.interactiveRatio.value_or(0.0) > 1.0) return {"short for users", Style::Bad};
    if (failover.ratio.value_or(0.0) > 1.0) return {"fits where batch waits", Style::Warning};
    return {"fits", Style::Good};
}

std::vector<Span> cellsFor(const FailoverStatus& failover)
{
    return {
        {"  " + cleaned(failover.provider)},
        {formatRate(failover.moves.rps)},
        {formatRate(failover.needs.rps)},
        {formatRate(failover.needs.tokensPerMinute)},
        {formatRate(failover.interactiveNeeds.rps)},
        {formatRate(failover.capacityRps)},
        ratioCell(failover.ratio),
        ratioCell(failover.interactiveRatio),
        verdictOf(failover)};
}

} // namespace

std::vector<Line> capacityLines(const AgentStatus& status, std::size_t width)
{
    using enum Column::Align;
    Table table;
    table.columns = {
        {"  IF THIS FAILS", Left, 0, {}},
        {"MOVES REQ/S", Right, 2, {}},
        {"PEAK REQ/S", Right, 3, {}},
        {"PEAK TOK/MIN", Right, 5, {}},
        {"OF USERS", Right, 4, {}},
        {"OTHERS BEAR", Right, 1, {}},
        {"NEEDS", Right, 0, {}},
        {"USERS NEED", Right, 0, {}},
        {"", Left, 0, 12}};
    for (const ModelStatus& model : status.models) {
        table.rows.push_back({{{cleaned(model.name), Style::Bold}}, {}});
        for (const FailoverStatus& failover : model.failover)
            table.rows.push_back({{}, cellsFor(failover)});
    }
    return layOut(table, width);
}

} // namespace weir::ctl
