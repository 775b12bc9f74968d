// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace weir::routing::test {

/// SplitMix64: the tests' own chance, the same everywhere.
struct Chance
{
    std::uint64_t state = 1;

    std::uint64_t next()
    {
        state += 0x9E3779B97F4A7C15U;
        std::uint64_t mixed = state;
        mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9U;
        mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
        return mixed ^ (mixed >> 31U);
    }

    std::int64_t below(std::int64_t n)
    {
        return static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(n));
    }

    bool happens(std::int64_t ppm) { return below(1'000'000) < ppm; }
};

} // namespace weir::routing::test
