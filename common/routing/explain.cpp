// SPDX-License-Identifier: Apache-2.0
#include "common/routing/explain.h"

#include "common/base/fixed_point.h"
#include "common/routing/decide.h"
#include "common/routing/eligible.h"
#include "common/routing/philox.h"
#include "common/routing/preference.h"
#include "common/routing/score.h"
#include "common/routing/token_bound.h"

namespace weir::routing {
namespace {

/// "0.936": `value` of `unit` with `digits` decimals, rounded half up, in integers.
std::string decimal(std::int64_t value, std::int64_t unit, int digits)
{
    std::int64_t scale = 1;
    for (int i = 0; i < digits; ++i)
        scale *= 10;
    const std::int64_t parts =
        mulDiv(value, scale, unit) + (mulDiv(value, scale * 2, unit) % 2 != 0 ? 1 : 0);
    std::string text = std::to_string(parts / scale);
    if (digits == 0) return text;
    std::string fraction = std::to_string(parts % scale);
    fraction.insert(0, static_cast<std::size_t>(digits) - fraction.size(), '0');
    return text + '.' + fraction;
}

std::string seconds(std::int64_t us)
{
    return decimal(us, 1'000'000, 2) + " s";
}

std::string percent(std::int64_t ppm)
{
    return decimal(ppm, 10'000, 1) + " %";
}

std::string perSecond(std::int64_t milliRps)
{
    return decimal(milliRps, 1000, 2) + "/s";
}

/// A draw as a number in [0, 1).
std::string drawn(std::uint32_t draw)
{
    return decimal(static_cast<std::int64_t>(draw), std::int64_t{1} << 32U, 4);
}

/// What the sentences are made of.
class Account final
{
public:
    Account(
        const DecisionRecord& record,
        const PoolSummary* pool,
        std::span<const std::string> providers,
        std::optional<std::int64_t> promptEstimate)
        : m_record(record)
        , m_input(record.input)
        , m_decision(record.decision)
        , m_providers(providers)
        , m_promptEstimate(promptEstimate)
        , m_view(pool != nullptr ? PoolView(*pool, providers) : PoolView())
    {
        for (std::size_t i = 0; i < m_input.routes.size(); ++i) {
            const RouteFigures* const figures = m_view.figures(i);
            if (!comparable(m_input.routes[i], figures)) continue;
            if (m_fastest == 0 || figures->timeUs < m_fastest) m_fastest = figures->timeUs;
        }
        if (m_view.known()) m_standings = standingsOf(m_view, m_input);
    }

    [[nodiscard]] Explanation run() const;

private:
    [[nodiscard]] std::string name(std::size_t route) const
    {
        return route < m_providers.size() ? m_providers[route] : "route " + std::to_string(route);
    }

    [[nodiscard]] std::string figuresOf(std::size_t route) const;
    [[nodiscard]] std::string sentence(std::size_t route, ReasonCode code) const;
    [[nodiscard]] std::string gateSentence(std::size_t route, ReasonCode code) const;
    [[nodiscard]] std::string exclusionOf(std::size_t route) const;
    [[nodiscard]] std::optional<std::size_t> passedOver() const;
    [[nodiscard]] std::string headline() const;
    [[nodiscard]] RouteAnswer answer(std::size_t route, int place, ReasonCode code) const;
    [[nodiscard]] std::vector<std::string> notes() const;

    const DecisionRecord& m_record;
    const DecisionInput& m_input;
    const Decision& m_decision;
    std::span<const std::string> m_providers;
    std::optional<std::int64_t> m_promptEstimate;
    PoolView m_view;
    StaticVector<Standing, kRoutesMax> m_standings;
    std::int64_t m_fastest = 0;
};

/// "score 0.936: $0.002310 a task, 5.20 s an answer".
std::string Account::figuresOf(std::size_t route) const
{
    const RouteFigures* const figures = m_view.figures(route);
    if (figures == nullptr) return "nothing measured of it yet";
    std::string text = "score " + decimal(m_decision.scores[route], kScoreOne, 3) + ": ";
    text += figures->costNanoUsd > 0
                ? "$" + decimal(figures->costNanoUsd, 1'000'000'000, 6) + " a task"
                : std::string("price unknown");
    text += figures->timeUs > 0 ? ", " + seconds(figures->timeUs) + " an answer"
                                : std::string(", speed unknown");
    if (m_input.routes[route].biasPpm != kPpm) {
        text += ", times the operator's bias of " + decimal(m_input.routes[route].biasPpm, kPpm, 2);
    }
    return text;
}

std::string Account::gateSentence(std::size_t route, ReasonCode code) const
{
    const GateView& gate = m_input.routes[route].gate;
    if (code == ReasonCode::Breaker) {
        return std::string("its breaker is ") + std::string(toWord(gate.breaker)) +
               (gate.breaker == BreakerState::Open
                    ? ", to be tried again in " + seconds(gate.recoversInMs * 1000)
                    : ", and no probe is free for this request");
    }
    if (gate.hold != HoldKind::None) {
        return "on hold (" + std::string(toWord(gate.hold)) + ") for another " +
               seconds(gate.recoversInMs * 1000);
    }
    const Coin coin(m_input.seed, m_input.requestKey);
    const auto chance = gate.admitPpm.at(static_cast<std::size_t>(m_decision.gateClass));
    std::string text = "over its rate";
    if (gate.permittedMilliRps >= 0) text += " of " + perSecond(gate.permittedMilliRps);
    if (gate.capMilliRps >= 0) text += ", learned cap " + perSecond(gate.capMilliRps);
    text += gate.guardOpen
                ? ": drew " +
                      drawn(coin.draw(Purpose::Admit, m_input.routes[route].fixedPosition)) +
                      " against an admission of " + decimal(chance, kPpm, 4)
                : ": this agent's own burst guard is empty";
    return text + " (gate v" + std::to_string(gate.version) + ")";
}

std::string Account::sentence(std::size_t route, ReasonCode code) const
{
    const RouteFigures* const figures = m_view.figures(route);
    switch (code) {
    case ReasonCode::Pin:
        return "this conversation's newest prompt is cached there; " + figuresOf(route);
    case ReasonCode::Origin:
        return "only it can read the reasoning state that the request carries";
    case ReasonCode::Best:
        return "leads; " + figuresOf(route);
    case ReasonCode::Tie:
        return "scores within 5 % of the leader and shares its traffic; " + figuresOf(route);
    case ReasonCode::Explore:
        return "tried on purpose, to keep its figures fresh; " + figuresOf(route);
    case ReasonCode::Override:
        return "asked for by the request; " + figuresOf(route);
    case ReasonCode::Failover:
        return "next in order; " + figuresOf(route);
    case ReasonCode::Probe:
        return "its breaker is half open and this request tries whether it serves again";
    case ReasonCode::Unproven:
        return "too few calls to be compared (" +
               std::to_string(figures != nullptr ? figures->calls48h : 0) + " of 30 in 48 h)";
    case ReasonCode::Slow:
        if (figures == nullptr || m_fastest == 0) break;
        return seconds(figures->timeUs) + " an answer is " +
               decimal(figures->timeUs, m_fastest, 1) + " times the fastest (" +
               seconds(m_fastest) + "), more than the allowed " +
               decimal(m_input.policy.slowFactorPpm, kPpm, 1);
    case ReasonCode::Quality:
        return "flagged for the quality of its answers";
    case ReasonCode::ForcedOverrun:
        return "nothing else may serve, so it is used although " +
               gateSentence(
                   route,
                   m_input.routes[route].gate.breaker == BreakerState::Closed
                       ? ReasonCode::OverRate
                       : ReasonCode::Breaker);
    case ReasonCode::OffFixed:
        return "first in the configured order";
    case ReasonCode::StaleFixed:
        return "first in the configured order, which serves while the switch or the summary cannot "
               "be trusted";
    case ReasonCode::Ineligible:
        return exclusionOf(route);
    default:
        return gateSentence(route, code);
    }
    return "more than three times slower than the fastest";
}

std::string Account::exclusionOf(std::size_t route) const
{
    const Exclusion exclusion = m_input.routes[route].exclusion;
    std::string text{"excluded by "};
    text += describe(exclusion);
    const RouteFigures* const figures = m_view.figures(route);
    // Where a summary decided that is gone, its bound is not known.
    const bool known = figures != nullptr || m_record.snapshotId.empty();
    if (exclusion != Exclusion::Context || !m_promptEstimate || !known) return text;
    const TokenBound bound = figures != nullptr ? figures->tokens : TokenBound{};
    text += ": " + std::to_string(*m_promptEstimate) + " tokens as estimated may be ";
    text += std::to_string(mulDiv(*m_promptEstimate, boundPpm(bound), kPpm)) + " there";
    text += bound.boundPpm > 0 ? ", as " + std::to_string(bound.samples) + " prompts have shown"
                               : std::string{", of which too little is known"};
    return text;
}

/// Whom the request was meant for where its gate sent it on: the pin, the leader, else the first
/// that was refused.
std::optional<std::size_t> Account::passedOver() const
{
    const Candidate& first = m_decision.candidates[0];
    if (first.reason != Reason::Spill && first.reason != Reason::Failover) return std::nullopt;
    const auto isRefused = [this](std::size_t route) {
        const ReasonCode code = m_decision.codes[route];
        return code >= ReasonCode::OverRate && code <= ReasonCode::HoldMisconfigured;
    };
    if (m_input.pin && *m_input.pin < m_decision.codes.size() && isRefused(*m_input.pin))
        return *m_input.pin;
    if (const auto leader = m_view.leader(); leader && isRefused(*leader)) return leader;
    for (const Candidate& candidate : m_decision.candidates) {
        if (isRefused(candidate.route)) return candidate.route;
    }
    return std::nullopt;
}

std::string Account::headline() const
{
    if (m_decision.candidates.empty()) return "No route may serve this request.";
    const Candidate& first = m_decision.candidates[0];
    std::string text = name(first.route) + " (" + std::string(toWord(first.reason)) + ")";
    const std::optional<std::size_t> other = passedOver();
    if (!other) return text + ": " + sentence(first.route, first.code) + ".";
    text += " and not " + name(*other);
    if (m_view.leader() == other) text += ", the leader";
    return text + ": " + sentence(*other, m_decision.codes[*other]) + ".";
}

std::vector<std::string> Account::notes() const
{
    std::vector<std::string> list;
    list.push_back(
        "mode " + std::string(toWord(m_input.mode)) + ", settings v" +
        std::to_string(m_input.policy.settingsVersion) + ", summary " +
        (m_record.snapshotId.empty() ? "none" : m_record.snapshotId));
    if (m_input.singleShot) list.emplace_back("single shot: one attempt, never explored");
    const Coin coin(m_input.seed, m_input.taskKey);
    if (m_input.explorable && m_input.mode == EffectiveMode::Adaptive) {
        list.push_back(
            "exploration drew " + drawn(coin.draw(Purpose::Explore)) +
            (m_decision.exploreArm ? ": meant " + name(*m_decision.exploreArm)
                                   : std::string(": nobody")) +
            (m_decision.exploreDenied ? ", whose gate refused" : ""));
    }
    if (m_view.known() && m_input.mode == EffectiveMode::Adaptive) {
        std::string shares;
        for (std::size_t i = 0; i < m_input.routes.size(); ++i) {
            const std::int64_t share = m_view.shareAt(i, m_input.nowMs);
            if (share > 0) shares += (shares.empty() ? "" : ", ") + name(i) + " " + percent(share);
        }
        if (!shares.empty()) {
            list.push_back(
                "planned shares " + shares + "; drew " + drawn(coin.draw(Purpose::Share)));
        }
    }
    list.push_back("chance of this first choice: " + percent(m_decision.propensityPpm));
    return list;
}

RouteAnswer Account::answer(std::size_t route, int place, ReasonCode code) const
{
    RouteAnswer answer{name(route), route, place, std::string(toWord(code)), sentence(route, code)};
    if (route < m_decision.scores.size()) answer.score = m_decision.scores[route];
    if (answer.score > 0 && route < m_standings.size()) {
        answer.costPart = m_standings[route].costPart;
        answer.speedPart = m_standings[route].speedPart;
    }
    return answer;
}

Explanation Account::run() const
{
    Explanation explanation;
    explanation.headline = headline();
    explanation.notes = notes();
    int place = 0;
    std::uint64_t listed = 0;
    for (const Candidate& candidate : m_decision.candidates) {
        explanation.routes.push_back(answer(candidate.route, ++place, candidate.code));
        listed |= std::uint64_t{1} << candidate.route;
    }
    for (std::size_t i = 0; i < m_input.routes.size(); ++i) {
        if (((listed >> i) & 1U) != 0) continue;
        explanation.routes.push_back(answer(i, 0, m_decision.codes[i]));
    }
    return explanation;
}

} // namespace

Explanation explain(
    const DecisionRecord& record,
    const PoolSummary* pool,
    std::span<const std::string> providers,
    std::optional<std::int64_t> promptEstimate)
{
    return Account(record, pool, providers, promptEstimate).run();
}

} // namespace weir::routing
