// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace weir {

/// Prices of one route in pico-dollars per token, which is micro-dollars per million tokens: exact
/// for every rate card with up to six decimals. 0.60 USD per million tokens is 600'000.
struct Price
{
    std::int64_t input = 0;
    std::int64_t cachedInput = 0;
    std::int64_t cacheWrite = 0;
    std::int64_t output = 0;

    bool operator==(const Price&) const = default;
};

inline constexpr std::int64_t kPicoPerMicro = 1'000'000;

/// Tokens of one attempt in disjoint classes, as far as they are known; a missing count is unknown,
/// 0 means zero (contract section 6). `reasoning` is a part of `output`.
struct TokenUsage
{
    std::optional<std::int64_t> inputUncached;
    std::optional<std::int64_t> inputCached;
    std::optional<std::int64_t> cacheWrite;
    std::optional<std::int64_t> output;
    std::optional<std::int64_t> reasoning;
    /// At least one count is Weir's own estimate.
    bool estimated = false;
    /// The provider's counts contradict each other (cached tokens above the prompt, say).
    bool inconsistent = false;

    bool operator==(const TokenUsage&) const = default;
};

/// Exact cost in micro-dollars, rounded half up once, at the end. Nothing where the price is
/// unknown or the counts of prompt or output are. Unknown cache counts count as zero.
[[nodiscard]] std::optional<std::int64_t>
costMicroUsd(const std::optional<Price>& price, const TokenUsage& usage);

/// What a thousand input and a hundred output tokens cost by the list, in nano-dollars: ranks
/// routes that nothing was measured of.
[[nodiscard]] std::int64_t listPriceNanoUsd(const Price& price);

/// "$0.002265": micro-dollars, never rounded.
[[nodiscard]] std::string formatMicroUsd(std::int64_t microUsd);

} // namespace weir
