// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/switch_progress.h"

#include "app/model/format.h"

#include <QStringList>

#include <algorithm>
#include <functional>
#include <optional>

namespace weir::model {
namespace {

/// Every agent applies a change within this (contract section 5); later is worth a colour.
constexpr Duration kApplyBound = std::chrono::seconds{5};
/// An agent heard of within this is not silent.
constexpr Duration kTalksWithin = std::chrono::seconds{3};

bool isAcknowledged(const AgentReport& agent, const RoutingSwitch& row)
{
    return agent.switchVersion >= row.version;
}

bool runsWhatWasAsked(const AgentReport& agent, const RoutingSwitch& row)
{
    const bool isFixedOrder =
        agent.mode == EffectiveMode::Fixed || agent.mode == EffectiveMode::Failsafe;
    switch (row.mode) {
    case Mode::Adaptive:
        return agent.mode == EffectiveMode::Adaptive;
    case Mode::Shadow:
        return agent.mode == EffectiveMode::Shadow;
    case Mode::Fixed:
        return isFixedOrder;
    }
    return false;
}

QString modeWord(const AgentReport& agent)
{
    switch (agent.mode) {
    case EffectiveMode::Adaptive:
        return QStringLiteral("ADAPTIVE");
    case EffectiveMode::Shadow:
        return QStringLiteral("SHADOW");
    case EffectiveMode::Fixed:
        return QStringLiteral("FIXED ORDER");
    case EffectiveMode::Failsafe:
        break;
    }
    if (agent.modeReason == "no_summary") return QStringLiteral("FIXED ORDER (no summary)");
    if (agent.modeReason == "summary_old") return QStringLiteral("FIXED ORDER (summary old)");
    return QStringLiteral("FIXED ORDER (switch unreadable)");
}

QString silenceOf(const AgentReport& agent, Duration silence)
{
    return agent.label() + QStringLiteral(" silent ") + age(silence) +
           QStringLiteral(", last reported ");
}

QString waitingFor(const AgentReport& agent, const RoutingSwitch& row, UtcTime now)
{
    const QString id = agent.label();
    if (isAcknowledged(agent, row)) {
        return id + QStringLiteral(" acknowledged, but reports ") + modeWord(agent);
    }
    const Duration silence = now - agent.heardAt;
    if (silence < kTalksWithin) {
        return id + QStringLiteral(" still runs v%1, reports ").arg(agent.switchVersion) +
               modeWord(agent);
    }
    return silenceOf(agent, silence) + modeWord(agent);
}

QString waitingFor(const AgentReport& agent, UtcTime now)
{
    const Duration silence = now - agent.heardAt;
    const QString version = QStringLiteral("v%1").arg(agent.settingsVersion);
    if (silence < kTalksWithin) return agent.label() + QStringLiteral(" still runs ") + version;
    return silenceOf(agent, silence) + version;
}

/// Where one agent stands.
struct Standing
{
    bool isAcknowledged = false;
    bool isApplied = false;
    std::optional<UtcTime> ackedAt;
    QString waitingFor;
};

/// What was written.
struct Written
{
    std::int64_t version = 0;
    UtcTime at{};
};

SwitchProgress progressOf(
    const Written& row,
    const Fleet& fleet,
    UtcTime now,
    const std::function<Standing(const AgentReport&)>& standingOf)
{
    SwitchProgress progress;
    progress.known = static_cast<int>(fleet.agents().size());
    Duration slowest{0};
    int acknowledged = 0;
    QStringList waiting;
    for (const AgentReport& agent : fleet.agents()) {
        const Standing standing = standingOf(agent);
        const bool isAcked = standing.isAcknowledged;
        acknowledged += isAcked ? 1 : 0;
        progress.applied += standing.isApplied ? 1 : 0;
        const Duration took =
            isAcked && standing.ackedAt ? *standing.ackedAt - row.at : Duration{0};
        if (isAcked) slowest = std::max(slowest, took);
        if (!standing.isApplied) waiting << standing.waitingFor;
        progress.chips.push_back(
            {agent.label(),
             standing.isApplied ? Tone::Ok
             : isAcked          ? Tone::Warning
                                : Tone::Stale,
             isAcked ? elapsed(took) : QStringLiteral("…")});
    }
    const QString count =
        QStringLiteral("%1/%2 ").arg(progress.applied).arg(progress.known) +
        (progress.known == 1 ? QStringLiteral("agent") : QStringLiteral("agents"));
    const Duration waited = now - row.at;
    progress.isComplete = progress.known > 0 && progress.applied == progress.known;
    if (progress.isComplete) {
        progress.tone = Tone::Ok;
        progress.headline =
            QStringLiteral("Applied by ") + count + QStringLiteral(" in ") + elapsed(slowest);
        return progress;
    }
    progress.headline = QStringLiteral("Written as v%1. Applied by ").arg(row.version) + count +
                        QStringLiteral(" · ") + elapsed(waited);
    const bool isAllAcknowledged = progress.known > 0 && acknowledged == progress.known;
    if (isAllAcknowledged) {
        progress.headline =
            QStringLiteral("Acknowledged by %1/%2 in ").arg(acknowledged).arg(progress.known) +
            elapsed(slowest) + QStringLiteral(", but run by ") + count;
    }
    const bool isLate = waited > kApplyBound || isAllAcknowledged;
    progress.tone = isLate ? Tone::Warning : Tone::Neutral;
    if (isLate) progress.detail = waiting.join(QChar('\n'));
    if (progress.known == 0)
        progress.detail = QStringLiteral("No agent is heard: nobody can apply it.");
    return progress;
}

} // namespace

SwitchProgress switchProgress(const RoutingSwitch& row, const Fleet& fleet, UtcTime now)
{
    return progressOf({row.version, row.updatedAt}, fleet, now, [&](const AgentReport& agent) {
        Standing standing;
        standing.isAcknowledged = isAcknowledged(agent, row);
        standing.isApplied = standing.isAcknowledged && runsWhatWasAsked(agent, row);
        standing.ackedAt = agent.ackedAt;
        standing.waitingFor = waitingFor(agent, row, now);
        return standing;
    });
}

SwitchProgress settingsProgress(const RoutingSettings& row, const Fleet& fleet, UtcTime now)
{
    return progressOf({row.version, row.updatedAt}, fleet, now, [&](const AgentReport& agent) {
        Standing standing;
        standing.isAcknowledged = agent.settingsVersion >= row.version;
        standing.isApplied = standing.isAcknowledged;
        standing.ackedAt = agent.settingsAckedAt;
        standing.waitingFor = waitingFor(agent, now);
        return standing;
    });
}

} // namespace weir::model
