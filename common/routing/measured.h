// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/routing/learner.h"
#include "common/routing/reference.h"
#include "common/routing/standard_level.h"
#include "common/routing/window.h"

#include <cstdint>
#include <span>
#include <vector>

namespace weir::routing {

/// The samples of one quantity at one route that "usual" is learned from: what is older than recent
/// where that is a full sample, else everything.
class UsualSamples final
{
public:
    /// `recentMinutes` as the history keeps it for this measure; `history` may be null.
    UsualSamples(const Measure& measure, const RouteHistory* history, std::int64_t head);

    [[nodiscard]] LearnedFrom from() const;

private:
    std::span<const std::uint32_t> m_slots;
    std::vector<std::uint32_t> m_merged;
    Sums m_sums;
};

/// One quantity of one route, ready for its window.
struct Measured
{
    Measure measure{};
    const RouteHistory* history = nullptr;
    Reference reference;
    /// What the reference amounts to in the unit of the figure.
    double level = 0;
    double speedup = 0;
};

/// Minutes (first, last] against the usual.
[[nodiscard]] Comparison
compareMinutes(const Measured& measured, std::int64_t after, std::int64_t last);

/// `Worse`, windows in minutes, and z of one quantity.
struct WindowRule
{
    Worse worse = Worse::Higher;
    StaticVector<std::int64_t, 3> minutes;
    double z = kZThree;
};

/// All readings of a quantity as of now, clipped at the previous figure's `sinceMs`.
[[nodiscard]] WindowInput readWindows(
    const Measured& measured,
    const WindowRule& rule,
    const LearnedFigure& previous,
    const Learner& learner,
    std::int64_t nowMs);

} // namespace weir::routing
