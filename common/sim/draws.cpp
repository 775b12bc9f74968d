// SPDX-License-Identifier: Apache-2.0
#include "common/sim/draws.h"

#include "common/routing/philox.h"

#include <cmath>
#include <numbers>

namespace weir::sim {
namespace {

/// Keeps the world's numbers apart from the brain's coins of the same seed.
constexpr std::uint64_t kWorld = 0x5741'4c54'5745'4952;

} // namespace

Draws::Draws(std::uint64_t seed)
    : m_key{
          static_cast<std::uint32_t>(seed ^ kWorld),
          static_cast<std::uint32_t>((seed ^ kWorld) >> 32U)}
{
}

std::array<std::uint32_t, 4>
Draws::block(DrawFor what, std::uint32_t lane, std::uint64_t id, std::uint32_t sub) const
{
    return routing::philox(
        {static_cast<std::uint32_t>(id),
         static_cast<std::uint32_t>(id >> 32U),
         sub,
         static_cast<std::uint32_t>(what) << 24U | lane},
        m_key);
}

double uniform(std::uint32_t bits)
{
    return (static_cast<double>(bits) + 0.5) / 4294967296.0;
}

double exponential(std::uint32_t bits)
{
    return -std::log(uniform(bits));
}

double logNormal(const LogNormal& distribution, std::uint32_t first, std::uint32_t second)
{
    if (distribution.sigma == 0.0) return distribution.median;
    // Box and Muller's transformation.
    const double radius = std::sqrt(-2.0 * std::log(uniform(first)));
    const double normal = radius * std::cos(2.0 * std::numbers::pi * uniform(second));
    return distribution.median * std::exp(distribution.sigma * normal);
}

double meanOf(const LogNormal& distribution)
{
    return distribution.median * std::exp(distribution.sigma * distribution.sigma / 2.0);
}

} // namespace weir::sim
