// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/tiles.h"

#include "app/model/format.h"
#include "app/model/provider_state.h"

#include <algorithm>

namespace weir::model {
namespace {

struct Sums
{
    std::int64_t attempts = 0;
    std::int64_t failures = 0;
    std::int64_t rateLimited = 0;
    std::optional<std::int64_t> costMicroUsd;
};

Sums sumsOf(const ModelStatus& model)
{
    Sums sums;
    for (const RouteStatus& route : model.routes) {
        sums.attempts += attemptsOf(route);
        sums.failures += failuresOf(route);
        sums.rateLimited += route.rateLimited1m;
        if (route.costMicroUsd1m) {
            sums.costMicroUsd = sums.costMicroUsd.value_or(0) + *route.costMicroUsd1m;
        }
    }
    return sums;
}

std::optional<double> shareOf(std::int64_t part, std::int64_t whole)
{
    if (whole <= 0) return std::nullopt;
    return static_cast<double>(part) / static_cast<double>(whole);
}

QString ofAttempts(std::int64_t part, std::int64_t whole)
{
    if (whole <= 0) return QStringLiteral("no attempt in 1 min");
    return QStringLiteral("%1 of %2").arg(part).arg(counted(whole, QStringLiteral("attempt")));
}

Tone toneOf(std::optional<double> share, double warn, double critical)
{
    if (!share || *share < warn) return Tone::Neutral;
    return *share < critical ? Tone::Warning : Tone::Critical;
}

Tile leaderTile(const AgentStatus& status, const ModelStatus& model)
{
    const std::string leader = leaderOf(model);
    if (leader.empty()) {
        return {
            QStringLiteral("Leader"),
            unknown(),
            QStringLiteral("no route is usable"),
            Tone::Neutral};
    }
    const auto route = std::ranges::find(model.routes, leader, &RouteStatus::provider);
    QString detail = plain(model.name);
    if (route != model.routes.end() && route->score) {
        detail = QStringLiteral("score ") + QString::number(*route->score, 'f', 3);
    } else if (status.effectiveMode != EffectiveMode::Adaptive) {
        detail = QStringLiteral("by the fixed order");
    }
    return {QStringLiteral("Leader"), plain(leader), detail, Tone::Neutral};
}

Tile ttftTile(const ModelStatus& model)
{
    Tile tile{
        QStringLiteral("TTFT p50"), unknown(), QStringLiteral("nothing measured in 1 min"), {}};
    const auto route = std::ranges::find(model.routes, leaderOf(model), &RouteStatus::provider);
    if (route == model.routes.end() || !route->ttftMs.p50) return tile;
    tile.value = secondsFromMs(route->ttftMs.p50);
    tile.detail = QStringLiteral("p95 ") + secondsFromMs(route->ttftMs.p95) +
                  QStringLiteral(" · ") + plain(route->provider);
    return tile;
}

} // namespace

std::string leaderOf(const ModelStatus& model)
{
    const auto found = model.leader.find("default");
    if (found != model.leader.end()) return found->second;
    return model.leader.empty() ? std::string{} : model.leader.begin()->second;
}

std::vector<Tile> liveTiles(const AgentStatus* status, const ModelStatus* model)
{
    const QStringList captions{
        QStringLiteral("Leader"),
        QStringLiteral("Requests/s"),
        QStringLiteral("TTFT p50"),
        QStringLiteral("429s"),
        QStringLiteral("Failed attempts"),
        QStringLiteral("Cost per minute")};
    std::vector<Tile> tiles;
    if (status == nullptr || model == nullptr) {
        for (const QString& caption : captions) {
            tiles.push_back({caption, unknown(), QStringLiteral("no data yet"), Tone::Neutral});
        }
        return tiles;
    }
    const Sums sums = sumsOf(*model);
    const auto limited = shareOf(sums.rateLimited, sums.attempts);
    const auto failed = shareOf(sums.failures, sums.attempts);
    const bool isOnlyModel = status->models.size() == 1;
    tiles.push_back(leaderTile(*status, *model));
    tiles.push_back(
        {captions[1],
         rate(status->requestsPerS1m),
         isOnlyModel ? QStringLiteral("mean of 1 min")
                     : QStringLiteral("all models, mean of 1 min"),
         Tone::Neutral});
    tiles.push_back(ttftTile(*model));
    tiles.push_back(
        {captions[3],
         percent(limited),
         ofAttempts(sums.rateLimited, sums.attempts),
         toneOf(limited, 0.02, 0.2)});
    tiles.push_back(
        {captions[4],
         percent(failed),
         ofAttempts(sums.failures, sums.attempts),
         toneOf(failed, 0.05, 0.3)});
    tiles.push_back(
        {captions[5],
         money(sums.costMicroUsd),
         sums.costMicroUsd ? QStringLiteral("spent in the last minute")
                           : QStringLiteral("no price or no tokens known"),
         Tone::Neutral});
    return tiles;
}

} // namespace weir::model
