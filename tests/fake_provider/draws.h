// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>

namespace weir::fake {

/// The random draws of one request (SplitMix64: nearby seeds give unrelated draws, and it costs
/// next to nothing to start).
class Draws final
{
public:
    using result_type = std::uint64_t;

    explicit Draws(std::uint64_t seed)
        : m_state(seed)
    {
    }

    static constexpr result_type min() { return 0; }

    static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

    result_type operator()()
    {
        m_state += 0x9e3779b97f4a7c15u;
        std::uint64_t mixed = m_state;
        mixed = (mixed ^ (mixed >> 30u)) * 0xbf58476d1ce4e5b9u;
        mixed = (mixed ^ (mixed >> 27u)) * 0x94d049bb133111ebu;
        return mixed ^ (mixed >> 31u);
    }

private:
    std::uint64_t m_state;
};

} // namespace weir::fake
