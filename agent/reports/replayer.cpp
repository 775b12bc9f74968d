// SPDX-License-Identifier: Apache-2.0
#include "agent/reports/replayer.h"

#include "common/routing/fixed_order.h"
#include "common/routing/plan.h"
#include "common/routing/replay.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace weir::reports {
namespace {

constexpr std::size_t kNamedMax = 20;
/// Fewer decisions in one summary's time say nothing about shares of the demand.
constexpr std::int64_t kStretchLeast = 30;

/// Where the rows put the routes in the fixed order; the others keep the places that they had.
void reorder(DecisionInput& input, const std::vector<const RouteSettings*>& rows)
{
    std::vector<std::size_t> order(input.routes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto key = [&](std::size_t i) {
        const int was = input.routes[i].fixedPosition;
        const bool isMoved = rows[i] != nullptr && rows[i]->fixedPosition.has_value();
        return std::tuple(isMoved ? *rows[i]->fixedPosition : was + 1, !isMoved, was);
    };
    std::ranges::sort(order, {}, key);
    for (std::size_t place = 0; place < order.size(); ++place)
        input.routes[order[place]].fixedPosition = static_cast<std::uint16_t>(place);
}

std::int64_t biasOf(const RouteSettings& row)
{
    return std::llround(row.scoreBias * static_cast<double>(kPpm));
}

void impose(
    DecisionInput& input,
    const Terms& terms,
    const std::string& model,
    const std::vector<std::string>& providers)
{
    input.policy = terms.policy;
    if (terms.routes.empty()) return;
    std::vector<const RouteSettings*> rows;
    for (std::size_t i = 0; i < input.routes.size(); ++i) {
        const RouteSettings* row = routing::settingsOf(terms.routes, model, providers.at(i));
        rows.push_back(row);
        if (row == nullptr) continue;
        RouteOption& option = input.routes[i];
        option.biasPpm = static_cast<std::int32_t>(biasOf(*row));
        // What else would have kept it out was not asked then.
        if (row->enabled && option.exclusion == Exclusion::Disabled) {
            option.exclusion = Exclusion::None;
        } else if (!row->enabled) {
            option.exclusion = Exclusion::Disabled;
        }
    }
    reorder(input, rows);
}

/// The pool as it would have been handed to the planner.
PoolSummary withRoutes(const PoolSummary& saved, const Terms& terms)
{
    PoolSummary pool = saved;
    for (RouteFigures& route : pool.routes) {
        const RouteSettings* row = routing::settingsOf(terms.routes, pool.model, route.provider);
        if (row == nullptr) continue;
        route.biasPpm = biasOf(*row);
        const bool leads = route.provider == saved.leader;
        const bool wasOut = !route.trusted && route.explorePpm == 0 && !leads;
        if (!row->enabled) {
            route.trusted = false;
            route.explorePpm = 0;
            if (leads) pool.leader.clear();
        } else if (wasOut) {
            route.trusted = route.sampleOk && !route.qualityFlag && route.timeUs > 0;
            route.explorePpm = 1;
        }
    }
    return pool;
}

const RouteFigures* figuresOf(const PoolSummary& pool, const std::string& provider)
{
    const auto found = std::ranges::find(pool.routes, provider, &RouteFigures::provider);
    return found == pool.routes.end() ? nullptr : &*found;
}

std::int64_t
ppmOf(std::int64_t part, std::int64_t demandMilliRps, const auto& stretch, double limit)
{
    const double share = static_cast<double>(part) / static_cast<double>(stretch.decisions);
    return std::llround(share * static_cast<double>(demandMilliRps) / limit * 1e6);
}

} // namespace

std::string firstChoice(const SavedDecision& saved, const Decision& decision)
{
    if (decision.candidates.empty()) return "none";
    return saved.providers.at(decision.candidates[0].route);
}

/// Pools as other settings would have planned them from the same figures, each once.
class Replayer::Plans final
{
public:
    explicit Plans(Terms terms)
        : m_terms(std::move(terms))
    {
    }

    [[nodiscard]] const PoolSummary& plan(const PoolSummary& pool, std::int64_t nowMs)
    {
        auto planned = m_pools.find(&pool);
        if (planned == m_pools.end()) {
            const PoolSummary handed = withRoutes(pool, m_terms);
            // Without an incumbent: the question is who would serve, not how fast traffic moves.
            planned =
                m_pools.emplace(&pool, routing::replan(nullptr, handed, m_terms.policy, nowMs))
                    .first;
        }
        return planned->second;
    }

    /// What the same request would have got.
    [[nodiscard]] Decision decide(
        const SavedDecision& saved,
        const PoolSummary* pool,
        const std::string& model,
        EffectiveMode mode)
    {
        DecisionRecord record = saved.shadow ? *saved.shadow : saved.served;
        impose(record.input, m_terms, model, saved.providers);
        record.input.mode = mode;
        const PoolSummary* planned =
            pool == nullptr ? nullptr : &plan(*pool, saved.served.input.nowMs);
        return routing::decideAgain(record, planned, saved.providers);
    }

private:
    Terms m_terms;
    std::map<const PoolSummary*, PoolSummary> m_pools;
};

Replayer::Replayer(
    store::Database& database, const std::optional<Terms>& other, const std::optional<Terms>& base)
    : m_summaries(database)
{
    if (other) m_other = std::make_unique<Plans>(*other);
    if (base) m_base = std::make_unique<Plans>(*base);
}

Replayer::~Replayer() = default;

Status<> Replayer::visit(const CallRecord& record)
{
    ++m_result.decisions;
    const Result<SavedDecision> saved = decodeSavedDecision(record.decision);
    const Result<const PoolSummary*> pool =
        saved ? poolOf(m_summaries, record, saved->served.snapshotId)
              : Result<const PoolSummary*>{nullptr};
    if (!pool && pool.error().code != "summary_missing") return tl::unexpected(pool.error());
    if (!saved || !pool) {
        ++m_result.unreadable;
        name(record);
        return {};
    }
    const bool same = routing::replays(saved->served, *pool, saved->providers) &&
                      (!saved->shadow || routing::replays(*saved->shadow, *pool, saved->providers));
    if (!same) {
        ++m_result.mismatches;
        name(record);
    }
    compare(record, *saved, *pool);
    return {};
}

void Replayer::name(const CallRecord& record)
{
    if (m_result.named.size() < kNamedMax) m_result.named.push_back(record.requestId);
}

void Replayer::compare(
    const CallRecord& record, const SavedDecision& saved, const PoolSummary* pool)
{
    const auto decided = [&](Plans& plans, EffectiveMode mode) {
        return plans.decide(saved, pool, record.model, mode);
    };
    const Decision before =
        m_base ? decided(*m_base, EffectiveMode::Adaptive) : saved.served.decision;
    const std::string was = firstChoice(saved, before);
    ++m_result.first[was].was;
    m_result.explored.was += before.gateClass == GateClass::Explore ? 1 : 0;
    if (!m_other) return;
    const Decision after = decided(*m_other, EffectiveMode::Adaptive);
    const std::string wouldBe = firstChoice(saved, after);
    ++m_result.first[wouldBe].wouldBe;
    m_result.explored.wouldBe += after.gateClass == GateClass::Explore ? 1 : 0;
    if (wouldBe != was) ++m_result.changed;
    if (m_base) {
        const std::string wasFixed = firstChoice(saved, decided(*m_base, EffectiveMode::Fixed));
        const std::string fixed = firstChoice(saved, decided(*m_other, EffectiveMode::Fixed));
        m_result.changedFixed += fixed != wasFixed ? 1 : 0;
    }
    if (pool == nullptr) return;
    estimate(*pool, was, wouldBe);
    measure(record, saved, *pool, {was, wouldBe});
}

void Replayer::estimate(const PoolSummary& pool, const std::string& was, const std::string& wouldBe)
{
    const RouteFigures* before = figuresOf(pool, was);
    const RouteFigures* after = figuresOf(pool, wouldBe);
    if (before == nullptr || after == nullptr) return;
    if (before->costNanoUsd > 0 && after->costNanoUsd > 0) {
        m_result.costNanoUsd.was += before->costNanoUsd;
        m_result.costNanoUsd.wouldBe += after->costNanoUsd;
        ++m_result.costed;
    }
    if (before->ttftUs.value > 0 && after->ttftUs.value > 0) {
        m_result.ttftUs.was += before->ttftUs.value;
        m_result.ttftUs.wouldBe += after->ttftUs.value;
        ++m_result.timed;
    }
}

void Replayer::measure(
    const CallRecord& record,
    const SavedDecision& saved,
    const PoolSummary& pool,
    const std::pair<std::string, std::string>& choices)
{
    if (m_planned.insert(&pool).second) {
        const std::int64_t nowMs = saved.served.input.nowMs;
        const std::string& leader = m_base ? m_base->plan(pool, nowMs).leader : pool.leader;
        ++m_result.plans;
        m_result.plansChanged += m_other->plan(pool, nowMs).leader != leader ? 1 : 0;
    }
    Stretch& stretch = m_stretches[{saved.served.snapshotId, record.model}];
    if (stretch.decisions == 0) {
        stretch.demandMilliRps = pool.demandMilliRps;
        for (const RouteFigures& route : pool.routes) {
            if (route.limitMilliRps > 0)
                stretch.limitMilliRps[route.provider] = route.limitMilliRps;
        }
    }
    ++stretch.decisions;
    ++stretch.first[choices.first].was;
    ++stretch.first[choices.second].wouldBe;
}

std::vector<RouteLoad> Replayer::loads() const
{
    std::map<std::pair<std::string, std::string>, Pair> most;
    for (const auto& [key, stretch] : m_stretches) {
        if (stretch.decisions < kStretchLeast) continue;
        for (const auto& [provider, limit] : stretch.limitMilliRps) {
            const auto counted = stretch.first.find(provider);
            const Pair calls = counted == stretch.first.end() ? Pair{} : counted->second;
            const std::int64_t demand = stretch.demandMilliRps;
            const auto limited = static_cast<double>(limit);
            Pair& ppm = most[{key.second, provider}];
            ppm.was = std::max(ppm.was, ppmOf(calls.was, demand, stretch, limited));
            ppm.wouldBe = std::max(ppm.wouldBe, ppmOf(calls.wouldBe, demand, stretch, limited));
        }
    }
    std::vector<RouteLoad> loads;
    for (const auto& [key, ppm] : most)
        loads.push_back({key.first, key.second, ppm});
    return loads;
}

} // namespace weir::reports
