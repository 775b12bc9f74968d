// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/errors.h"
#include "common/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::protocol {

enum class SortWish : std::uint8_t { None, Price, Throughput, Latency };

/// What one request wants of the choice of its route, in OpenRouter's request conventions: the
/// body's `provider` object and `models` (contract section 2). Hard limits exclude a route; the two
/// `preferred…` only put those that meet them before the others.
struct RoutingWishes
{
    /// Providers to be tried first, in this order.
    std::vector<std::string> order;
    /// Where not empty, no other provider may serve.
    std::vector<std::string> only;
    std::vector<std::string> ignore;
    /// False: the providers of `order` alone, or without one the first choice alone.
    bool allowFallbacks = true;
    /// Only routes that can give all that is asked for, the length of the answer included.
    bool requireParameters = false;
    /// Only providers that do not collect data (`data_collection: "deny"`).
    bool denyDataCollection = false;
    /// Only endpoints that retain nothing.
    bool zeroRetention = false;
    SortWish sort = SortWish::None;
    /// `max_price.prompt` and `.completion`, given in USD per million tokens, as `Price` counts:
    /// micro-dollars per million tokens.
    std::optional<std::int64_t> maxInputPrice;
    std::optional<std::int64_t> maxOutputPrice;
    /// Tokens a second, and seconds to the first output; of percentiles, the median's or else the
    /// lowest one's.
    std::optional<double> minTokensPerS;
    std::optional<double> maxLatencyS;
    /// Other models that may serve where the first cannot, best first.
    std::vector<std::string> models;

    bool operator==(const RoutingWishes&) const = default;
};

/// No `provider` object or list of models is longer: they are people's choices, not data.
inline constexpr std::size_t kWishesBytesMax = 65536;
inline constexpr std::size_t kWishListMax = 64;

/// Reads the JSON text of the member `provider`. The error (400) names the field, also one that is
/// not known here: a filter that is silently dropped would let a request go where it must not.
[[nodiscard]] Result<void, ApiError> readProviderWishes(std::string_view json, RoutingWishes& into);

/// Reads the JSON text of the member `models`.
[[nodiscard]] Result<void, ApiError> readModelWishes(std::string_view json, RoutingWishes& into);

} // namespace weir::protocol
