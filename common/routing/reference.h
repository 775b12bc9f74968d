// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/routing/tally.h"

#include <array>
#include <cstdint>
#include <span>

namespace weir::routing {

/// One measured quantity: where its samples lie in the histogram of a route.
struct Measure
{
    /// Families of samples with known circumstances, and how many.
    std::size_t family;
    std::size_t cells;
    /// Samples of unknown size and samples that were cut short are kept, too.
    bool latency;
};

inline constexpr Measure kTtft{0, kKnownCells, true};
inline constexpr Measure kRate{kRateFamily, 1, false};
inline constexpr Measure kTaskUnits{kTaskFamily, 1, false};

struct CellReference
{
    double count = 0;
    /// Mean, and mean of the logarithm, as if nothing had been read from cache.
    double mean = 0;
    double ln = 0;
    /// Mean cached share of the input, 0 to 1.
    double cachedShare = 0;
};

/// What is usual at a route: what recent calls of the same kind are compared with, so that a change
/// in the mix of prompts or in the warmth of the cache is no change of the route.
struct Reference
{
    double count = 0;
    std::array<CellReference, kKnownCells> cells{};
    /// Of all cells: as measured, and as if uncached.
    double rawMean = 0;
    double rawLn = 0;
    double mean = 0;
    double ln = 0;
    /// Standard deviation of the logarithm within a cell.
    double sd = 0;
};

/// `slots` has `kSlots` counts. `speedup` is the share of the time that a wholly cached prompt
/// saves (`learnSpeedup`).
[[nodiscard]] Reference referenceOf(
    const Measure& measure, std::span<const std::uint32_t> slots, const Sums& sums, double speedup);

/// Samples against the reference.
struct Comparison
{
    std::int64_t count = 0;
    /// Mean over what is usual for just these calls.
    double ratio = 1;
    /// Mean of the logarithm less the usual one.
    double deviation = 0;
};

/// `samples` by rising slot, of the families of `measure`, with the sums of the same minutes.
[[nodiscard]] Comparison compare(
    const Measure& measure,
    std::span<const Sample> samples,
    const Sums& sums,
    const Reference& reference,
    double speedup);

} // namespace weir::routing
