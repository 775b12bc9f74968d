// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/switch_draft.h"

#include "app/model/format.h"
#include "app/model/provider_state.h"

#include <algorithm>

namespace weir::model {
namespace {

using Verdict = PreflightItem::Verdict;

constexpr qsizetype kReasonCharacters = 10;

std::vector<RouteStatus> inFixedOrder(const ModelStatus& model)
{
    std::vector<RouteStatus> routes = model.routes;
    std::ranges::stable_sort(
        routes, {}, [](const RouteStatus& r) { return r.rank.value_or(1000); });
    return routes;
}

/// The order is only known while the agent runs it: otherwise ranks are those of the scores.
bool reportsFixedOrder(const AgentStatus* status)
{
    return status != nullptr && status->effectiveMode != EffectiveMode::Adaptive;
}

QString names(const std::vector<AgentReport>& agents)
{
    QStringList list;
    for (const AgentReport& agent : agents)
        list << agent.label();
    return list.join(QStringLiteral(", "));
}

PreflightItem heardItem(const Fleet& fleet, UtcTime now)
{
    const auto silent = fleet.silent(now);
    if (fleet.agents().empty()) return {Verdict::Failed, QStringLiteral("No agent is heard")};
    if (silent.empty()) {
        return {
            Verdict::Passed,
            counted(static_cast<std::int64_t>(fleet.agents().size()), QStringLiteral("agent")) +
                QStringLiteral(" heard in the last 15 s")};
    }
    return {Verdict::Failed, QStringLiteral("Silent for 15 s or more: ") + names(silent)};
}

PreflightItem settingsItem(const SwitchFacts& facts, UtcTime now)
{
    if (!facts.settings) return {Verdict::Failed, QStringLiteral("The settings cannot be read")};
    std::vector<AgentReport> behind = facts.fleet->heard(now);
    std::erase_if(behind, [&](const AgentReport& agent) {
        return agent.settingsVersion >= facts.settings->version;
    });
    const QString version = QStringLiteral("settings v%1").arg(facts.settings->version);
    if (behind.empty()) return {Verdict::Passed, QStringLiteral("All agents run ") + version};
    return {
        Verdict::Failed,
        QStringLiteral("Not yet on ") + version + QStringLiteral(": ") + names(behind)};
}

PreflightItem summaryItem(const AgentStatus* status)
{
    if (status == nullptr || !status->summary) {
        return {
            Verdict::Warning,
            QStringLiteral(
                "No summary has been computed yet: agents will acknowledge the switch and "
                "keep the fixed order (no summary) until there is one")};
    }
    const auto old =
        std::chrono::milliseconds{static_cast<std::int64_t>(status->summary->ageS * 1000.0)};
    return {Verdict::Passed, QStringLiteral("Summary is ") + age(old) + QStringLiteral(" old")};
}

PreflightItem explorationItem(const RoutingSettings& settings)
{
    const auto found = settings.numbers.find("exploration_share");
    const double share = found == settings.numbers.end() ? 0.0 : found->second;
    if (share > 0.0) return {Verdict::Passed, QStringLiteral("Exploration is ") + percent(share)};
    return {
        Verdict::Failed,
        QStringLiteral("Exploration is off: other providers would never be tried")};
}

} // namespace

QString SwitchDraft::reason() const
{
    const QString own = text.trimmed();
    if (chip.isEmpty()) return own;
    return own.isEmpty() ? chip : chip + QStringLiteral(": ") + own;
}

bool SwitchDraft::hasReason() const
{
    return !chip.isEmpty() || text.trimmed().size() >= kReasonCharacters;
}

QStringList reasonChips(Mode target)
{
    if (target == Mode::Adaptive) {
        return {
            QStringLiteral("incident over"),
            QStringLiteral("after a drill"),
            QStringLiteral("planned start")};
    }
    return {
        QStringLiteral("429 storm"),
        QStringLiteral("slow"),
        QStringLiteral("wrong routing"),
        QStringLiteral("drill"),
        QStringLiteral("other")};
}

std::vector<PreflightItem> preflight(const SwitchFacts& facts, UtcTime now)
{
    std::vector<PreflightItem> items;
    if (facts.isStoreReadable) {
        items.push_back({Verdict::Passed, QStringLiteral("The store is readable")});
    } else {
        items.push_back(
            {Verdict::Failed, QStringLiteral("The store is not readable: ") + facts.storeTrouble});
    }
    items.push_back(heardItem(*facts.fleet, now));
    items.push_back(settingsItem(facts, now));
    if (facts.settings) items.push_back(explorationItem(*facts.settings));
    items.push_back(summaryItem(facts.status));
    if (facts.status != nullptr && !facts.status->alerts.empty()) {
        const Alert& first = facts.status->alerts.front();
        const auto count = static_cast<std::int64_t>(facts.status->alerts.size());
        items.push_back(
            {Verdict::Warning,
             counted(count, QStringLiteral("open alert")) + QStringLiteral(": ") +
                 plain(first.text)});
    }
    return items;
}

QString effectText(const SwitchFacts& facts, Mode target, UtcTime now)
{
    const auto heard = static_cast<std::int64_t>(facts.fleet->heard(now).size());
    QString text = counted(heard, QStringLiteral("agent"));
    if (facts.status != nullptr) {
        text += QStringLiteral(", ") + rate(facts.status->requestsPerS1m) +
                QStringLiteral(" requests/s, ");
    } else {
        text += QChar(' ');
    }
    if (target == Mode::Adaptive) {
        return text + QStringLiteral("to adaptive routing within about 5 s.");
    }
    text += QStringLiteral("to the configured fixed order");
    QStringList orders;
    if (reportsFixedOrder(facts.status)) {
        for (const ModelStatus& model : facts.status->models) {
            QStringList providers;
            for (const RouteStatus& route : inFixedOrder(model))
                providers << plain(route.provider);
            orders << plain(model.name) + QStringLiteral(": ") +
                          providers.join(QStringLiteral(", "));
        }
    }
    if (!orders.isEmpty()) {
        text += QStringLiteral(" (") + orders.join(QStringLiteral("; ")) + QChar(')');
    }
    return text + QStringLiteral(" within about 5 s. Exploration stops.");
}

QStringList switchWarnings(const SwitchFacts& facts, Mode target, UtcTime now)
{
    QStringList warnings;
    const auto silent = facts.fleet->silent(now);
    if (!silent.empty()) {
        warnings << names(silent) + QStringLiteral(" will not hear of it: silent for 15 s or more");
    }
    if (target != Mode::Fixed || !reportsFixedOrder(facts.status)) return warnings;
    for (const ModelStatus& model : facts.status->models) {
        if (model.routes.empty()) continue;
        const RouteStatus first = inFixedOrder(model).front();
        const ProviderState state = providerState(first, now);
        if (state.tone != Tone::Critical && state.tone != Tone::Warning) continue;
        warnings << plain(first.provider) + QStringLiteral(", first in the fixed order of ") +
                        plain(model.name) + QStringLiteral(", is ") + state.word;
    }
    return warnings;
}

} // namespace weir::model
