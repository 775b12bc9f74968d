// SPDX-License-Identifier: Apache-2.0
#include "common/routing/preference.h"

#include "common/routing/philox.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace weir::routing {
namespace {

/// Scores nearer than a thousandth are a tie.
constexpr std::int64_t kTieParts = 1000;

bool eligible(const DecisionInput& input, std::size_t route)
{
    return input.routes[route].exclusion == Exclusion::None;
}

Preference blank(const DecisionInput& input)
{
    Preference preference;
    preference.codes.resize(input.routes.size());
    preference.scores.resize(input.routes.size());
    preference.slow.resize(input.routes.size());
    for (std::size_t i = 0; i < input.routes.size(); ++i) {
        preference.codes[i] = ReasonCode::Ineligible;
        if (eligible(input, i)) preference.order.push_back(static_cast<std::uint8_t>(i));
    }
    return preference;
}

/// Sorts `order` by a key of the route; keys end in the fixed position, so no two are equal and the
/// order of the input does not matter.
template <class Key>
void sortBy(Preference& preference, const Key& key)
{
    std::sort(
        preference.order.begin(), preference.order.end(), [&key](std::uint8_t a, std::uint8_t b) {
            return key(a) < key(b);
        });
}

/// Scores over the eligible routes. False where nothing can be compared.
bool scoreEligible(const PoolView& pool, const DecisionInput& input, Preference& preference)
{
    const StaticVector<Standing, kRoutesMax> used = standingsOf(pool, input);
    bool any = false;
    for (std::size_t i = 0; i < used.size(); ++i) {
        preference.scores[i] = used[i].score;
        preference.slow[i] = used[i].slow;
        any = any || (used[i].trusted && used[i].score > 0);
    }
    return any;
}

ReasonCode standingCode(const PoolView& pool, const Preference& preference, std::size_t route)
{
    const RouteFigures* const figures = pool.figures(route);
    if (preference.slow[route]) return ReasonCode::Slow;
    if (figures != nullptr && figures->qualityFlag) return ReasonCode::Quality;
    if (figures == nullptr || !figures->sampleOk || preference.scores[route] == 0) {
        return ReasonCode::Unproven;
    }
    return ReasonCode::Failover;
}

/// Groups in which scores are compared; a smaller one always comes first.
int group(ReasonCode code)
{
    switch (code) {
    case ReasonCode::Slow:
        return 4;
    case ReasonCode::Quality:
        return 3;
    case ReasonCode::Unproven:
        return 2;
    default:
        return 1;
    }
}

/// Shuffles runs of routes that score the same, within a group.
void shuffleTies(Preference& preference, const DecisionInput& input)
{
    const Coin coin(input.seed, input.taskKey);
    auto* const end = preference.order.end();
    for (auto* first = preference.order.begin(); first != end;) {
        const std::int64_t top = preference.scores[*first];
        auto* last = first + 1;
        while (last != end && preference.codes[*last] == preference.codes[*first] &&
               preference.codes[*last] == ReasonCode::Failover &&
               (top - preference.scores[*last]) * kTieParts <= top) {
            ++last;
        }
        std::sort(first, last, [&coin, &input](std::uint8_t a, std::uint8_t b) {
            const auto key = [&coin, &input](std::uint8_t route) {
                const std::uint16_t place = input.routes[route].fixedPosition;
                return std::pair(coin.draw(Purpose::Tie, place), place);
            };
            return key(a) < key(b);
        });
        first = last;
    }
}

/// The list price, which every route has alike, measured or not; unknown last.
std::int64_t priceOf(const DecisionInput& input, std::size_t route)
{
    const std::int64_t list = input.routes[route].listPriceNanoUsd;
    return list > 0 ? list : std::numeric_limits<std::int64_t>::max();
}

std::int64_t timeOf(const PoolView& pool, std::size_t route)
{
    const RouteFigures* const figures = pool.figures(route);
    return figures != nullptr && figures->timeUs > 0 ? figures->timeUs
                                                     : std::numeric_limits<std::int64_t>::max();
}

} // namespace

Preference preferConfigured(const DecisionInput& input)
{
    Preference preference = blank(input);
    sortBy(preference, [&input](std::uint8_t route) { return input.routes[route].fixedPosition; });
    const ReasonCode code =
        input.mode == EffectiveMode::Failsafe ? ReasonCode::StaleFixed : ReasonCode::OffFixed;
    for (const std::uint8_t route : preference.order)
        preference.codes[route] = ReasonCode::Failover;
    if (!preference.order.empty()) preference.codes[preference.order[0]] = code;
    preference.firstReason = Reason::Fixed;
    return preference;
}

Preference preferScored(const PoolView& pool, const DecisionInput& input)
{
    Preference preference = blank(input);
    if (!pool.known() || !scoreEligible(pool, input, preference)) {
        Preference configured = preferConfigured(input);
        if (!configured.order.empty()) {
            configured.codes[configured.order[0]] = ReasonCode::Unproven;
        }
        return configured;
    }
    for (const std::uint8_t route : preference.order)
        preference.codes[route] = standingCode(pool, preference, route);
    sortBy(preference, [&](std::uint8_t route) {
        const bool isSlow = preference.codes[route] == ReasonCode::Slow;
        return std::tuple(
            group(preference.codes[route]),
            isSlow ? timeOf(pool, route) : -preference.scores[route],
            priceOf(input, route),
            input.routes[route].fixedPosition);
    });
    shuffleTies(preference, input);
    const std::optional<std::size_t> leader = pool.leader();
    const bool leads = leader && comparable(input.routes[*leader], pool.figures(*leader)) &&
                       !preference.slow[*leader];
    const auto first = leads ? static_cast<std::uint8_t>(*leader) : preference.order[0];
    putFirst(preference, first, ReasonCode::Best, Reason::Leader);
    return preference;
}

Preference preferAsAsked(const PoolView& pool, const DecisionInput& input)
{
    Preference preference = preferScored(pool, input);
    if (input.sort == SortBy::Price) {
        sortBy(preference, [&](std::uint8_t route) {
            return std::pair(priceOf(input, route), input.routes[route].fixedPosition);
        });
    } else if (input.sort == SortBy::Speed) {
        sortBy(preference, [&](std::uint8_t route) {
            return std::pair(timeOf(pool, route), input.routes[route].fixedPosition);
        });
    }
    for (std::size_t i = input.preferred.size(); i-- > 0;) {
        const std::uint8_t route = input.preferred[i];
        if (route < input.routes.size() && eligible(input, route)) {
            putFirst(preference, route, ReasonCode::Override, Reason::Override);
        }
    }
    if (!preference.order.empty()) {
        putFirst(preference, preference.order[0], ReasonCode::Override, Reason::Override);
    }
    return preference;
}

bool comparable(const RouteOption& option, const RouteFigures* figures)
{
    return option.exclusion == Exclusion::None && figures != nullptr && figures->sampleOk &&
           !figures->qualityFlag && figures->timeUs > 0 &&
           option.gate.breaker == BreakerState::Closed && option.gate.hold == HoldKind::None &&
           option.gate.aboveFloor;
}

StaticVector<Standing, kRoutesMax> standingsOf(const PoolView& pool, const DecisionInput& input)
{
    StaticVector<Standing, kRoutesMax> used;
    used.resize(input.routes.size());
    for (std::size_t i = 0; i < used.size(); ++i) {
        const RouteFigures* const figures = pool.figures(i);
        if (figures == nullptr || !eligible(input, i)) continue;
        const RouteOption& option = input.routes[i];
        used[i] = standingOf(*figures, option.biasPpm, comparable(option, figures));
    }
    score({used.begin(), used.size()}, input.policy);
    return used;
}

void putFirst(Preference& preference, std::uint8_t route, ReasonCode code, Reason reason)
{
    auto* const found = std::find(preference.order.begin(), preference.order.end(), route);
    if (found == preference.order.end()) return;
    std::rotate(preference.order.begin(), found, found + 1);
    preference.codes[route] = code;
    preference.firstReason = reason;
}

} // namespace weir::routing
