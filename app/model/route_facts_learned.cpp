// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/format.h"
#include "app/model/route_facts.h"

#include <algorithm>

namespace weir::model {
namespace {

using Figures = RouteFigures;

constexpr double kPpmOne = 1e6;
/// Calls that a route must have had to be compared (routing.md section 3).
constexpr std::int64_t kFewCalls = 30;
/// Behind a time to first token that counts (routing.md section 3).
constexpr int kFewAnswers = 5;

RouteFact fact(const char* name, QString value)
{
    return {QString::fromUtf8(name), std::move(value), Tone::Neutral, std::nullopt};
}

std::optional<double> shareOf(std::optional<std::int64_t> ppm)
{
    if (!ppm) return std::nullopt;
    return static_cast<double>(*ppm) / kPpmOne;
}

const ProviderDay* dayOf(const RouteScene& scene)
{
    if (scene.known == nullptr) return nullptr;
    const auto found = scene.known->day.find(scene.route->provider);
    return found == scene.known->day.end() ? nullptr : &found->second;
}

QString thousandsOf(std::int64_t tokens)
{
    if (tokens <= 0) return unknown();
    return rate(static_cast<double>(tokens) / 1e3) + QStringLiteral(" k");
}

QString measuredText(const RouteScene& scene)
{
    if (scene.known == nullptr) return unknown() + QStringLiteral(" the store was not read");
    const ProviderDay* const day = dayOf(scene);
    if (day == nullptr) return unknown() + QStringLiteral(" no call in 24 h");
    const std::int64_t priced = day->sums.calls - day->sums.costUnknown;
    if (priced <= 0) return unknown() + QStringLiteral(" no call with a known cost in 24 h");
    QString text = money(day->sums.costMicroUsd * 1000 / priced) +
                   QStringLiteral(" a thousand calls by this card");
    if (day->sums.costUnknown > 0) {
        text += QStringLiteral("; of %1 the cost is unknown").arg(day->sums.costUnknown);
    }
    return text;
}

RouteFactGroup priceGroup(const RouteScene& scene, const Figures* figures)
{
    RouteFactGroup group{QStringLiteral("Price and cost"), {}};
    const auto& config = scene.route->config;
    if (config && config->price) {
        const Price& price = *config->price;
        group.facts.push_back(fact(
            "Price card",
            QStringLiteral("input ") + priceText(price.input) + QStringLiteral(", cached ") +
                priceText(price.cachedInput) + QStringLiteral(", cache write ") +
                priceText(price.cacheWrite) + QStringLiteral(", output ") +
                priceText(price.output) + QStringLiteral(" per million tokens")));
        group.facts.push_back(
            fact("Valid from", unknown() + QStringLiteral(" the configuration names no date")));
    } else {
        const bool isTold = config.has_value();
        group.facts.push_back(fact(
            "Price card",
            unknown() + (isTold ? QStringLiteral(" none in the configuration: last by cost")
                                : QStringLiteral(" the agent does not tell"))));
    }
    if (figures != nullptr && figures->costNanoUsd > 0) {
        const auto micro = figures->costNanoUsd / 1000;
        group.facts.push_back(
            fact("Standard task", money(micro) + QStringLiteral(", what it is compared with")));
    }
    group.facts.push_back(fact("Measured, 24 h", measuredText(scene)));
    group.facts.push_back(
        fact("Billed", unknown() + QStringLiteral(" no bill of the provider is read")));
    return group;
}

RouteFactGroup cacheGroup(const RouteScene& scene, const Figures& figures)
{
    const HitRate& hit = figures.hit;
    RouteFactGroup group{QStringLiteral("Cache hit rate"), {}};
    group.facts.push_back(
        fact("Priced with", percent(shareOf(hit.usedPpm)) + QStringLiteral(" of the input")));
    QString steady = unknown() + QStringLiteral(" it never led");
    if (hit.steadyPpm) {
        steady =
            percent(shareOf(hit.steadyPpm)) + QStringLiteral(", %1 calls").arg(hit.steadyCalls);
        if (hit.leadingSinceMs > 0) {
            steady += QStringLiteral(", leading since ") +
                      age(scene.now - fromEpochMs(hit.leadingSinceMs));
        } else if (hit.steadyEndMs > 0) {
            steady += QStringLiteral(", ended ") + age(scene.now - fromEpochMs(hit.steadyEndMs)) +
                      QStringLiteral(" ago");
        }
    }
    group.facts.push_back(fact("As leader", steady));
    group.facts.push_back(fact(
        "Recency",
        QStringLiteral("own rate counts ") + percent(shareOf(hit.weightPpm)) +
            QStringLiteral(", all routes' rate of ") + percent(shareOf(hit.poolPpm)) +
            QStringLiteral(" the rest")));
    group.facts.push_back(fact("Measured, 48 h", percent(shareOf(hit.observedPpm))));
    return group;
}

QString sampleText(const Figures& figures)
{
    if (figures.sampleOk) {
        return QStringLiteral("compared by score: %1 calls in 48 h").arg(figures.calls48h);
    }
    const QString text = QStringLiteral("slow start: ") + percent(shareOf(figures.shareToPpm)) +
                         QStringLiteral(" of traffic, next step ");
    if (figures.calls48h < kFewCalls) {
        return text +
               QStringLiteral("at %1 calls (%2 so far)").arg(kFewCalls).arg(figures.calls48h);
    }
    return text + QStringLiteral("with %1 answers behind its first token (%2 so far)")
                      .arg(kFewAnswers)
                      .arg(figures.ttftUs.samples);
}

QString windowText(const LearnedFigure& figure, double scale, const QString& unit, UtcTime now)
{
    if (figure.value <= 0) return unknown() + QStringLiteral(" never measured");
    QString text = rate(static_cast<double>(figure.value) / scale) + unit +
                   QStringLiteral(", n %1").arg(figure.samples);
    if (figure.state == WindowState::Lowered) {
        text += QStringLiteral(", lowered ") + age(now - fromEpochMs(figure.sinceMs)) +
                QStringLiteral(" ago until a full sample says otherwise");
    }
    if (figure.unverified) text += QStringLiteral(", back to normal by age alone");
    return text;
}

RouteFactGroup
learningGroup(const RouteScene& scene, const PoolSummary& pool, const Figures& figures)
{
    RouteFactGroup group{QStringLiteral("Learning"), {}};
    group.facts.push_back(fact("Task type", plain(pool.taskType)));
    group.facts.push_back(fact("Sample", sampleText(figures)));
    QString score = figures.score > 0 ? rate(static_cast<double>(figures.score) / 1e9) : unknown();
    if (figures.rank > 0) score += QStringLiteral(", rank %1").arg(figures.rank);
    if (pool.leader == figures.provider) {
        score +=
            QStringLiteral(", leads since ") + age(scene.now - fromEpochMs(pool.leaderSinceMs));
    }
    group.facts.push_back(fact("Score", score));
    QString share = percent(shareOf(figures.shareToPpm));
    if (figures.shareFromPpm != figures.shareToPpm) {
        share = percent(shareOf(figures.shareFromPpm)) + QStringLiteral(" to ") + share +
                QStringLiteral(" by ") + clockText(fromEpochMs(pool.rampStartMs + pool.rampMs));
    }
    group.facts.push_back(fact("Planned share", share));
    group.facts.push_back(fact(
        "Exploration",
        percent(shareOf(figures.explorePpm)) + QStringLiteral(" of the tasks that may explore")));
    group.facts.push_back(
        fact("First token", windowText(figures.ttftUs, 1e6, QStringLiteral(" s"), scene.now)));
    group.facts.push_back(
        fact("Speed", windowText(figures.milliTps, 1e3, QStringLiteral(" tok/s"), scene.now)));
    return group;
}

QString errorsText(const ProviderDay& day)
{
    QStringList parts;
    for (std::size_t i = 0; i < kOutcomeCount; ++i) {
        const auto outcome = static_cast<Outcome>(i);
        if (day.sums.outcomes[i] == 0 || isSuccess(outcome) || isNeutral(outcome)) continue;
        const QString word = outcome == Outcome::RateLimited
                                 ? QStringLiteral("429")
                                 : plain(toWord(outcome)).replace(QChar('_'), QChar(' '));
        parts << QStringLiteral("%1 × %2").arg(day.sums.outcomes[i]).arg(word);
    }
    const double share = static_cast<double>(day.failures()) / static_cast<double>(day.sums.calls);
    QString text = percent(share);
    if (!parts.isEmpty()) text += QStringLiteral(": ") + parts.join(QStringLiteral(", "));
    return text;
}

std::optional<double> scaled(std::optional<std::int64_t> value, double scale)
{
    if (!value) return std::nullopt;
    return static_cast<double>(*value) / scale;
}

RouteFactGroup dayGroup(const RouteScene& scene)
{
    RouteFactGroup group{QStringLiteral("Last 24 hours"), {}};
    const ProviderDay* const day = dayOf(scene);
    if (day == nullptr || day->sums.calls == 0) {
        group.facts.push_back(fact("Calls", QStringLiteral("none")));
        return group;
    }
    std::int64_t all = 0;
    for (const auto& [provider, other] : scene.known->day)
        all += other.sums.calls;
    group.facts.push_back(fact(
        "Calls",
        QStringLiteral("%1, ").arg(day->sums.calls) +
            percent(static_cast<double>(day->sums.calls) / static_cast<double>(all)) +
            QStringLiteral(" of the model's")));
    group.facts.push_back(fact("Errors", errorsText(*day)));
    group.facts.push_back(fact(
        "First token",
        seconds(scaled(day->ttftUs.quantile(0.5), 1e6)) + QStringLiteral(" p50, ") +
            seconds(scaled(day->ttftUs.quantile(0.95), 1e6)) + QStringLiteral(" p95")));
    const auto speed = scaled(day->milliTps.quantile(0.5), 1e3);
    group.facts.push_back(
        fact("Speed", speed ? rate(speed) + QStringLiteral(" tok/s p50") : unknown()));
    group.facts.push_back(fact("Cost", money(day->sums.costMicroUsd)));
    return group;
}

RouteFactGroup eligibilityGroup(const RouteScene& scene)
{
    RouteFactGroup group{QStringLiteral("What may go there"), {}};
    group.facts.push_back(fact("Route", plain(scene.route->route)));
    const auto& config = scene.route->config;
    if (!config) {
        group.facts.push_back(fact("Facts", unknown() + QStringLiteral(" the agent tells none")));
        return group;
    }
    const QString region = plain(config->region);
    group.facts.push_back(fact("Region", region.isEmpty() ? unknown() : region));
    group.facts.push_back(fact(
        "Context",
        thousandsOf(config->contextTokens) + QStringLiteral(" tokens, answer ") +
            thousandsOf(config->maxOutputTokens)));
    group.facts.push_back(fact("Can do", listed(config->capabilities)));
    group.facts.push_back(fact("Contract", listed(config->terms)));
    for (const QualityScore& score : scene.route->quality) {
        group.facts.push_back(
            {QStringLiteral("Eval ") + plain(score.taskType),
             rate(static_cast<double>(score.scorePpm) / kPpmOne) +
                 QStringLiteral(", %1 cases, ").arg(score.cases) + age(scene.now - score.scoredAt) +
                 QStringLiteral(" ago"),
             Tone::Neutral,
             std::nullopt});
    }
    return group;
}

} // namespace

QString priceText(std::int64_t picoPerToken)
{
    // Pico-dollars a token are micro-dollars a million.
    const double usd = static_cast<double>(picoPerToken) / 1e6;
    const bool isCents = picoPerToken % 10'000 == 0;
    return QStringLiteral("$") + QString::number(usd, 'f', isCents ? 2 : 4);
}

std::vector<RouteFactGroup> learnedFacts(const RouteScene& scene)
{
    const PoolSummary* const pool = scene.known == nullptr ? nullptr : scene.known->pool();
    const Figures* const figures =
        scene.known == nullptr ? nullptr : scene.known->figures(scene.route->provider);
    std::vector<RouteFactGroup> groups;
    if (scene.known != nullptr) groups.push_back(dayGroup(scene));
    groups.push_back(priceGroup(scene, figures));
    if (figures != nullptr) {
        groups.push_back(cacheGroup(scene, *figures));
        groups.push_back(learningGroup(scene, *pool, *figures));
    } else if (scene.known != nullptr) {
        groups.push_back(
            {QStringLiteral("Learning"),
             {fact(
                 "Sample", unknown() + QStringLiteral(" nothing was learned of this route yet"))}});
    }
    groups.push_back(eligibilityGroup(scene));
    return groups;
}

} // namespace weir::model
