// SPDX-License-Identifier: Apache-2.0
#include "common/routing/incident_book.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

namespace weir::routing {
namespace {

/// A route without a call for a week is forgotten with its baseline.
constexpr std::int64_t kForgetMinutes = 7LL * 24 * 60;

/// "model/provider/task_type".
std::string joined(std::initializer_list<std::string_view> names)
{
    std::string key;
    for (const std::string_view name : names) {
        if (name.empty()) continue;
        if (!key.empty()) key += '/';
        key += name;
    }
    return key;
}

using JudgeRoute = IncidentSignal (*)(const RouteRing&, bool);

struct RouteJudge
{
    IncidentKind kind;
    JudgeRoute judge;
};

constexpr std::array<RouteJudge, 3> kRouteJudges{
    RouteJudge{IncidentKind::RateLimitBurst, judgeRateLimits},
    RouteJudge{IncidentKind::Outage, judgeOutage},
    RouteJudge{IncidentKind::PartialErrors, judgeErrors}};

constexpr std::array<IncidentKind, 4> kRaisable{
    IncidentKind::PriceDrift,
    IncidentKind::QualityFlag,
    IncidentKind::UnloadedRateLimit,
    IncidentKind::BudgetBurn};

/// Whatever a broken row says, sums over it do not overflow: more than any fleet calls in a minute.
constexpr std::int64_t kCountMax = 100'000'000;
/// ln and its square of the largest number of microseconds there is, in millionths.
constexpr std::int64_t kLnMax = 44'000'000;
constexpr std::int64_t kLnSquareMax = 1'936'000'000;

std::int64_t count(std::int64_t value)
{
    return std::clamp<std::int64_t>(value, 0, kCountMax);
}

void addTtft(TtftMinute& minute, const RouteMinute& row)
{
    const std::int64_t told = std::min(count(row.ttftCalls), kCountMax - minute.calls);
    minute.calls += told;
    minute.ln += std::clamp<std::int64_t>(row.lnTtftMicro, 0, told * kLnMax);
    minute.lnSquare += std::clamp<std::int64_t>(row.lnTtftSquareMicro, 0, told * kLnSquareMax);
}

/// "model/provider/task_type" without what is empty; nothing at all is the fleet.
std::string keyOf(const RaisedTrouble& raised)
{
    const std::string key = joined({raised.model, raised.provider, raised.taskType});
    return key.empty() ? "fleet" : key;
}

/// The state of these names, made where it is new.
template <class Map, class... Names>
auto& stateOf(Map& states, const Names&... names)
{
    const auto found = states.find(std::array{std::string_view{names}...});
    return found != states.end() ? found->second : states[{names...}];
}

bool isSaying(const IncidentSignal& signal, bool isOpen)
{
    return isOpen || signal.turn == Turn::Open;
}

} // namespace

std::vector<Incident> IncidentBook::advance(const MinuteFacts& facts)
{
    if (m_lastMs && facts.startMs <= *m_lastMs) return {};
    if (m_lastMs) skip((facts.startMs - *m_lastMs) / kMinuteMs - 1);
    m_lastMs = facts.startMs;
    m_cases.begin(facts.startMs, facts.routes);
    takeRows(facts);
    judgeAccounts();
    judgeRoutes();
    judgeTypes();
    judgeFleet(facts.fleet);
    judgeRaised(facts.raised);
    noteGates();
    noteLeaders(facts.leaderChanges);
    judgePools();
    return m_cases.takeChanged();
}

void IncidentBook::adopt(std::span<const Incident> incidents)
{
    m_cases.adopt(incidents);
    // What is open must be judged even if nothing is ever heard of it again.
    for (const Incident& incident : m_cases.open()) {
        const bool ofRoute =
            std::any_of(kRouteJudges.begin(), kRouteJudges.end(), [&](const RouteJudge& of) {
                return of.kind == incident.kind;
            });
        if (ofRoute) stateOf(m_routes, incident.model, incident.provider);
        if (incident.kind == IncidentKind::Slowdown) {
            stateOf(m_types, incident.model, incident.provider, incident.taskType);
        }
        if (incident.kind == IncidentKind::CreditExhausted || incident.kind == IncidentKind::Auth) {
            stateOf(m_accounts, incident.provider);
        }
        if (incident.kind == IncidentKind::Flapping)
            stateOf(m_pools, incident.model, incident.taskType);
    }
}

void IncidentBook::skip(std::int64_t minutes)
{
    if (minutes <= 0) return;
    for (auto& [name, state] : m_routes) {
        state.ring = {};
        state.silentMinutes += minutes;
    }
    for (auto& [name, state] : m_types) {
        state.detector.skip();
        state.silentMinutes += minutes;
    }
    for (auto& [name, state] : m_accounts)
        state.detector = {};
    for (auto& [name, state] : m_pools) {
        for (std::int64_t i = 0; i < std::min(minutes, kForgetMinutes); ++i)
            static_cast<void>(state.detector.judge(0, false));
    }
    m_fleet = {};
}

void IncidentBook::takeRows(const MinuteFacts& facts)
{
    for (const RouteMinute& row : facts.routes) {
        RouteState& route = stateOf(m_routes, row.model, row.provider);
        route.now.calls += count(row.calls);
        route.now.successes += count(row.successes);
        route.now.failed += count(row.failed);
        route.now.rateLimited += count(row.rateLimited);
        TypeState& type = stateOf(m_types, row.model, row.provider, row.taskType);
        addTtft(type.now, row);
        AccountTally& account = stateOf(m_accounts, row.provider).now;
        account.successes += count(row.successes);
        account.credit += count(row.credit);
        account.auth += count(row.auth);
    }
    for (const GateMinute& row : facts.gates) {
        RouteState& route = stateOf(m_routes, row.model, row.provider);
        route.now.halvingCuts += count(row.halvingCuts);
        route.now.breakerOpenForMs = std::max(route.now.breakerOpenForMs, row.breakerOpenForMs);
        route.halvingCuts += count(row.halvingCuts);
        route.easingCuts += count(row.easingCuts);
    }
    for (const AccountMinute& row : facts.accounts) {
        AccountTally& account = stateOf(m_accounts, row.provider).now;
        account.creditHold = account.creditHold || row.creditHold;
        account.authHold = account.authHold || row.authHold;
    }
    for (const LeaderChange& change : facts.leaderChanges) {
        const bool counts = change.cause != LeaderCause::Start && change.from != change.to;
        stateOf(m_pools, change.model, change.taskType).changes += counts ? 1 : 0;
    }
}

void IncidentBook::judgeRoutes()
{
    for (auto it = m_routes.begin(); it != m_routes.end();) {
        const auto& [model, provider] = it->first;
        RouteState& state = it->second;
        if (state.key.empty()) state.key = joined({model, provider});
        state.silentMinutes = state.now.calls > 0 ? 0 : state.silentMinutes + 1;
        state.ring.push(state.now);
        state.now = {};
        bool anyOpen = false;
        for (const RouteJudge& of : kRouteJudges) {
            const bool isOpen = m_cases.isOpen(of.kind, state.key);
            const IncidentSignal signal = of.judge(state.ring, isOpen);
            anyOpen = anyOpen || isOpen;
            if (!isSaying(signal, isOpen)) continue;
            m_cases.apply({of.kind, state.key, model, {}, provider}, signal);
        }
        const bool forgotten = state.silentMinutes > kForgetMinutes && !anyOpen;
        it = forgotten ? m_routes.erase(it) : std::next(it);
    }
}

void IncidentBook::judgeTypes()
{
    for (auto it = m_types.begin(); it != m_types.end();) {
        const auto& [model, provider, taskType] = it->first;
        TypeState& state = it->second;
        if (state.key.empty()) state.key = joined({model, provider, taskType});
        state.silentMinutes = state.now.calls > 0 ? 0 : state.silentMinutes + 1;
        const bool isOpen = m_cases.isOpen(IncidentKind::Slowdown, state.key);
        const IncidentSignal signal = state.detector.judge(state.now, isOpen);
        state.now = {};
        if (isSaying(signal, isOpen)) {
            m_cases.apply({IncidentKind::Slowdown, state.key, model, taskType, provider}, signal);
        }
        const bool forgotten = state.silentMinutes > kForgetMinutes && !isOpen;
        it = forgotten ? m_types.erase(it) : std::next(it);
    }
}

void IncidentBook::judgeAccounts()
{
    for (auto& [name, state] : m_accounts) {
        const auto& [provider] = name;
        const bool credit = m_cases.isOpen(IncidentKind::CreditExhausted, provider);
        const IncidentSignal ofCredit = state.detector.judgeCredit(state.now, credit);
        if (isSaying(ofCredit, credit)) {
            m_cases.apply({IncidentKind::CreditExhausted, provider, {}, {}, provider}, ofCredit);
        }
        const bool auth = m_cases.isOpen(IncidentKind::Auth, provider);
        const IncidentSignal ofAuth = state.detector.judgeAuth(state.now, auth);
        if (isSaying(ofAuth, auth)) {
            m_cases.apply({IncidentKind::Auth, provider, {}, {}, provider}, ofAuth);
        }
        state.now = {};
    }
}

void IncidentBook::judgeFleet(const FleetMinute& minute)
{
    const auto judge = [this](IncidentKind kind, const auto& detect) {
        const IncidentSubject subject{kind, "fleet", {}, {}, {}};
        m_cases.apply(subject, detect(m_cases.isOpen(kind, subject.key)));
    };
    judge(IncidentKind::RedisEmpty, [&](bool isOpen) {
        return FleetDetector::judgeEmptied(minute, isOpen);
    });
    judge(IncidentKind::GateLocal, [&](bool isOpen) { return m_fleet.judgeLocal(minute, isOpen); });
    judge(IncidentKind::StaleSummary, [&](bool isOpen) {
        return m_fleet.judgeSummary(minute, isOpen);
    });
}

void IncidentBook::judgeRaised(const std::vector<RaisedTrouble>& raised)
{
    std::map<std::pair<IncidentKind, std::string>, const RaisedTrouble*> standing;
    for (const RaisedTrouble& trouble : raised) {
        const bool mayBe = std::count(kRaisable.begin(), kRaisable.end(), trouble.kind) > 0;
        if (!mayBe) continue;
        const RaisedTrouble*& of = standing[{trouble.kind, keyOf(trouble)}];
        if (of == nullptr || trouble.detail < of->detail) of = &trouble;
    }
    for (const auto& [name, trouble] : standing) {
        if (m_cases.isOpen(name.first, name.second)) continue;
        const IncidentSubject subject{
            name.first, name.second, trouble->model, trouble->taskType, trouble->provider};
        m_cases.apply(subject, {Turn::Open, 0, 0, trouble->detail});
    }
    if (!m_cases.anyOpen()) return;
    for (const IncidentKind kind : kRaisable) {
        for (const std::string& key : m_cases.openKeys(kind)) {
            if (standing.contains({kind, key})) continue;
            m_cases.apply({kind, key, {}, {}, {}}, {Turn::Close, 0, 0, "no longer found"});
        }
    }
}

void IncidentBook::judgePools()
{
    for (auto& [name, state] : m_pools) {
        const auto& [model, taskType] = name;
        if (state.key.empty()) state.key = joined({model, taskType});
        const bool isOpen = m_cases.isOpen(IncidentKind::Flapping, state.key);
        const IncidentSignal signal = state.detector.judge(state.changes, isOpen);
        state.changes = 0;
        if (!isSaying(signal, isOpen)) continue;
        m_cases.apply({IncidentKind::Flapping, state.key, model, taskType, {}}, signal);
    }
}

void IncidentBook::noteGates()
{
    for (auto& [name, state] : m_routes) {
        const auto& [model, provider] = name;
        const std::int64_t open = state.ring.ago(0).breakerOpenForMs;
        if (open > 0 && state.ring.ago(1).breakerOpenForMs == 0) {
            m_cases.note(model, provider, {*m_lastMs, "breaker_open", {}});
        }
        if (state.halvingCuts + state.easingCuts == 0) continue;
        const std::string detail = std::to_string(state.halvingCuts) + " to half, " +
                                   std::to_string(state.easingCuts) + " to four fifths";
        m_cases.note(model, provider, {*m_lastMs, "gate_cut", detail});
        state.halvingCuts = 0;
        state.easingCuts = 0;
    }
}

void IncidentBook::noteLeaders(const std::vector<LeaderChange>& changes)
{
    std::vector<const LeaderChange*> sorted;
    sorted.reserve(changes.size());
    for (const LeaderChange& change : changes)
        sorted.push_back(&change);
    std::sort(sorted.begin(), sorted.end(), [](const LeaderChange* a, const LeaderChange* b) {
        return std::tie(a->model, a->taskType, a->from, a->to, a->cause) <
               std::tie(b->model, b->taskType, b->from, b->to, b->cause);
    });
    for (const LeaderChange* change : sorted)
        m_cases.note(*change);
}

} // namespace weir::routing
