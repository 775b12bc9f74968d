// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/provider_state.h"

#include "app/model/format.h"
#include "common/model/outcome.h"

#include <algorithm>
#include <vector>

namespace weir::model {
namespace {

/// Fewer attempts than these say nothing about a rate of failures.
constexpr std::int64_t kFewAttempts = 5;
constexpr double kUnsteadyShare = 0.05;
constexpr double kFailingShare = 0.5;

bool isFailure(std::string_view word)
{
    const std::optional<Outcome> outcome = outcomeFromWord(word);
    return outcome && !isSuccess(*outcome) && !isNeutral(*outcome);
}

/// "rate_limited" as people say it.
QString spoken(std::string_view outcome)
{
    if (outcome == "rate_limited") return QStringLiteral("429");
    return plain(outcome).replace(QChar('_'), QChar(' '));
}

void collectGate(const RouteStatus& route, std::vector<ProviderState>& found)
{
    if (!route.gate) return;
    if (*route.gate == "cut" || *route.gate == "floor") {
        const bool isFloor = *route.gate == "floor";
        found.push_back(
            {Glyph::TriangleDown,
             Tone::Warning,
             QStringLiteral("backing off"),
             {isFloor ? QStringLiteral("permitted rate is at its floor after 429s")
                      : QStringLiteral("permitted rate was cut after a 429")}});
    } else if (*route.gate == "recovering") {
        found.push_back(
            {Glyph::TriangleDownOpen,
             Tone::Warning,
             QStringLiteral("recovering"),
             {QStringLiteral("permitted rate is climbing back")}});
    }
}

void collectFailures(const RouteStatus& route, std::vector<ProviderState>& found)
{
    const double share = route.errorRate1m.value_or(0.0);
    if (attemptsOf(route) < kFewAttempts || share < kUnsteadyShare) return;
    const bool isFailing = share >= kFailingShare;
    const QString reason =
        percent(share) + QStringLiteral(" of the last minute failed: ") + outcomesText(route);
    found.push_back(
        {isFailing ? Glyph::Cross : Glyph::Warning,
         isFailing ? Tone::Critical : Tone::Warning,
         isFailing ? QStringLiteral("failing") : QStringLiteral("errors"),
         {reason}});
}

void collectBench(const RouteStatus& route, UtcTime now, std::vector<ProviderState>& found)
{
    if (!route.benchedUntil || *route.benchedUntil <= now) return;
    const std::string why = route.benchReason.value_or("");
    const QString left =
        QStringLiteral("no requests for another ") + age(*route.benchedUntil - now);
    if (why == "rate_limited" || why == "overloaded") {
        found.push_back(
            {Glyph::TriangleDown,
             Tone::Warning,
             QStringLiteral("backing off"),
             {spoken(why) + QStringLiteral(": ") + left}});
        return;
    }
    const QString reason = why.empty() ? left : spoken(why) + QStringLiteral(": ") + left;
    found.push_back({Glyph::Square, Tone::Critical, QStringLiteral("benched"), {reason}});
}

/// Everything that is true of the route, the worst first.
std::vector<ProviderState> collect(const RouteStatus& route, UtcTime now)
{
    std::vector<ProviderState> found;
    if (!route.enabled) {
        found.push_back(
            {Glyph::Bars,
             Tone::Off,
             QStringLiteral("drained"),
             {QStringLiteral("taken out by an operator")}});
    }
    if (route.breaker == "open") {
        found.push_back(
            {Glyph::Square,
             Tone::Critical,
             QStringLiteral("breaker open"),
             {QStringLiteral("too many failures: no requests until it is tested again")}});
    }
    collectBench(route, now, found);
    if (route.breaker == "half_open") {
        found.push_back(
            {Glyph::DiamondOpen,
             Tone::Warning,
             QStringLiteral("half open"),
             {QStringLiteral("single requests test whether it works again")}});
    }
    collectGate(route, found);
    collectFailures(route, found);
    return found;
}

} // namespace

std::int64_t attemptsOf(const RouteStatus& route)
{
    std::int64_t sum = 0;
    for (const auto& [word, count] : route.outcomes1m)
        sum += count;
    return sum;
}

std::int64_t failuresOf(const RouteStatus& route)
{
    std::int64_t sum = 0;
    for (const auto& [word, count] : route.outcomes1m)
        sum += isFailure(word) ? count : 0;
    return sum;
}

QString outcomesText(const RouteStatus& route)
{
    std::vector<std::pair<std::string, std::int64_t>> counts(
        route.outcomes1m.begin(), route.outcomes1m.end());
    std::ranges::stable_sort(counts, std::greater{}, &std::pair<std::string, std::int64_t>::second);
    QStringList parts;
    for (const auto& [word, count] : counts) {
        if (count > 0) parts << QStringLiteral("%1 %2").arg(count).arg(spoken(word));
    }
    return parts.join(QStringLiteral(", "));
}

ProviderState providerState(const RouteStatus& route, UtcTime now)
{
    std::vector<ProviderState> found = collect(route, now);
    if (found.empty() && attemptsOf(route) == 0) {
        return {
            Glyph::Circle,
            Tone::Stale,
            QStringLiteral("no data"),
            {QStringLiteral("no attempt in the last minute")}};
    }
    if (found.empty()) return {Glyph::Disc, Tone::Ok, QStringLiteral("healthy"), {}};
    ProviderState state = found.front();
    for (std::size_t i = 1; i < found.size(); ++i)
        state.reasons += found[i].reasons;
    return state;
}

} // namespace weir::model
