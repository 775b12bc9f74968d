// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/static_vector.h"
#include "common/model/gate_view.h"
#include "common/model/policy.h"

#include <cstdint>
#include <optional>

namespace weir {

/// The inputs of one routing decision as plain values: what is saved with a request, and what a
/// replay needs besides the `Summary` (routing.md section 0).

/// Routes of one model; masks have a bit for each.
inline constexpr std::size_t kRoutesMax = 64;

/// Why a route may not serve a request, whatever its score: eligibility comes before preference.
enum class Exclusion : std::uint8_t {
    None,
    Disabled,
    Protocol,
    Capability,
    Region,
    Terms,
    Caller,
    Price,
    Context,
    Quality
};

/// One route of the model, in the order of the configuration.
struct RouteOption
{
    Exclusion exclusion = Exclusion::None;
    /// Its place in the fixed order, from 0; unique in the model.
    std::uint16_t fixedPosition = 0;
    /// The operator's `score_bias`.
    std::int32_t biasPpm = 1'000'000;
    /// List price of a thousand input and a hundred output tokens in nano-dollars: ranks routes
    /// that nothing has been measured of. 0 = unknown.
    std::int64_t listPriceNanoUsd = 0;
    GateView gate;

    bool operator==(const RouteOption&) const = default;
};

/// 96 bits of a keyed hash: the counter of a coin. Nobody outside can choose it.
struct CoinKey
{
    std::uint64_t low = 0;
    std::uint32_t high = 0;

    bool operator==(const CoinKey&) const = default;
};

enum class SortBy : std::uint8_t { Score, Price, Speed };

struct DecisionInput
{
    EffectiveMode mode = EffectiveMode::Fixed;
    RoutingPolicy policy;
    /// Epoch milliseconds.
    std::int64_t nowMs = 0;
    std::uint64_t seed = 0;
    /// Of the task (or conversation): all its calls draw the same.
    CoinKey taskKey;
    CoinKey requestKey;
    bool singleShot = false;
    /// First call of its task, enough time left, not opted out (routing.md section 7).
    bool explorable = false;
    bool batch = false;
    SortBy sort = SortBy::Score;
    /// The route that this conversation is pinned to, and whether exploration put it there.
    std::optional<std::uint8_t> pin;
    bool pinExplored = false;
    /// The issuer of the reasoning state that a single-shot request carries.
    std::optional<std::uint8_t> origin;
    /// The caller's own order (`provider.order`), best first.
    StaticVector<std::uint8_t, 8> preferred;
    StaticVector<RouteOption, kRoutesMax> routes;

    bool operator==(const DecisionInput&) const = default;
};

} // namespace weir
