// SPDX-License-Identifier: Apache-2.0
#include "common/model/price.h"

namespace weir {

std::optional<std::int64_t> costMicroUsd(const std::optional<Price>& price, const TokenUsage& usage)
{
    if (!price || !usage.inputUncached || !usage.output) return std::nullopt;
    // 128 bits: a million dollars a million tokens times 2^31 tokens would leave 64.
    __extension__ using Wide = __int128;
    const Wide pico = Wide{price->input} * *usage.inputUncached +
                      Wide{price->cachedInput} * usage.inputCached.value_or(0) +
                      Wide{price->cacheWrite} * usage.cacheWrite.value_or(0) +
                      Wide{price->output} * *usage.output;
    return static_cast<std::int64_t>((pico + kPicoPerMicro / 2) / kPicoPerMicro);
}

std::int64_t listPriceNanoUsd(const Price& price)
{
    constexpr std::int64_t kPicoPerNano = 1000;
    return (1000 * price.input + 100 * price.output) / kPicoPerNano;
}

std::string formatMicroUsd(std::int64_t microUsd)
{
    const bool negative = microUsd < 0;
    const std::uint64_t size =
        negative ? 0 - static_cast<std::uint64_t>(microUsd) : static_cast<std::uint64_t>(microUsd);
    std::string fraction = std::to_string(size % 1'000'000);
    fraction.insert(0, 6 - fraction.size(), '0');
    return (negative ? "-$" : "$") + std::to_string(size / 1'000'000) + '.' + fraction;
}

} // namespace weir
