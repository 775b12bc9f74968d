// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/header_state.h"

#include "app/model/format.h"

#include <algorithm>

namespace weir::model {
namespace {

const QString kDot = QStringLiteral(" · ");

bool isFixedOrder(const AgentReport& agent)
{
    return agent.mode != EffectiveMode::Adaptive;
}

QString switchedOff(const AgentReport& agent, const HeaderFacts& facts, UtcTime now)
{
    const auto& row = facts.row;
    if (!row || row->version != agent.switchVersion) return QStringLiteral("switched off");
    // The agent itself wrote the first row; nobody has turned anything off.
    if (row->version <= 1) return QStringLiteral("not turned on yet");
    const QString by = plain(row->updatedBy);
    QString text = QStringLiteral("switched off");
    if (!by.isEmpty()) text += QStringLiteral(" by ") + by;
    return row->updatedAt > UtcTime{} ? text + QChar(' ') + age(now - row->updatedAt) : text;
}

QString whyFixed(const AgentReport& agent, const HeaderFacts& facts, UtcTime now)
{
    if (agent.mode == EffectiveMode::Shadow) return QStringLiteral("shadow mode");
    if (agent.mode == EffectiveMode::Fixed) return switchedOff(agent, facts, now);
    if (agent.modeReason == "no_summary") return QStringLiteral("no summary yet");
    if (agent.modeReason != "summary_old") return QStringLiteral("switch unreadable");
    if (!facts.summaryAgeS) return QStringLiteral("summary too old");
    const auto old = std::chrono::milliseconds{static_cast<std::int64_t>(*facts.summaryAgeS * 1e3)};
    return QStringLiteral("summary ") + age(old) + QStringLiteral(" old");
}

/// The reason that most of them share comes first by being the worst: unreadable before stale
/// before chosen.
const AgentReport& worst(const std::vector<AgentReport>& agents)
{
    const auto rank = [](const AgentReport& agent) {
        if (agent.mode == EffectiveMode::Fixed || agent.mode == EffectiveMode::Shadow) return 0;
        return agent.modeReason == "summary_old" || agent.modeReason == "no_summary" ? 1 : 2;
    };
    return *std::ranges::max_element(agents, {}, rank);
}

void describe(
    HeaderState& state,
    const std::vector<AgentReport>& heard,
    const HeaderFacts& facts,
    UtcTime now)
{
    const auto fixedCount = std::ranges::count_if(heard, isFixedOrder);
    const auto adaptiveCount = static_cast<std::ptrdiff_t>(heard.size()) - fixedCount;
    if (fixedCount == 0) {
        state.glyph = Glyph::Disc;
        state.tone = Tone::Ok;
        state.word = QStringLiteral("ADAPTIVE");
    } else if (adaptiveCount == 0) {
        const AgentReport& agent = worst(heard);
        state.glyph = Glyph::Square;
        state.tone = agent.mode == EffectiveMode::Failsafe ? Tone::Warning : Tone::Off;
        state.word = QStringLiteral("FIXED ORDER");
        state.detail = whyFixed(agent, facts, now);
    } else {
        state.glyph = Glyph::HalfSquare;
        state.tone = Tone::Warning;
        state.word = QStringLiteral("MIXED");
        state.detail = QStringLiteral("%1 adaptive / %2 fixed").arg(adaptiveCount).arg(fixedCount);
    }
    const auto [low, high] = std::ranges::minmax(heard, {}, &AgentReport::switchVersion);
    state.version = QStringLiteral("v%1").arg(low.switchVersion);
    if (low.switchVersion != high.switchVersion) {
        state.version += QStringLiteral("–%1").arg(high.switchVersion);
    }
}

} // namespace

QString HeaderState::text() const
{
    if (detail.isEmpty()) return word;
    // "MIXED 5 adaptive / 2 fixed" is one phrase; the others are a mode and its reason.
    return word + (glyph == Glyph::HalfSquare ? QStringLiteral(" ") : kDot) + detail;
}

HeaderState headerState(const Fleet& fleet, const HeaderFacts& facts, UtcTime now)
{
    HeaderState state;
    const std::vector<AgentReport> heard = fleet.heard(now);
    const std::size_t known = fleet.agents().size();
    state.isEveryAgentHeard = heard.size() == known;
    state.agents = QStringLiteral("%1/%2 %3")
                       .arg(heard.size())
                       .arg(known)
                       .arg(known == 1 ? QStringLiteral("agent") : QStringLiteral("agents"));
    if (!heard.empty()) {
        describe(state, heard, facts, now);
        return state;
    }
    UtcTime last = facts.listeningSince;
    for (const AgentReport& agent : fleet.agents())
        last = std::max(last, agent.heardAt);
    state.word = QStringLiteral("UNKNOWN");
    state.detail = QStringLiteral("no agent heard for ") + age(now - last);
    return state;
}

} // namespace weir::model
