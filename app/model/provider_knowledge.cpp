// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/provider_knowledge.h"

#include "common/model/summary_json.h"
#include "common/routing/fixed_order.h"

#include <algorithm>
#include <cmath>

namespace weir::model {
namespace {

constexpr auto kDay = std::chrono::hours{24};
constexpr std::chrono::seconds kStep{600};
constexpr int kDrillsMax = 200;
/// A gate gives up at least so much of its rate at a time; less is the drift of a share.
constexpr double kCutLeast = 0.1;

Status<> readDay(store::Database& database, ProviderKnowledge& known, UtcTime now)
{
    const store::HistoryQuery query{known.model, now - kDay, now, kStep};
    const auto points = database.history(query);
    if (!points) return tl::unexpected(points.error());
    for (const store::HistoryPoint& point : *points) {
        ProviderDay& day = known.day[point.provider];
        day.sums.add(point.sums);
        day.ttftUs.merge(point.ttftUs);
        day.milliTps.merge(point.milliTps);
    }
    return {};
}

Status<> readLearned(store::Database& database, ProviderKnowledge& known, UtcTime now)
{
    const auto row = database.latestSummary({});
    if (!row) return tl::unexpected(row.error());
    if (*row) {
        // One that another version wrote is not half understood.
        if (auto summary = summaryFromJson((*row)->json)) known.summary = std::move(*summary);
    }
    store::IncidentQuery query;
    query.sinceMs = epochMs(now - kDay);
    auto incidents = database.incidents(query);
    if (!incidents) return tl::unexpected(incidents.error());
    known.incidents = std::move(*incidents);
    return {};
}

Status<> readDrills(store::Database& database, ProviderKnowledge& known)
{
    auto drills = database.drills(kDrillsMax);
    if (!drills) return tl::unexpected(drills.error());
    for (store::StoredDrill& each : *drills) {
        if (each.drill.model == known.model) known.drills.push_back(std::move(each));
    }
    return {};
}

} // namespace

std::int64_t ProviderDay::failures() const
{
    std::int64_t count = 0;
    for (std::size_t i = 0; i < kOutcomeCount; ++i) {
        const auto outcome = static_cast<Outcome>(i);
        if (!isSuccess(outcome) && !isNeutral(outcome)) count += sums.outcomes[i];
    }
    return count;
}

const PoolSummary* ProviderKnowledge::pool() const
{
    if (!summary) return nullptr;
    const PoolSummary* found = nullptr;
    std::int64_t most = -1;
    for (const PoolSummary& pool : summary->pools) {
        if (pool.model != model) continue;
        std::int64_t calls = 0;
        for (const RouteFigures& route : pool.routes)
            calls += route.calls48h;
        if (calls <= most) continue;
        most = calls;
        found = &pool;
    }
    return found;
}

const RouteFigures* ProviderKnowledge::figures(const std::string& provider) const
{
    const PoolSummary* const shown = pool();
    if (shown == nullptr) return nullptr;
    const auto found = std::ranges::find(shown->routes, provider, &RouteFigures::provider);
    return found == shown->routes.end() ? nullptr : &*found;
}

const RouteSettings* ProviderKnowledge::settings(const std::string& provider) const
{
    return routing::settingsOf(decisions.routes, model, provider);
}

Result<ProviderKnowledge>
readKnowledge(store::Database& database, const std::string& model, UtcTime now)
{
    ProviderKnowledge known;
    known.model = model;
    auto decisions = database.readDecisions();
    if (!decisions) return tl::unexpected(decisions.error());
    known.decisions = std::move(*decisions);
    Status<> done = readLearned(database, known, now);
    if (done) done = readDrills(database, known);
    if (done) done = readDay(database, known, now);
    if (!done) return tl::unexpected(done.error());
    return known;
}

std::vector<RateCut> cutsOf(const History& history, const std::string& provider, Span range)
{
    std::vector<RateCut> cuts;
    const auto place = std::ranges::find(history.providers(), provider);
    if (place == history.providers().end()) return cuts;
    const auto index = static_cast<std::size_t>(place - history.providers().begin());
    const Column column = history.column(index, Quantity::PermittedRps);
    const auto& steps = history.steps();
    const auto first = std::ranges::lower_bound(column.times, range.from) - column.times.begin();
    for (auto i = static_cast<std::size_t>(std::max<std::ptrdiff_t>(1, first));
         i < column.times.size() && column.times[i] <= range.to;
         ++i) {
        const double before = column.values[i - 1];
        const double after = column.values[i];
        const bool isNext = column.times[i] - column.times[i - 1] <= 3 * steps[i];
        if (!isNext || !std::isfinite(before) || !std::isfinite(after)) continue;
        if (after < before * (1.0 - kCutLeast)) cuts.push_back({column.times[i], before, after});
    }
    return cuts;
}

} // namespace weir::model
