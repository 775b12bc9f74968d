// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/routing/decide.h"

#include <QString>
#include <QStringList>

#include <string>
#include <vector>

/// Decisions as a reader would say them, and pools in one line each.
namespace weir::routing::test {

/// "b:leader c:failover a:last-resort": routes by letter.
inline QString spoken(const Decision& decision)
{
    QStringList words;
    for (const Candidate& candidate : decision.candidates) {
        const auto reason = toWord(candidate.reason);
        words += QChar(static_cast<char16_t>(u'a' + candidate.route)) + QLatin1String(":") +
                 QLatin1String(reason.data(), static_cast<qsizetype>(reason.size()));
    }
    return words.join(u' ');
}

/// "a:best b:slow3x c:ineligible": why each route stands where it does, in the input's order.
inline QString codes(const Decision& decision)
{
    QStringList words;
    for (std::size_t i = 0; i < decision.codes.size(); ++i) {
        const auto code = toWord(decision.codes[i]);
        words += QChar(static_cast<char16_t>(u'a' + i)) + QLatin1String(":") +
                 QLatin1String(code.data(), static_cast<qsizetype>(code.size()));
    }
    return words.join(u' ');
}

/// A sampled, trusted route; cost in nano-dollars, time in microseconds.
inline RouteFigures figures(std::string provider, std::int64_t cost, std::int64_t timeUs)
{
    RouteFigures route;
    route.provider = std::move(provider);
    route.costNanoUsd = cost;
    route.timeUs = timeUs;
    route.ttftUs.value = timeUs / 2;
    route.sampleOk = true;
    route.trusted = true;
    return route;
}

inline PoolSummary pool(std::vector<RouteFigures> routes, std::string leader)
{
    PoolSummary summary;
    summary.model = "m";
    summary.taskType = "default";
    summary.routes = std::move(routes);
    summary.leader = std::move(leader);
    for (RouteFigures& route : summary.routes) {
        if (route.provider == summary.leader) {
            route.shareFromPpm = route.shareToPpm = kPpm;
        } else {
            route.explorePpm = 50'000;
        }
    }
    return summary;
}

/// An adaptive request over `count` eligible routes whose fixed order is that of the input.
inline DecisionInput request(std::size_t count, std::uint64_t task = 1)
{
    DecisionInput input;
    input.mode = EffectiveMode::Adaptive;
    input.nowMs = 1'000'000;
    input.seed = 42;
    input.taskKey = {task, 7};
    input.requestKey = {task ^ 0x5555, 9};
    for (std::size_t i = 0; i < count; ++i) {
        RouteOption option;
        option.fixedPosition = static_cast<std::uint16_t>(i);
        option.listPriceNanoUsd = 1000;
        input.routes.push_back(option);
    }
    return input;
}

inline std::vector<std::string> names(std::size_t count)
{
    std::vector<std::string> list;
    for (std::size_t i = 0; i < count; ++i)
        list.emplace_back(1, static_cast<char>('a' + i));
    return list;
}

} // namespace weir::routing::test
