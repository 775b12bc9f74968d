// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/sim/scenario.h"

#include <array>
#include <cstdint>

namespace weir::sim {

/// What a draw of the world is for. Each purpose has numbers of its own, so that one more draw here
/// changes none there.
enum class DrawFor : std::uint8_t { Arrival = 1, Task, Size, Ending, Answer, Speed, Coin, Agent };

/// The world's chance: a function of the seed and of what is drawn, without a state (Philox, as in
/// routing.md section 0). Traffic is drawn by task and call, answers by call, attempt and route, so
/// that policies meet the same world. The distributions are our own: those of the library differ
/// between compilers.
class Draws final
{
public:
    explicit Draws(std::uint64_t seed);

    /// Four independent words. `lane` tells streams or routes apart, `sub` calls and attempts.
    [[nodiscard]] std::array<std::uint32_t, 4>
    block(DrawFor what, std::uint32_t lane, std::uint64_t id, std::uint32_t sub) const;

private:
    std::array<std::uint32_t, 2> m_key;
};

/// Uniform in (0, 1), never an end.
[[nodiscard]] double uniform(std::uint32_t bits);
/// With mean 1.
[[nodiscard]] double exponential(std::uint32_t bits);
[[nodiscard]] double
logNormal(const LogNormal& distribution, std::uint32_t first, std::uint32_t second);
/// Its mean: median * exp(sigma^2 / 2).
[[nodiscard]] double meanOf(const LogNormal& distribution);

} // namespace weir::sim
