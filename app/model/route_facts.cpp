// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/route_facts.h"

#include "app/model/drill_texts.h"
#include "app/model/format.h"

#include <algorithm>

namespace weir::model {
namespace {

constexpr std::size_t kCutsShown = 3;

void addDrills(const RouteScene& scene, ProviderState& state)
{
    if (scene.status == nullptr) return;
    for (const DrillStatus& each : scene.status->drills) {
        const Drill& drill = each.drill;
        const bool isHere =
            drill.model == scene.model->name && drill.provider == scene.route->provider;
        if (!isHere || drill.endsAt <= scene.now) continue;
        state.glyph = Glyph::Bars;
        state.tone = Tone::Off;
        state.word = QStringLiteral("drill");
        state.reasons.prepend(
            QStringLiteral("drill, for another ") + age(drill.endsAt - scene.now) +
            QStringLiteral(": ") + drillEffect(drill));
    }
}

void addAlerts(const RouteScene& scene, ProviderState& state)
{
    if (scene.status == nullptr) return;
    for (const Alert& alert : scene.status->alerts) {
        if (alert.route != scene.route->route) continue;
        state.reasons << plain(alert.text) + QStringLiteral(" · for ") +
                             age(scene.now - alert.since);
    }
}

/// Who switched it off, and why, instead of that somebody did.
void addOperator(const RouteScene& scene, ProviderState& state)
{
    const RouteSettings* const row =
        scene.known == nullptr ? nullptr : scene.known->settings(scene.route->provider);
    if (row == nullptr || row->enabled || scene.route->enabled) return;
    state.reasons.removeAll(QStringLiteral("taken out by an operator"));
    state.reasons.prepend(
        QStringLiteral("switched off by ") + plain(row->updatedBy) + QChar(' ') +
        age(scene.now - row->updatedAt) + QStringLiteral(" ago: “") + plain(row->reason) +
        QChar(0x201D));
}

void addLearned(const RouteScene& scene, ProviderState& state)
{
    const RouteFigures* const figures =
        scene.known == nullptr ? nullptr : scene.known->figures(scene.route->provider);
    if (figures == nullptr) return;
    const bool isCalm = state.tone == Tone::Ok || state.tone == Tone::Stale;
    if (figures->slow) {
        if (isCalm) {
            state.glyph = Glyph::HalfDisc;
            state.tone = Tone::Warning;
            state.word = QStringLiteral("slow");
        }
        state.reasons << QStringLiteral(
            "takes more than three times as long as the best: left out until it is faster");
    }
    if (figures->qualityFlag) {
        state.reasons << QStringLiteral("its answers were found worse: not compared by score");
    }
    if (!figures->sampleOk) {
        if (isCalm && scene.route->enabled) {
            state.glyph = Glyph::Diamond;
            state.tone = Tone::Neutral;
            state.word = QStringLiteral("slow start");
        }
        state.reasons << QStringLiteral("too few recent calls to be compared by score");
    }
}

QString gateWords(const RouteStatus& route)
{
    if (!route.gate) return unknown() + QStringLiteral(" nothing was sent yet");
    if (*route.gate == "open") return QStringLiteral("open: no recent cut");
    if (*route.gate == "cut") return QStringLiteral("cut after 429s");
    if (*route.gate == "floor") return QStringLiteral("at its floor after 429s");
    if (*route.gate == "recovering") return QStringLiteral("climbing back after a cut");
    return plain(*route.gate);
}

RouteFact permittedFact(const RouteStatus& route)
{
    RouteFact fact{QStringLiteral("Permitted"), unknown(), Tone::Neutral, std::nullopt};
    if (!route.permittedRps) {
        fact.value += QStringLiteral(" no limit was ever met");
        return fact;
    }
    fact.value = rate(route.permittedRps) + QStringLiteral(" req/s");
    fact.value += route.capRps
                      ? QStringLiteral(", ceiling ") + rate(route.capRps) + QStringLiteral(" req/s")
                      : QStringLiteral(", no ceiling is known");
    const bool isCut = route.gate == "cut" || route.gate == "floor";
    if (isCut) fact.tone = Tone::Warning;
    if (isCut) fact.glyph = Glyph::TriangleDown;
    return fact;
}

RouteFact usedFact(const RouteStatus& route)
{
    QString value = rate(route.rps1m) + QStringLiteral(" req/s");
    if (route.permittedRps && *route.permittedRps > 0.0) {
        value += QStringLiteral(", ") + percent(route.rps1m / *route.permittedRps) +
                 QStringLiteral(" of what is permitted");
    }
    return {QStringLiteral("Used, last minute"), value, Tone::Neutral, std::nullopt};
}

RouteFact cutsFact(const RouteScene& scene)
{
    RouteFact fact{
        QStringLiteral("Recent cuts"),
        QStringLiteral("none seen in the chart's time"),
        Tone::Neutral,
        std::nullopt};
    if (scene.history == nullptr) return fact;
    const auto cuts = cutsOf(*scene.history, scene.route->provider, scene.range);
    if (cuts.empty()) return fact;
    QStringList parts;
    const std::size_t first = cuts.size() > kCutsShown ? cuts.size() - kCutsShown : 0;
    for (std::size_t i = cuts.size(); i > first; --i) {
        const RateCut& cut = cuts[i - 1];
        parts << clockText(fromEpochMs(cut.time)) + QStringLiteral(" from ") + rate(cut.before) +
                     QStringLiteral(" to ") + rate(cut.after);
    }
    fact.value = parts.join(QStringLiteral("; "));
    if (first > 0) fact.value += QStringLiteral("; and %1 before").arg(first);
    return fact;
}

RouteFact breakerFact(const RouteScene& scene)
{
    RouteFact fact{QStringLiteral("Breaker"), unknown(), Tone::Neutral, std::nullopt};
    const auto& breaker = scene.route->breaker;
    if (breaker == "closed") fact.value = QStringLiteral("closed");
    if (breaker == "open") {
        fact = {fact.name, QStringLiteral("open"), Tone::Critical, Glyph::Square};
        if (scene.route->benchedUntil) {
            fact.value +=
                QStringLiteral(", tried again at ") + clockText(*scene.route->benchedUntil);
        }
    }
    if (breaker == "half_open") {
        fact = {fact.name, QStringLiteral("half open: probes"), Tone::Warning, Glyph::DiamondOpen};
    }
    if (scene.known == nullptr) return fact;
    std::int64_t last = 0;
    int opened = 0;
    for (const Incident& incident : scene.known->incidents) {
        if (incident.model != scene.model->name) continue;
        if (incident.provider != scene.route->provider) continue;
        for (const IncidentEvent& event : incident.events) {
            if (event.kind != "breaker_open") continue;
            ++opened;
            last = std::max(last, event.atMs);
        }
    }
    fact.value += opened == 0 ? QStringLiteral(" · not opened in the incidents of 24 h")
                              : QStringLiteral(" · opened %1× in 24 h, last ").arg(opened) +
                                    clockText(fromEpochMs(last));
    return fact;
}

RouteFactGroup rateGroup(const RouteScene& scene)
{
    const RouteStatus& route = *scene.route;
    RouteFactGroup group{QStringLiteral("Permitted rate and breaker"), {}};
    group.facts = {
        permittedFact(route),
        usedFact(route),
        {QStringLiteral("Gate"), gateWords(route), Tone::Neutral, std::nullopt},
        cutsFact(scene),
        breakerFact(scene),
        {QStringLiteral("In flight"),
         QString::number(route.inFlight) + QStringLiteral(", %1 waiting").arg(route.waiting),
         Tone::Neutral,
         std::nullopt}};
    return group;
}

QString quotaText(const RouteStatus& route)
{
    if (!route.config) return unknown() + QStringLiteral(" the agent does not tell");
    const Quota& quota = route.config->quota;
    if (!quota.known()) return QStringLiteral("none in the configuration");
    QStringList parts;
    if (quota.milliRps > 0) {
        const double rps = static_cast<double>(quota.milliRps) / 1e3;
        parts << rate(rps) + QStringLiteral(" req/s, ") + percent(route.rps1m / rps) +
                     QStringLiteral(" used");
    }
    if (quota.tokensPerMinute > 0) {
        parts << rate(static_cast<double>(quota.tokensPerMinute) / 1e6) +
                     QStringLiteral(" M tokens a minute");
    }
    return parts.join(QStringLiteral("; "));
}

RouteFactGroup quotaGroup(const RouteScene& scene)
{
    RouteFactGroup group{QStringLiteral("Quota and failover"), {}};
    group.facts.push_back(
        {QStringLiteral("Quota"), quotaText(*scene.route), Tone::Neutral, std::nullopt});
    const auto& all = scene.model->failover;
    const auto found = std::ranges::find(all, scene.route->provider, &FailoverStatus::provider);
    if (found != all.end()) {
        group.facts.push_back(
            {QStringLiteral("If it fails"),
             rate(found->moves.rps) + QStringLiteral(" req/s move at peak to ") +
                 listed(found->others),
             Tone::Neutral,
             std::nullopt});
    }
    group.facts.push_back(failoverFact(*scene.model, scene.route->provider));
    return group;
}

} // namespace

QString listed(const std::vector<std::string>& names)
{
    QStringList parts;
    for (const std::string& name : names)
        parts << plain(name);
    return parts.isEmpty() ? unknown() : parts.join(QStringLiteral(", "));
}

RouteFact failoverFact(const ModelStatus& model, const std::string& provider)
{
    RouteFact fact{QStringLiteral("Failover capacity"), unknown(), Tone::Neutral, std::nullopt};
    const auto found = std::ranges::find(model.failover, provider, &FailoverStatus::provider);
    if (found == model.failover.end()) {
        fact.value += QStringLiteral(" nothing was counted yet");
        return fact;
    }
    if (found->others.empty()) {
        fact.value = QStringLiteral("nothing else serves this model");
        fact.tone = Tone::Warning;
        fact.glyph = Glyph::Warning;
        return fact;
    }
    if (!found->ratio) {
        fact.value += QStringLiteral(" no limit is known of ") + listed(found->unknown);
        return fact;
    }
    const QString needs = QString::number(*found->ratio, 'f', 1) + QChar(0x00D7);
    fact.value = QStringLiteral("full failover needs ") + needs +
                 QStringLiteral(" of what the others are known to bear");
    const bool isShort = *found->ratio > 1.0;
    fact.tone = isShort ? Tone::Warning : Tone::Ok;
    fact.glyph = isShort ? Glyph::Warning : Glyph::Check;
    if (isShort && found->interactiveRatio.value_or(2.0) <= 1.0) {
        fact.value += QStringLiteral("; it fits where batch work waits");
    }
    return fact;
}

ProviderState fullState(const RouteScene& scene)
{
    ProviderState state = providerState(*scene.route, scene.now);
    addOperator(scene, state);
    addLearned(scene, state);
    addAlerts(scene, state);
    addDrills(scene, state);
    return state;
}

std::vector<RouteFactGroup> routeFacts(const RouteScene& scene)
{
    const ProviderState state = fullState(scene);
    RouteFactGroup reasons{QStringLiteral("State"), {}};
    reasons.facts.push_back({QStringLiteral("Now"), state.word, state.tone, state.glyph});
    for (const QString& reason : state.reasons) {
        const bool isFirst = reasons.facts.size() == 1;
        reasons.facts.push_back(
            {isFirst ? QStringLiteral("Because") : QString(), reason, Tone::Neutral, std::nullopt});
    }
    if (state.reasons.isEmpty()) {
        reasons.facts.push_back(
            {QStringLiteral("Because"),
             QStringLiteral("nothing speaks against it"),
             Tone::Neutral,
             std::nullopt});
    }
    std::vector<RouteFactGroup> groups{reasons, rateGroup(scene), quotaGroup(scene)};
    for (RouteFactGroup& group : learnedFacts(scene))
        groups.push_back(std::move(group));
    return groups;
}

} // namespace weir::model
