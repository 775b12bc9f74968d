// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/routing/minute_grid.h"
#include "common/routing/tally.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace weir::routing {

/// Minutes on the grid of the learner; the newest one is called the head.
inline constexpr std::int64_t kHistoryMinutes = 48LL * 60;
/// How far the clock that stamped a call may be ahead of the reader's.
inline constexpr std::int64_t kAheadMinutes = 16;
/// What counts as recent for speed, and for the cost of tasks.
inline constexpr std::int64_t kRecentMinutes = 30;
inline constexpr std::int64_t kRecentTaskMinutes = 120;

/// 48 hours of one route in one pool, by minute. Two running totals are kept beside the minutes:
/// the sums of everything, and a histogram of what is older than "recent", which is what recent
/// calls are compared with. Old minutes are subtracted exactly when they expire, one at a time, so
/// the history of a route in use is never empty.
///
/// Memory: 165 kB for the totals, plus for each minute with calls 250 bytes and 8 bytes per
/// distinct sample: at most 24 bytes a call, and far less on a busy route.
class RouteHistory final
{
public:
    explicit RouteHistory(std::int64_t head);

    /// `minute` within (head - kHistoryMinutes, head + kAheadMinutes].
    void add(std::int64_t minute, const Sums& sums, std::span<const std::uint32_t> slots);
    void advance(std::int64_t head);

    /// Of the last 48 hours.
    [[nodiscard]] const Sums& total() const { return m_total; }

    /// Of the minutes before the recent ones.
    [[nodiscard]] const Sums& olderSums() const { return m_older; }

    /// Samples of the minutes before the recent ones, by slot.
    [[nodiscard]] const std::vector<std::uint32_t>& older() const { return m_olderSamples; }

    /// Minutes [first, last].
    [[nodiscard]] Sums sums(std::int64_t first, std::int64_t last) const;
    /// Samples of minutes [first, last] whose family is in [family, familyEnd), by rising slot.
    [[nodiscard]] std::vector<Sample>
    samples(std::int64_t first, std::int64_t last, std::size_t family, std::size_t familyEnd) const;

private:
    struct Minute
    {
        std::int64_t index = 0;
        Sums sums;
        std::vector<Sample> samples;
    };

    [[nodiscard]] const Minute* find(std::int64_t minute) const;
    /// Moves the samples of a minute into the histogram of older ones, or out of it.
    enum class Direction : std::uint8_t { In, Out };
    void move(const Minute& minute, Direction direction, bool tasks);

    std::int64_t m_head;
    std::vector<std::unique_ptr<Minute>> m_ring;
    Sums m_total;
    Sums m_older;
    std::vector<std::uint32_t> m_olderSamples;
};

} // namespace weir::routing
