// SPDX-License-Identifier: Apache-2.0
#include "common/routing/slowdown_detector.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace weir::routing {
namespace {

constexpr std::array<std::int64_t, 3> kWindows{5, 10, 30};
constexpr std::int64_t kCallsMin = 5;
constexpr std::int64_t kCallsFull = 30;
constexpr double kBaselineCalls = 100;
constexpr double kBaselineMinutes = 48 * 60;
constexpr double kDeviationMin = 0.25;
constexpr double kLn1p2 = 0.1823215567939546;
constexpr double kLn1p25 = 0.22314355131420976;
constexpr double kLn1p5 = 0.4054651081081644;
/// Section 3: Bonferroni over three windows of one test.
constexpr double kSlowerZ = 2.71;
/// An incident asks for more than a lower rank does. A stationary week of lognormal TTFTs with a
/// deviation of 0.5, at 0.3 to 20 calls a minute, gave up to 0.8 false slowdowns with 4.1 and
/// the table's h = 8; 4.5 and 10 give at most 0.2, and find x2.8 as fast (2.5 minutes at 20 calls a
/// minute, 7 at one).
constexpr double kIncidentZ = 4.5;
constexpr double kCusumSlack = 0.5;
constexpr double kCusumOpen = 10;
constexpr double kWinsor = 4;
/// A slowdown counts as over only after this long without one, or it would end in every lull.
constexpr std::int64_t kCalmMinutes = 5;
constexpr std::int64_t kUnverifiedMinutes = 24LL * 60;

double meanOf(const TtftMinute& calls)
{
    return static_cast<double>(calls.ln) * 1e-6 / static_cast<double>(calls.calls);
}

void addTo(TtftMinute& sum, const TtftMinute& minute)
{
    sum.calls += minute.calls;
    sum.ln += minute.ln;
    sum.lnSquare += minute.lnSquare;
}

double errorOf(const TtftMinute& calls, const TtftBaseline& base)
{
    return base.deviation() * std::sqrt(1 / static_cast<double>(calls.calls) + 1 / base.calls);
}

} // namespace

void TtftBaseline::fade()
{
    const double kept = 1 - 1 / kBaselineMinutes;
    calls *= kept;
    sum *= kept;
    squares *= kept;
}

void TtftBaseline::add(const TtftMinute& minute)
{
    calls += static_cast<double>(minute.calls);
    sum += static_cast<double>(minute.ln) * 1e-6;
    squares += static_cast<double>(minute.lnSquare) * 1e-6;
}

bool TtftBaseline::isUsable() const
{
    return calls >= kBaselineCalls;
}

double TtftBaseline::mean() const
{
    return sum / calls;
}

double TtftBaseline::deviation() const
{
    const double variance = squares / calls - mean() * mean();
    return std::max(kDeviationMin, variance > 0 ? std::sqrt(variance) : 0);
}

bool isSlower(const TtftMinute& calls, const TtftBaseline& base, double z)
{
    if (calls.calls < kCallsMin || !base.isUsable()) return false;
    return meanOf(calls) - base.mean() > std::max(kLn1p25, z * errorOf(calls, base));
}

IncidentSignal SlowdownDetector::judge(const TtftMinute& minute, bool isOpen)
{
    remember(m_ring.push(minute), isOpen);
    m_usable = std::min(m_usable + 1, MinuteRing<TtftMinute>::kMinutes);
    m_ring.ago(0).isSlow = isOpen;
    return isOpen ? lookForEnd(minute) : lookForStart(minute);
}

void SlowdownDetector::skip()
{
    m_ring = {};
    m_usable = 0;
    m_cusum = 0;
    m_calm = {};
    m_calmMinutes = 0;
}

/// The sums over the last 5, 10 and 30 minutes.
SlowdownDetector::Windows SlowdownDetector::windows() const
{
    Windows sums;
    TtftMinute sum;
    std::int64_t ago = 0;
    for (std::size_t i = 0; i < kWindows.size(); ++i) {
        for (; ago < std::min(kWindows.at(i), m_usable); ++ago)
            addTo(sum, m_ring.ago(ago));
        sums.at(i) = sum;
    }
    return sums;
}

/// The shortest window that says anything against the baseline.
std::int64_t SlowdownDetector::severity() const
{
    for (const TtftMinute& sum : windows()) {
        if (sum.calls >= kCallsMin) return ratioPpm(sum);
    }
    return 0;
}

/// A minute enters the baseline when it leaves the ring, so that a slowdown found late is not in
/// it.
void SlowdownDetector::remember(const TtftMinute& leaving, bool isOpen)
{
    if (isOpen) {
        m_newUsual.fade();
        m_newUsual.add(leaving);
    } else {
        m_base.fade();
    }
    if (!leaving.isSlow) m_base.add(leaving);
}

void SlowdownDetector::accumulate(const TtftMinute& minute)
{
    if (minute.calls == 0 || !m_base.isUsable()) return;
    const double z = (meanOf(minute) - m_base.mean()) / errorOf(minute, m_base);
    m_cusum = std::max(0.0, m_cusum + std::clamp(z, -kWinsor, kWinsor) - kCusumSlack);
}

IncidentSignal SlowdownDetector::lookForStart(const TtftMinute& minute)
{
    accumulate(minute);
    double shift = 0;
    bool slower = false;
    bool found = false;
    for (const TtftMinute& sum : windows()) {
        if (!isSlower(sum, m_base, kSlowerZ)) continue;
        slower = true;
        const double difference = meanOf(sum) - m_base.mean();
        shift = std::max(shift, difference);
        found = found || (difference >= kLn1p5 && isSlower(sum, m_base, kIncidentZ));
    }
    // A CUSUM alone would call 3 % an incident where a minute has a thousand calls.
    found = found || (slower && m_cusum > kCusumOpen);
    IncidentSignal signal;
    if (!found) return signal;

    signal.turn = Turn::Open;
    signal.minutesAgo = startAgo(shift);
    signal.severity = severity();
    signal.detail = "TTFT " + timesText(signal.severity) + " of its 48 h mean";
    for (std::int64_t ago = 0; ago <= signal.minutesAgo; ++ago)
        m_ring.ago(ago).isSlow = true;
    m_cusum = 0;
    m_calm = {};
    m_calmMinutes = 0;
    m_openMinutes = 0;
    m_newUsual = {};
    return signal;
}

/// The likeliest beginning of a step of height `shift`: where the calls from then on lie furthest
/// above half of it in sum.
std::int64_t SlowdownDetector::startAgo(double shift) const
{
    const double half = m_base.mean() + shift / 2;
    double sum = 0;
    double best = 0;
    std::int64_t bestAgo = 0;
    for (std::int64_t ago = 0; ago < m_usable; ++ago) {
        const TtftMinute& minute = m_ring.ago(ago);
        if (minute.calls == 0) continue;
        sum += static_cast<double>(minute.ln) * 1e-6 - half * static_cast<double>(minute.calls);
        if (sum <= best) continue;
        best = sum;
        bestAgo = ago;
    }
    return bestAgo;
}

IncidentSignal SlowdownDetector::lookForEnd(const TtftMinute& minute)
{
    IncidentSignal signal;
    if (++m_openMinutes >= kUnverifiedMinutes) return takeAsUsual();
    addTo(m_calm, minute);
    ++m_calmMinutes;
    signal.severity = m_base.isUsable() ? severity() : 0;
    // Without a baseline (it was lost with the state) nothing tells slow from usual.
    if (m_calm.calls < kCallsFull || !m_base.isUsable()) return signal;
    if (meanOf(m_calm) - m_base.mean() >= kLn1p2) {
        const bool mayStart = minute.calls >= kCallsMin && meanOf(minute) - m_base.mean() < kLn1p2;
        m_calm = mayStart ? minute : TtftMinute{};
        m_calmMinutes = mayStart ? 1 : 0;
    } else if (m_calmMinutes >= kCalmMinutes) {
        return end(m_calmMinutes);
    }
    return signal;
}

IncidentSignal SlowdownDetector::end(std::int64_t calmMinutes)
{
    IncidentSignal signal;
    signal.turn = Turn::Close;
    signal.minutesAgo = calmMinutes - 1;
    signal.severity = ratioPpm(m_calm);
    signal.detail = "TTFT " + timesText(signal.severity) + " of its 48 h mean over " +
                    std::to_string(m_calm.calls) + " calls";
    m_usable = std::min(calmMinutes, MinuteRing<TtftMinute>::kMinutes);
    for (std::int64_t ago = 0; ago < m_usable; ++ago)
        m_ring.ago(ago).isSlow = false;
    return signal;
}

/// A slowdown of a day is how the route is now.
IncidentSignal SlowdownDetector::takeAsUsual()
{
    IncidentSignal signal;
    signal.turn = Turn::Close;
    signal.minutesAgo = -1;
    signal.detail = "unverified: slow for a day, taken as usual from now on";
    if (m_newUsual.isUsable()) m_base = m_newUsual;
    m_usable = 0;
    return signal;
}

std::int64_t SlowdownDetector::ratioPpm(const TtftMinute& calls) const
{
    if (calls.calls == 0) return 0;
    const double ratio = std::exp(std::min(meanOf(calls) - m_base.mean(), 20.0));
    return std::llround(ratio * 1e3) * 1000;
}

} // namespace weir::routing
