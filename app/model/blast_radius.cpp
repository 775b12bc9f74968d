// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/blast_radius.h"

#include "app/model/format.h"

#include <algorithm>
#include <limits>

namespace weir::model {
namespace {

std::optional<double> limitOf(const RouteStatus& route)
{
    std::optional<double> limit;
    const auto bound = [&limit](double rps) { limit = std::min(limit.value_or(rps), rps); };
    if (route.config && route.config->quota.milliRps > 0) {
        bound(static_cast<double>(route.config->quota.milliRps) / 1e3);
    }
    if (route.capRps) bound(*route.capRps);
    if (route.permittedRps) bound(*route.permittedRps);
    return limit;
}

QString targetLine(const BlastTarget& target)
{
    QString text = QStringLiteral("To ") + target.provider + QStringLiteral(": serves ") +
                   rate(target.usedRps) + QStringLiteral(" req/s");
    if (const auto room = target.roomRps()) {
        text += QStringLiteral(" of ") + rate(target.limitRps) + QStringLiteral(", room for ") +
                rate(room);
    } else {
        text += QStringLiteral(", no limit is known");
    }
    const bool isCalm = target.state.tone == Tone::Ok || target.state.tone == Tone::Stale;
    return isCalm ? text : text + QStringLiteral(" · ") + target.state.word;
}

} // namespace

std::optional<double> BlastTarget::roomRps() const
{
    if (!limitRps) return std::nullopt;
    return std::max(0.0, *limitRps - usedRps);
}

std::optional<double> BlastRadius::roomRps() const
{
    double room = 0.0;
    for (const BlastTarget& target : targets) {
        const auto own = target.roomRps();
        if (!own) return std::nullopt;
        room += *own;
    }
    return room;
}

BlastRadius
blastRadius(const ModelStatus& model, const std::string& provider, double share, UtcTime now)
{
    BlastRadius radius;
    std::vector<const RouteStatus*> others;
    for (const RouteStatus& route : model.routes) {
        if (route.provider == provider) {
            radius.movedRps = route.rps1m * share;
            if (route.share1m) radius.share = *route.share1m * share;
        } else if (route.enabled) {
            others.push_back(&route);
        }
    }
    std::ranges::stable_sort(others, {}, [](const RouteStatus* route) {
        return route->rank.value_or(std::numeric_limits<int>::max());
    });
    for (const RouteStatus* route : others) {
        radius.targets.push_back(
            {plain(route->provider), route->rps1m, limitOf(*route), providerState(*route, now)});
    }
    return radius;
}

QStringList radiusLines(const BlastRadius& radius, const QString& model)
{
    QString moved = QStringLiteral("Moves ") + rate(radius.movedRps) + QStringLiteral(" req/s");
    if (radius.share)
        moved += QStringLiteral(", ") + percent(radius.share) + QStringLiteral(" of ") + model;
    QStringList lines{moved};
    for (const BlastTarget& target : radius.targets)
        lines << targetLine(target);
    if (radius.targets.empty()) {
        lines << QStringLiteral("Nothing else serves this model");
        return lines;
    }
    const auto room = radius.roomRps();
    if (!room) return lines;
    lines
        << (*room >= radius.movedRps
                ? QStringLiteral("Together they have room for it: %1 req/s").arg(rate(room))
                : QStringLiteral("Together they have room for %1 req/s: %2 too little")
                      .arg(rate(room), rate(radius.movedRps - *room)));
    return lines;
}

} // namespace weir::model
