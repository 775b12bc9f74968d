// SPDX-License-Identifier: Apache-2.0
#include "common/routing/pool_figures.h"

#include "common/base/fixed_point.h"
#include "common/routing/hit_rate.h"
#include "common/routing/measured.h"
#include "common/routing/survival.h"
#include "common/routing/task_cost.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace weir::routing {
namespace {

/// routing.md sections 1 and 2.
constexpr double kTaskPrior = 50;
/// Tasks that a route's own 48 hours weigh against its last two: prompts differ from task to task
/// by more than the margin that leaders change at.
constexpr double kOwnTaskPrior = 200;
constexpr std::int64_t kFailurePrior = 50;
constexpr std::int64_t kFailureMaxPpm = 950'000;
constexpr std::int64_t kOutputWeight = 4;
/// A cap binds from this part of it on.
constexpr std::int64_t kBindingPpm = 800'000;

std::int64_t rounded(double value)
{
    return std::llround(value);
}

std::int64_t part(std::int64_t a, std::int64_t b)
{
    return b > 0 ? mulDiv(a, kPpm, b) : 0;
}

/// One route while its figures are made.
struct Route
{
    const RouteHistory* history = nullptr;
    const RouteFigures* before = nullptr;
    RouteFigures* next = nullptr;
    Sums total;
    /// Of the tasks that count: without the last two hours where the rest is a full sample.
    Sums tasks;
};

Sums taskSums(const RouteHistory& history, std::int64_t head)
{
    Sums older = history.total();
    older -= history.sums(head - kRecentTaskMinutes + 1, head);
    return older[Sum::Tasks] >= kFullSample ? older : history.total();
}

std::int64_t inputOf(const Sums& sums)
{
    return sums[Sum::InputUncached] + sums[Sum::InputCached] + sums[Sum::CacheWrite];
}

class PoolLearning final
{
public:
    PoolLearning(const Learner& learner, const SummaryScene& scene, PoolSummary& next)
        : m_learner(learner)
        , m_scene(scene)
        , m_head(learner.minuteBefore(scene.nowMs))
        , m_next(next)
    {
    }

    void addRoute(const RouteHistory* history, const RouteFigures* before, RouteFigures& figures)
    {
        Route route;
        route.history = history;
        route.before = before;
        route.next = &figures;
        if (history != nullptr) {
            route.total = history->total();
            route.tasks = taskSums(*history, m_head);
            m_recentCalls += history->sums(m_head - 4, m_head)[Sum::Attempts];
        }
        m_pool += route.total;
        m_poolTasks += route.tasks;
        m_routes.push_back(route);
    }

    void learnPoolTotals();
    void learnLatency();
    void learnRates();
    void learnTasks();
    void learnHits(const PoolSetup& setup);
    void learnCosts(const PoolSetup& setup);
    void learnFailures();
    void learnCounts();

private:
    [[nodiscard]] std::int64_t elapsed() const { return m_scene.nowMs - m_scene.previousMs; }

    [[nodiscard]] LearnedFigure follow(const LearnedFigure& previous, WindowInput& input) const
    {
        input.elapsedMs = elapsed();
        return m_scene.rules.latchedWindows ? nextFigure(previous, input) : newestFigure(input);
    }

    [[nodiscard]] LearnedFigure
    step(const Measured& measured, const WindowRule& rule, const LearnedFigure* before) const
    {
        const LearnedFigure previous = before == nullptr ? LearnedFigure{} : *before;
        WindowInput input = readWindows(measured, rule, previous, m_learner, m_scene.nowMs);
        return follow(previous, input);
    }

    const Learner& m_learner;
    const SummaryScene& m_scene;
    std::int64_t m_head;
    PoolSummary& m_next;
    std::vector<Route> m_routes;
    Sums m_pool;
    Sums m_poolTasks;
    std::int64_t m_recentCalls = 0;
};

void PoolLearning::learnPoolTotals()
{
    const std::int64_t calls = m_pool[Sum::OutputCalls];
    if (calls > 0) m_next.answerTokens = (m_pool[Sum::Output] + calls / 2) / calls;
    const std::int64_t attempts = m_pool[Sum::Attempts];
    m_next.explorablePpm = attempts > 0 ? kPpm - part(m_pool[Sum::SingleShot], attempts) : kPpm;
    const std::int64_t tasks = m_poolTasks[Sum::Tasks];
    const auto mean = [](std::int64_t sum, std::int64_t count) {
        return count > 0 ? (sum + count / 2) / count : 0;
    };
    if (tasks > 0) {
        m_next.taskInputTokens = mean(m_poolTasks[Sum::TaskInput], tasks);
        m_next.taskOutputTokens = mean(m_poolTasks[Sum::TaskOutput], tasks);
        m_next.taskMilliCalls = mean(m_poolTasks[Sum::TaskCalls] * 1000, tasks);
    } else {
        // Before the first task is over, a task is one call.
        m_next.taskInputTokens = mean(inputOf(m_pool), m_pool[Sum::InputCalls]);
        m_next.taskOutputTokens = m_next.answerTokens;
        m_next.taskMilliCalls = attempts > 0 ? 1000 : 0;
    }
}

void PoolLearning::learnLatency()
{
    std::vector<UsualSamples> usual;
    std::vector<LearnedFrom> from;
    usual.reserve(m_routes.size());
    from.reserve(m_routes.size());
    for (const Route& route : m_routes)
        usual.emplace_back(kTtft, route.history, m_head);
    for (const UsualSamples& samples : usual)
        from.push_back(samples.from());
    const bool neutral = m_scene.rules.cacheNeutral;
    const double speedup = neutral ? learnSpeedup(from) : 0;
    m_next.cacheSpeedupPpm = rounded(speedup * kPpm);
    std::vector<Reference> references(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (from[i].slots.empty()) continue;
        references[i] = referenceOf(kTtft, from[i].slots, from[i].sums, speedup);
    }
    std::vector<double> levels = standardLevels(references);
    for (std::size_t i = 0; !neutral && i < levels.size(); ++i)
        levels[i] = references[i].rawMean;
    const WindowRule rule{Worse::Higher, {5, 10, kRecentMinutes}, kZThree};
    for (std::size_t i = 0; i < m_routes.size(); ++i) {
        const Route& route = m_routes[i];
        const Measured measured{kTtft, route.history, references[i], levels[i], speedup};
        route.next->ttftUs =
            step(measured, rule, route.before == nullptr ? nullptr : &route.before->ttftUs);
    }
}

void PoolLearning::learnRates()
{
    const WindowRule rule{Worse::Lower, {5, 10, kRecentMinutes}, kZThree};
    for (const Route& route : m_routes) {
        const UsualSamples usual(kRate, route.history, m_head);
        Measured measured{kRate, route.history, {}, 0, 0};
        if (route.history != nullptr) {
            measured.reference = referenceOf(kRate, usual.from().slots, {}, 0);
            measured.level = measured.reference.cells[0].mean;
        }
        RouteFigures& next = *route.next;
        next.milliTps =
            step(measured, rule, route.before == nullptr ? nullptr : &route.before->milliTps);
        if (next.ttftUs.value > 0) {
            next.timeUs = next.ttftUs.value;
            if (next.milliTps.value > 0) {
                next.timeUs += mulDiv(m_next.answerTokens, 1'000'000'000, next.milliTps.value);
            }
        }
    }
}

/// Mean per task of a route over the pool's, drawn towards 1 where tasks are few.
double taskFactor(double sum, double tasks, double poolSum, double poolTasks)
{
    if (poolTasks <= 0 || poolSum <= 0) return 1;
    const double usual = poolSum / poolTasks;
    return (sum + kTaskPrior * usual) / ((tasks + kTaskPrior) * usual);
}

void PoolLearning::learnTasks()
{
    const WindowRule rule{Worse::Higher, {kRecentTaskMinutes}, kZOne};
    const auto units = [](const Sums& sums) {
        return static_cast<double>(sums[Sum::TaskInput] + kOutputWeight * sums[Sum::TaskOutput]);
    };
    const auto real = [](std::int64_t value) { return static_cast<double>(value); };
    const double poolTasks = real(m_poolTasks[Sum::Tasks]);
    for (const Route& route : m_routes) {
        const double tasks = real(route.tasks[Sum::Tasks]);
        const auto factor = [&](double sum, double poolSum) {
            return taskFactor(sum, tasks, poolSum, poolTasks);
        };
        const double usual = factor(units(route.tasks), units(m_poolTasks));
        Measured measured{kTaskUnits, route.history, {}, usual * kPpm, 0};
        const UsualSamples samples(kTaskUnits, route.history, m_head);
        if (route.history != nullptr) {
            measured.reference = referenceOf(kTaskUnits, samples.from().slots, {}, 0);
        }
        const LearnedFigure previous =
            route.before == nullptr ? LearnedFigure{} : route.before->taskCost;
        WindowInput input = readWindows(measured, rule, previous, m_learner, m_scene.nowMs);
        const double recent = real(input.recent.samples);
        input.recent.level = (recent * input.recent.level + kOwnTaskPrior * measured.level) /
                             (recent + kOwnTaskPrior);
        RouteFigures& next = *route.next;
        next.taskCost = follow(previous, input);
        if (next.taskCost.value == 0) next.taskCost.value = rounded(measured.level);
        const double change = real(next.taskCost.value) / measured.level;
        const auto scaled = [&](Sum sum) {
            return rounded(factor(real(route.tasks[sum]), real(m_poolTasks[sum])) * change * kPpm);
        };
        next.taskInputPpm = scaled(Sum::TaskInput);
        next.taskOutputPpm = scaled(Sum::TaskOutput);
    }
}

HitObservation observe(const Route& route, std::int64_t head, std::int64_t poolCalls)
{
    HitObservation seen;
    seen.poolCalls5m = poolCalls;
    if (route.history == nullptr) return seen;
    const Sums newest = route.history->sums(head - 14, head);
    const Sums before = route.history->sums(head - 29, head - 15);
    seen.calls5m = route.history->sums(head - 4, head)[Sum::Attempts];
    seen.cached15m = newest[Sum::InputCached];
    seen.input15m = inputOf(newest);
    seen.cachedBefore = before[Sum::InputCached];
    seen.inputBefore = inputOf(before);
    seen.calls30m = newest[Sum::Attempts] + before[Sum::Attempts];
    seen.cached48h = route.total[Sum::InputCached];
    seen.input48h = inputOf(route.total);
    return seen;
}

void PoolLearning::learnHits(const PoolSetup& setup)
{
    std::vector<HitRate*> rates;
    for (std::size_t i = 0; i < m_routes.size(); ++i) {
        const Route& route = m_routes[i];
        HitObservation seen = observe(route, m_head, m_recentCalls);
        const std::int64_t limit = setup.routes[i].limitMilliRps;
        const std::int64_t used = seen.calls5m * 1000 / 300;
        seen.capped = limit >= 0 && used >= mulDiv(limit, kBindingPpm, kPpm);
        const HitRate before = route.before == nullptr ? HitRate{} : route.before->hit;
        route.next->hit = nextHitRate(before, seen, m_scene.nowMs, m_scene.previousMs);
        rates.push_back(&route.next->hit);
    }
    settleHitRates(rates, part(m_pool[Sum::InputCached], inputOf(m_pool)));
    if (m_scene.rules.cacheNeutral) return;
    for (HitRate* rate : rates)
        rate->usedPpm = rate->observedPpm.value_or(rate->poolPpm);
}

void PoolLearning::learnCosts(const PoolSetup& setup)
{
    for (std::size_t i = 0; i < m_routes.size(); ++i) {
        const Route& route = m_routes[i];
        const Sums& sums = inputOf(route.total) > 0 ? route.total : m_pool;
        route.next->cacheWritePpm =
            part(sums[Sum::CacheWrite], sums[Sum::CacheWrite] + sums[Sum::InputUncached]);
        route.next->costNanoUsd = standardTaskCost(m_next, *route.next, setup.routes[i].price);
    }
}

/// Chance of one kind of failure, drawn towards the pool's.
std::int64_t chance(const Sums& route, const Sums& pool, Sum kind)
{
    const auto tries = [](const Sums& sums) { return sums[Sum::Attempts] - sums[Sum::Neutral]; };
    const std::int64_t usual = part(pool[kind], tries(pool));
    return (route[kind] * kPpm + kFailurePrior * usual) / (tries(route) + kFailurePrior);
}

void PoolLearning::learnFailures()
{
    for (const Route& route : m_routes) {
        std::int64_t good = kPpm;
        for (const Sum kind : {Sum::RateLimited, Sum::Errors, Sum::Malformed})
            good = mulDiv(good, kPpm - chance(route.total, m_pool, kind), kPpm);
        route.next->failurePpm = std::min(kPpm - good, kFailureMaxPpm);
        const Sums& sums = route.total[Sum::FailedTries] > 0 ? route.total : m_pool;
        const std::int64_t tries = sums[Sum::FailedTries];
        if (tries == 0) continue;
        route.next->failedCostNanoUsd = mulDiv(sums[Sum::FailedMicroUsd], 1000, tries);
        route.next->failedTimeUs = sums[Sum::FailedUs] / tries;
    }
}

/// Quantiles of the time to the first output as callers saw it, of the last half hour where that
/// is a full sample.
void fillQuantiles(RouteFigures& next, const RouteHistory& history, std::int64_t head)
{
    std::array<std::int64_t, kLevels> counts{};
    std::int64_t count = 0;
    const auto take = [&counts, &count](std::uint32_t slot, std::uint32_t times) {
        counts[slot % kLevels] += times;
        count += times;
    };
    for (const Sample& sample : history.samples(head - kRecentMinutes + 1, head, 0, kRateFamily)) {
        take(sample.slot, sample.count);
    }
    if (count < kFullSample) {
        for (std::size_t slot = 0; slot < kRateFamily * kLevels; ++slot)
            take(static_cast<std::uint32_t>(slot), history.older()[slot]);
    }
    const auto quantile = [&counts, count](std::int64_t percent) -> std::int64_t {
        std::int64_t wanted = (count * percent + 99) / 100;
        for (std::size_t i = 0; i < kLevels; ++i) {
            wanted -= counts[i];
            if (wanted <= 0) return histogramMiddle(i);
        }
        return 0;
    };
    if (count == 0) return;
    next.ttftP50Us = quantile(50);
    next.ttftP95Us = quantile(95);
    next.ttftP99Us = quantile(99);
}

void PoolLearning::learnCounts()
{
    for (const Route& route : m_routes) {
        RouteFigures& next = *route.next;
        next.calls48h = route.total[Sum::Attempts];
        const bool before = route.before != nullptr && route.before->sampleOk;
        const bool enough = before || next.calls48h >= kFullSample;
        next.sampleOk = enough && next.ttftUs.samples >= kSmallSample;
        if (route.history == nullptr) continue;
        next.calls30m = route.history->sums(m_head - kRecentMinutes + 1, m_head)[Sum::Attempts];
        fillQuantiles(next, *route.history, m_head);
    }
}

const RouteFigures* figuresOf(const PoolSummary* pool, const std::string& provider)
{
    if (pool == nullptr) return nullptr;
    for (const RouteFigures& route : pool->routes) {
        if (route.provider == provider) return &route;
    }
    return nullptr;
}

} // namespace

PoolSummary learnPool(
    const PoolSummary* previous,
    const Learner& learner,
    std::size_t index,
    const PoolSetup& setup,
    const SummaryScene& scene)
{
    PoolSummary next;
    next.model = setup.model;
    next.taskType = setup.taskType;
    next.routes.resize(setup.routes.size());
    PoolLearning learning(learner, scene, next);
    for (std::size_t i = 0; i < setup.routes.size(); ++i) {
        next.routes[i].provider = setup.routes[i].provider;
        learning.addRoute(
            learner.history(index, i),
            figuresOf(previous, setup.routes[i].provider),
            next.routes[i]);
    }
    learning.learnPoolTotals();
    learning.learnLatency();
    learning.learnRates();
    learning.learnTasks();
    learning.learnHits(setup);
    learning.learnCosts(setup);
    learning.learnFailures();
    learning.learnCounts();
    return next;
}

} // namespace weir::routing
