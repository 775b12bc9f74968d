// SPDX-License-Identifier: Apache-2.0
#include "common/routing/decide.h"

#include "common/base/fixed_point.h"
#include "common/routing/philox.h"
#include "common/routing/plan.h"
#include "common/routing/preference.h"

#include <algorithm>
#include <tuple>

namespace weir::routing {
namespace {

std::uint64_t bit(std::size_t route)
{
    return std::uint64_t{1} << route;
}

/// What stops a gate from letting a request through: nothing where it would pass. `Probe` passes.
struct GateAnswer
{
    bool passes = true;
    /// Over its rate, which is no trouble of the route itself.
    bool overRate = false;
    ReasonCode code = ReasonCode::Probe;
};

struct Blocked
{
    std::uint8_t route = 0;
    GateAnswer answer;
};

bool isResting(const GateView& gate)
{
    return gate.hold != HoldKind::None || gate.breaker != BreakerState::Closed;
}

ReasonCode holdCode(HoldKind kind)
{
    switch (kind) {
    case HoldKind::Credit:
        return ReasonCode::HoldCredit;
    case HoldKind::Auth:
        return ReasonCode::HoldAuth;
    case HoldKind::Misconfigured:
        return ReasonCode::HoldMisconfigured;
    case HoldKind::None:
    case HoldKind::RetryAfter:
        break;
    }
    return ReasonCode::HoldRetryAfter;
}

/// Over its rate first, in the order of preference; then whoever recovers soonest. By insertion:
/// few, and std::stable_sort would allocate.
void sortBlocked(StaticVector<Blocked, kRoutesMax>& blocked, const DecisionInput& input)
{
    const auto key = [&input](const Blocked& each) {
        const std::int64_t recovers = input.routes[each.route].gate.recoversInMs;
        return std::pair(!each.answer.overRate, each.answer.overRate ? 0 : recovers);
    };
    for (std::size_t i = 1; i < blocked.size(); ++i) {
        for (std::size_t j = i; j > 0 && key(blocked[j]) < key(blocked[j - 1]); --j)
            std::swap(blocked[j], blocked[j - 1]);
    }
}

/// The decision in the making; lives on the stack of `decide`.
class Deciding final
{
public:
    Deciding(const PoolView& pool, const DecisionInput& input)
        : m_pool(pool)
        , m_input(input)
        , m_requestCoin(input.seed, input.requestKey)
        , m_taskCoin(input.seed, input.taskKey)
    {
    }

    Decision run();

private:
    [[nodiscard]] bool adaptive() const { return m_input.mode == EffectiveMode::Adaptive; }

    [[nodiscard]] bool asked() const
    {
        return m_input.sort != SortBy::Score || !m_input.preferred.empty();
    }

    [[nodiscard]] GateAnswer ask(std::uint8_t route, GateClass gateClass) const;
    [[nodiscard]] bool pinHolds() const;
    [[nodiscard]] std::optional<std::uint8_t> exploreArm() const;
    [[nodiscard]] std::optional<std::uint8_t> shareDraw() const;
    [[nodiscard]] std::int64_t shareOf(std::uint8_t route) const;
    [[nodiscard]] std::int64_t shareTotal() const;
    void choose();
    void chooseSingleShot();
    void tryToExplore();
    void takePropensity();
    void arrange();
    void keepOne();

    const PoolView& m_pool;
    const DecisionInput& m_input;
    Coin m_requestCoin;
    Coin m_taskCoin;
    Preference m_preference;
    /// Who leads among the eligible ones: preferred before any coin was drawn.
    std::uint8_t m_leader = 0;
    Decision m_decision;
};

GateAnswer Deciding::ask(std::uint8_t route, GateClass gateClass) const
{
    const GateView& gate = m_input.routes[route].gate;
    const bool held = gate.hold != HoldKind::None;
    if (isResting(gate)) {
        // A probe may fail, so only what can still go elsewhere may be one. A hold ends by one,
        // too: that credit is back shows in an answer alone.
        const bool elsewhere = m_preference.order.size() > 1 && !m_input.singleShot;
        const bool probed = held || gate.breaker == BreakerState::HalfOpen;
        if (probed && gate.probeFree && elsewhere) return {true, false, ReasonCode::Probe};
        return {false, false, held ? holdCode(gate.hold) : ReasonCode::Breaker};
    }
    // Who can go nowhere else has no use for a refusal.
    if (!adaptive() || (m_input.singleShot && m_input.origin)) return {};
    const std::uint32_t draw =
        m_requestCoin.draw(Purpose::Admit, m_input.routes[route].fixedPosition);
    const std::int64_t chance = gate.admitPpm.at(static_cast<std::size_t>(gateClass));
    if (gate.guardOpen && happens(draw, chance)) return {};
    const bool capped = gate.capMilliRps >= 0 && gate.capMilliRps <= gate.permittedMilliRps;
    return {false, true, capped ? ReasonCode::Cap : ReasonCode::OverRate};
}

bool Deciding::pinHolds() const
{
    if (!m_input.pin || *m_input.pin >= m_input.routes.size()) return false;
    const RouteOption& option = m_input.routes[*m_input.pin];
    if (option.exclusion != Exclusion::None || option.gate.hold != HoldKind::None) return false;
    if (option.gate.breaker != BreakerState::Closed) return false;
    // What exploration measures it must measure to the end, slow or not.
    return m_input.pinExplored || !m_preference.slow[*m_input.pin];
}

std::int64_t Deciding::shareOf(std::uint8_t route) const
{
    return m_preference.slow[route] ? 0 : m_pool.shareAt(route, m_input.nowMs);
}

std::int64_t Deciding::shareTotal() const
{
    std::int64_t total = 0;
    if (m_pool.known()) {
        for (const std::uint8_t route : m_preference.order)
            total += shareOf(route);
    }
    return total;
}

/// Which route the plan means for this conversation, among the eligible ones.
std::optional<std::uint8_t> Deciding::shareDraw() const
{
    const std::int64_t total = shareTotal();
    if (total <= 0) return std::nullopt;
    const std::uint32_t draw = m_taskCoin.draw(Purpose::Share);
    auto mark = static_cast<std::int64_t>(
        (static_cast<std::uint64_t>(draw) * static_cast<std::uint64_t>(total)) >> 32U);
    // By fixed position, so that the order of the input does not matter.
    StaticVector<std::uint8_t, kRoutesMax> routes = m_preference.order;
    std::sort(routes.begin(), routes.end(), [this](std::uint8_t a, std::uint8_t b) {
        return m_input.routes[a].fixedPosition < m_input.routes[b].fixedPosition;
    });
    for (const std::uint8_t route : routes) {
        mark -= shareOf(route);
        if (mark < 0) return route;
    }
    return std::nullopt;
}

std::optional<std::uint8_t> Deciding::exploreArm() const
{
    if (!m_input.explorable || m_input.singleShot || m_preference.order.size() < 2) {
        return std::nullopt;
    }
    StaticVector<std::uint8_t, kRoutesMax> routes = m_preference.order;
    std::sort(routes.begin(), routes.end(), [this](std::uint8_t a, std::uint8_t b) {
        return m_input.routes[a].fixedPosition < m_input.routes[b].fixedPosition;
    });
    const std::uint32_t draw = m_taskCoin.draw(Purpose::Explore);
    std::int64_t cumulative = 0;
    for (const std::uint8_t route : routes) {
        if (route == m_leader) continue;
        cumulative += explorePpm(m_pool, m_input, route);
        if (happens(draw, std::min(cumulative, kPpm))) return route;
    }
    return std::nullopt;
}

void Deciding::chooseSingleShot()
{
    // The state that the request carries can be read by its issuer alone, whoever leads.
    if (m_input.origin && *m_input.origin < m_input.routes.size() &&
        m_input.routes[*m_input.origin].exclusion == Exclusion::None) {
        putFirst(m_preference, *m_input.origin, ReasonCode::Origin, Reason::SingleShot);
    } else if (adaptive() && pinHolds()) {
        putFirst(m_preference, *m_input.pin, ReasonCode::Pin, Reason::SingleShot);
    } else {
        m_preference.firstReason = Reason::SingleShot;
    }
}

void Deciding::tryToExplore()
{
    m_decision.exploreArm = exploreArm();
    if (!m_decision.exploreArm) return;
    if (ask(*m_decision.exploreArm, GateClass::Explore).passes) {
        m_decision.gateClass = GateClass::Explore;
        putFirst(m_preference, *m_decision.exploreArm, ReasonCode::Explore, Reason::Explore);
        return;
    }
    // Refused there, it is an ordinary request; what was meant is kept for the estimate.
    m_decision.exploreDenied = true;
    m_decision.askedMask |= bit(*m_decision.exploreArm);
}

void Deciding::choose()
{
    m_decision.gateClass = m_input.batch ? GateClass::Batch : GateClass::Fresh;
    if (!adaptive()) {
        m_preference = preferConfigured(m_input);
    } else {
        m_preference = asked() ? preferAsAsked(m_pool, m_input) : preferScored(m_pool, m_input);
    }
    if (m_preference.order.empty()) return;
    if (m_input.singleShot) return chooseSingleShot();
    if (asked() || !adaptive()) return;
    if (pinHolds()) {
        if (!m_input.batch) m_decision.gateClass = GateClass::Pinned;
        return putFirst(m_preference, *m_input.pin, ReasonCode::Pin, Reason::Pinned);
    }
    m_leader = m_preference.order[0];
    tryToExplore();
    if (m_decision.gateClass != GateClass::Explore) {
        const std::optional<std::uint8_t> drawn = shareDraw();
        if (drawn && *drawn != m_leader) {
            putFirst(m_preference, *drawn, ReasonCode::Tie, Reason::Leader);
        }
    }
    takePropensity();
}

/// Chance of this first choice: explored, or drawn by share when not.
void Deciding::takePropensity()
{
    std::int64_t explored = 0;
    std::int64_t own = 0;
    const std::uint8_t chosen = m_preference.order[0];
    for (const std::uint8_t route : m_preference.order) {
        if (!m_input.explorable || route == m_leader) continue;
        const std::int64_t chance = explorePpm(m_pool, m_input, route);
        explored += chance;
        if (route == chosen) own = chance;
    }
    const std::int64_t total = shareTotal();
    const bool leads = m_decision.gateClass != GateClass::Explore;
    const std::int64_t share =
        total > 0 ? mulDiv(shareOf(chosen), kPpm, total) : (leads ? kPpm : 0);
    m_decision.propensityPpm =
        own + mulDiv(std::max<std::int64_t>(0, kPpm - explored), share, kPpm);
}

/// Asks every gate and puts what passes first. Among the rest, a route that is merely over its rate
/// goes before one that is known not to serve, and of these the soonest to recover first.
void Deciding::arrange()
{
    const std::uint8_t wanted = m_preference.order[0];
    Reason instead = Reason::Failover;
    StaticVector<Blocked, kRoutesMax> blocked;
    for (const std::uint8_t route : m_preference.order) {
        const GateAnswer answer = ask(route, m_decision.gateClass);
        if (m_decision.candidates.empty()) m_decision.askedMask |= bit(route);
        if (!answer.passes) {
            if (!answer.overRate) m_decision.heldMask |= bit(route);
            if (route == wanted && answer.overRate) instead = Reason::Spill;
            blocked.push_back({route, answer});
            continue;
        }
        const bool probe = isResting(m_input.routes[route].gate);
        const ReasonCode code = probe ? ReasonCode::Probe : m_preference.codes[route];
        const bool first = m_decision.candidates.empty();
        const Reason others = first ? instead : Reason::Failover;
        const Reason reason = route == wanted ? m_preference.firstReason : others;
        m_decision.candidates.push_back({route, code, reason});
        m_decision.codes[route] = code;
    }
    sortBlocked(blocked, m_input);
    const bool forced = m_decision.candidates.empty();
    for (const Blocked& each : blocked) {
        m_decision.codes[each.route] = each.answer.code;
        // What may wait goes over nobody's rate, not even where the others fail.
        if (m_input.batch && each.answer.overRate && !forced) continue;
        m_decision.candidates.push_back({each.route, each.answer.code, Reason::LastResort});
    }
    if (forced) m_decision.candidates[0].code = ReasonCode::ForcedOverrun;
}

/// A single-shot request has one attempt. Where it has an origin nobody else can continue, so the
/// origin's gate has no say.
void Deciding::keepOne()
{
    auto& candidates = m_decision.candidates;
    if (m_input.origin) {
        auto* const origin =
            std::find_if(candidates.begin(), candidates.end(), [this](const Candidate& each) {
                return each.route == *m_input.origin;
            });
        if (origin != candidates.end()) std::rotate(candidates.begin(), origin, origin + 1);
    }
    candidates[0].reason = Reason::SingleShot;
    candidates.resize(1);
}

Decision Deciding::run()
{
    choose();
    m_decision.codes = m_preference.codes;
    m_decision.scores = m_preference.scores;
    for (const std::uint8_t route : m_preference.order)
        m_decision.eligibleMask |= bit(route);
    if (m_preference.order.empty()) return m_decision;
    arrange();
    if (m_input.singleShot) keepOne();
    return m_decision;
}

} // namespace

std::int64_t explorePpm(const PoolView& pool, const DecisionInput& input, std::size_t route)
{
    const RouteFigures* const figures = pool.figures(route);
    if (figures != nullptr) return figures->explorePpm;
    std::int64_t others = -1;
    for (const RouteOption& option : input.routes)
        others += option.exclusion == Exclusion::Disabled ? 0 : 1;
    const std::int64_t even = input.policy.explorationCapPpm / std::max<std::int64_t>(others, 1);
    return std::min({kExploreMaxPpm, input.policy.explorationSharePpm, even});
}

Decision decide(const PoolView& pool, const DecisionInput& input)
{
    return Deciding(pool, input).run();
}

} // namespace weir::routing
