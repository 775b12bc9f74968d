// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/siphash.h"
#include "common/model/decision_input.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace weir::routing {

/// Philox4x32-10 (Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3", SC11): a keyed
/// function of a counter instead of a state, so that a draw can be repeated from what is saved.
[[nodiscard]] std::array<std::uint32_t, 4>
philox(const std::array<std::uint32_t, 4>& counter, const std::array<std::uint32_t, 2>& key);

/// What a draw is for: draws of different purposes are independent (routing.md section 0).
enum class Purpose : std::uint8_t {
    Explore = 1,
    Share,
    Tie,
    Admit,
    Probe,
    Hedge,
    Ramp,
    Jitter,
    Mirror,
    Drill
};

/// All draws of one task or request: counter = its key and the purpose, key = the fleet's seed.
class Coin final
{
public:
    constexpr Coin(std::uint64_t seed, const CoinKey& key)
        : m_seed(seed)
        , m_key(key)
    {
    }

    /// Uniform over 32 bits. `index` tells apart draws of one purpose (attempt, route).
    [[nodiscard]] std::uint32_t draw(Purpose purpose, std::uint32_t index = 0) const;

private:
    std::uint64_t m_seed;
    CoinKey m_key;
};

/// True for `ppm` of a million draws; always at 1,000,000 and never at 0.
[[nodiscard]] constexpr bool happens(std::uint32_t draw, std::int64_t ppm)
{
    if (ppm <= 0) return false;
    return draw < (static_cast<std::uint64_t>(ppm) << 32U) / kPpm;
}

/// One of `n` (multiply-shift, bias below n / 2^32).
[[nodiscard]] constexpr std::uint32_t pick(std::uint32_t draw, std::uint32_t n)
{
    return static_cast<std::uint32_t>((static_cast<std::uint64_t>(draw) * n) >> 32U);
}

/// The coin of an identifier that may come from outside: who does not know `secret` cannot choose
/// it.
[[nodiscard]] CoinKey coinKeyOf(const HashKey& secret, std::string_view id);

} // namespace weir::routing
