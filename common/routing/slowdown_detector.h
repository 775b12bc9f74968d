// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/routing/incident_signal.h"
#include "common/routing/minute_ring.h"

#include <array>
#include <cstdint>

namespace weir::routing {

/// ln(TTFT) of one minute of one route and task type: how many calls told it, and the sums of it
/// and of its square, in millionths.
struct TtftMinute
{
    std::int64_t calls = 0;
    std::int64_t ln = 0;
    std::int64_t lnSquare = 0;
    /// Kept out of the baseline: part of a slowdown.
    bool isSlow = false;
};

/// What is usual: a mean that forgets over 48 hours, of the minutes that were not slow.
struct TtftBaseline
{
    double calls = 0;
    double sum = 0;
    double squares = 0;

    void fade();
    void add(const TtftMinute& minute);
    /// Enough calls to call anything slower than this.
    [[nodiscard]] bool isUsable() const;
    [[nodiscard]] double mean() const;
    /// Of one call, at least 0.25.
    [[nodiscard]] double deviation() const;
};

/// mean(calls) - base > max(ln 1.25, z * sd * sqrt(1/n + 1/N)) for n >= 5 (routing.md section 3;
/// the baseline's own uncertainty counts too).
[[nodiscard]] bool isSlower(const TtftMinute& calls, const TtftBaseline& base, double z);

/// Finds when a route answers much later than it used to (routing.md section 11): windows of 5, 10
/// and 30 minutes with a ratio of at least 1.5, or a CUSUM of the minutes' z-values together with
/// section 3's `slower`. A few values; doubles, but the same on every machine: sums, products and
/// square roots only.
class SlowdownDetector final
{
public:
    /// Takes the newest minute. Severity: TTFT against the baseline, ppm (2,800,000 = x2.8).
    [[nodiscard]] IncidentSignal judge(const TtftMinute& minute, bool isOpen);

    /// Minutes went by unseen: the half hour starts anew, the baseline stays.
    void skip();

private:
    using Windows = std::array<TtftMinute, 3>;

    [[nodiscard]] Windows windows() const;
    [[nodiscard]] std::int64_t severity() const;
    void remember(const TtftMinute& leaving, bool isOpen);
    void accumulate(const TtftMinute& minute);
    [[nodiscard]] IncidentSignal lookForStart(const TtftMinute& minute);
    [[nodiscard]] std::int64_t startAgo(double shift) const;
    [[nodiscard]] IncidentSignal lookForEnd(const TtftMinute& minute);
    [[nodiscard]] IncidentSignal end(std::int64_t calmMinutes);
    [[nodiscard]] IncidentSignal takeAsUsual();
    [[nodiscard]] std::int64_t ratioPpm(const TtftMinute& calls) const;

    MinuteRing<TtftMinute> m_ring;
    /// Of the ring, those behind the end of the last slowdown.
    std::int64_t m_usable = 0;
    TtftBaseline m_base;
    double m_cusum = 0;
    /// Open: the calls since the last slow ones, and for how many minutes.
    TtftMinute m_calm;
    std::int64_t m_calmMinutes = 0;
    std::int64_t m_openMinutes = 0;
    /// Open: what the baseline becomes if the slowdown never ends.
    TtftBaseline m_newUsual;
};

} // namespace weir::routing
