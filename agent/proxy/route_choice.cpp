// SPDX-License-Identifier: Apache-2.0
#include "agent/proxy/route_choice.h"

#include "agent/proxy/betas.h"
#include "agent/proxy/drilled_choice.h"
#include "agent/proxy/floor_check.h"
#include "agent/proxy/prompt_fit.h"
#include "agent/proxy/token_load.h"
#include "common/base/text.h"
#include "common/model/saved_decision.h"
#include "common/routing/decide.h"
#include "common/routing/eligible.h"
#include "common/routing/fixed_order.h"
#include "common/routing/hedge.h"
#include "common/routing/ladder.h"
#include "common/routing/patience.h"
#include "common/routing/philox.h"
#include "common/routing/shed_wait.h"

#include <algorithm>
#include <cmath>

namespace weir::proxy {
namespace {

constexpr std::int64_t kDayMs = 86'400'000;
constexpr std::chrono::milliseconds kUsefulMin{20};

routing::Demands demandsOf(const ClientRequest& request, const protocol::RequestFacts& facts)
{
    const protocol::RoutingWishes& wishes = facts.wishes;
    routing::Demands demands;
    if (request.endpoint == ApiPath::Responses) demands.capabilities.emplace_back("responses");
    if (request.endpoint == ApiPath::Embeddings) demands.capabilities.emplace_back("embeddings");
    if (facts.stream) demands.capabilities.emplace_back("stream");
    if (facts.needs.tools) demands.capabilities.emplace_back("tools");
    if (facts.needs.images) demands.capabilities.emplace_back("images");
    if (facts.needs.jsonSchema) demands.capabilities.emplace_back("json_schema");
    demands.regions = listElements(request.regions);
    demands.terms = listElements(request.terms);
    if (wishes.zeroRetention) demands.terms.emplace_back("no_retention");
    if (wishes.denyDataCollection) demands.anyTerm = {"no_training", "no_retention"};
    demands.only.assign(wishes.only.begin(), wishes.only.end());
    if (!wishes.allowFallbacks && !wishes.order.empty() && wishes.only.empty()) {
        demands.only.assign(wishes.order.begin(), wishes.order.end());
    }
    demands.ignore.assign(wishes.ignore.begin(), wishes.ignore.end());
    if (wishes.requireParameters) demands.answerTokens = facts.maxTokens.value_or(0);
    demands.maxInputPrice = wishes.maxInputPrice;
    demands.maxOutputPrice = wishes.maxOutputPrice;
    return demands;
}

SortBy sortOf(const ClientRequest& request, const protocol::RequestFacts& facts)
{
    if (request.sort) return *request.sort;
    switch (facts.wishes.sort) {
    case protocol::SortWish::Price:
        return SortBy::Price;
    case protocol::SortWish::Throughput:
    case protocol::SortWish::Latency:
        return SortBy::Speed;
    case protocol::SortWish::None:
        break;
    }
    if (facts.sortSuffix == "price") return SortBy::Price;
    return facts.sortSuffix == "speed" ? SortBy::Speed : SortBy::Score;
}

/// What of a request keeps it from a route, beside what `exclusionOf` looks at.
struct Obstacle
{
    Exclusion exclusion = Exclusion::None;
    std::string detail;
    std::string param;
};

Obstacle obstacleOf(const ChoiceContext& context, const RouteRuntime& route)
{
    const ProviderConfig& provider = route.provider->config;
    if (provider.protocol != context.request.protocol) {
        const auto error = context.translation.obstacle(route);
        if (error) return {Exclusion::Protocol, error->message, error->param};
    }
    if (context.request.betas.empty()) return {};
    const auto& optional = context.runtime->config->agent.optionalBetas;
    const BetaChoice betas = betasFor(context.request.betas, provider, optional);
    if (betas.missing.empty()) return {};
    return {
        Exclusion::Capability,
        "provider." + provider.name + ".betas does not allow anthropic-beta '" +
            cleaned(betas.missing) + '\'',
        "anthropic-beta"};
}

Exclusion exclusionOf(
    const RouteRuntime& route,
    const Obstacle& obstacle,
    bool enabled,
    const routing::Demands& demands)
{
    const bool expressible = obstacle.exclusion != Exclusion::Protocol;
    const Exclusion exclusion = routing::exclusionOf(route.config, expressible, enabled, demands);
    return exclusion == Exclusion::None ? obstacle.exclusion : exclusion;
}

/// As gates tell callers apart; 0 = it has no name.
std::uint64_t callerOf(const ChoiceContext& context)
{
    const std::string& name = context.identity.caller;
    return name.empty() ? 0 : sipHash(context.service.shared().conversationKey, name);
}

/// Fills in the routes: who may serve, in which place, and how its gate stands.
void addRoutes(const ChoiceContext& context, DecisionInput& input)
{
    const routing::Demands demands = demandsOf(context.request, context.facts);
    static const std::vector<RouteSettings> kNone;
    const auto& decisions = context.control.decisions;
    const std::vector<RouteSettings>& settings = decisions ? decisions->routes : kNone;
    // Without a row that moves or disables one, the file's own order is known already.
    std::vector<std::string> order;
    if (!settings.empty()) {
        order =
            routing::fixedOrder(context.runtime->config->models.at(context.model.name), settings);
    }
    for (const RouteRuntime& route : context.model.routes) {
        RouteOption option;
        bool enabled = true;
        option.fixedPosition = static_cast<std::uint16_t>(route.fixedPosition);
        if (!settings.empty()) {
            const auto place = std::find(order.begin(), order.end(), route.config.provider);
            enabled = place != order.end();
            // The disabled ones come behind all others, each in a place of its own.
            const std::size_t position = enabled ? static_cast<std::size_t>(place - order.begin())
                                                 : order.size() + route.fixedPosition;
            option.fixedPosition = static_cast<std::uint16_t>(position);
            const RouteSettings* const own =
                routing::settingsOf(settings, context.model.name, route.config.provider);
            if (own != nullptr) {
                option.biasPpm = static_cast<std::int32_t>(std::llround(own->scoreBias * kPpm));
            }
        }
        const Obstacle obstacle = enabled ? obstacleOf(context, route) : Obstacle{};
        option.exclusion = exclusionOf(route, obstacle, enabled, demands);
        if (option.exclusion == Exclusion::None && isBelowFloor(context, route))
            option.exclusion = Exclusion::Quality;
        if (route.config.price) option.listPriceNanoUsd = listPriceNanoUsd(*route.config.price);
        option.gate = route.state->view(context.now, {callerOf(context), input.batch});
        input.routes.push_back(option);
    }
}

/// Why each route may not serve, in words, where none may.
void explainExclusions(const ChoiceContext& context, const DecisionInput& input, Choice& choice)
{
    for (std::size_t i = 0; i < input.routes.size(); ++i) {
        const RouteRuntime& route = context.model.routes[i];
        const Exclusion exclusion = input.routes[i].exclusion;
        const Obstacle obstacle = obstacleOf(context, route);
        const bool tells = exclusion == obstacle.exclusion;
        choice.exclusions += choice.exclusions.empty() ? " " : "; ";
        choice.exclusions += route.name + " is excluded by ";
        choice.exclusions += routing::describe(exclusion);
        if (tells) choice.exclusions += " (" + obstacle.detail + ')';
        if (tells && choice.refusedParam.empty()) choice.refusedParam = obstacle.param;
        if (exclusion == Exclusion::Quality) choice.exclusions += whyBelowFloor(context, route);
    }
}

std::optional<std::uint8_t>
indexOf(const ModelRuntime& model, const std::optional<routing::Pin>& pin)
{
    if (!pin) return std::nullopt;
    for (std::size_t i = 0; i < model.routes.size(); ++i) {
        if (model.routes[i].state->id() == pin->route) return static_cast<std::uint8_t>(i);
    }
    return std::nullopt;
}

void addPreferred(const ChoiceContext& context, const routing::PoolView& pool, DecisionInput& input)
{
    const protocol::RoutingWishes& wishes = context.facts.wishes;
    const auto push = [&input](std::size_t route) {
        const auto index = static_cast<std::uint8_t>(route);
        const auto* const known = std::find(input.preferred.begin(), input.preferred.end(), index);
        if (known == input.preferred.end() && input.preferred.size() < 8) {
            input.preferred.push_back(index);
        }
    };
    for (const std::string& name : wishes.order) {
        for (std::size_t i = 0; i < context.model.routes.size(); ++i) {
            if (routing::meansProvider(name, context.model.routes[i].config.provider)) push(i);
        }
    }
    if (!wishes.order.empty() || (!wishes.minTokensPerS && !wishes.maxLatencyS)) return;
    // Those that are fast enough go first, among themselves as they are ranked.
    std::vector<std::pair<int, std::size_t>> fast;
    std::size_t eligible = 0;
    for (std::size_t i = 0; i < input.routes.size(); ++i) {
        if (input.routes[i].exclusion != Exclusion::None) continue;
        ++eligible;
        const RouteFigures* const figures = pool.figures(i);
        if (figures == nullptr || figures->ttftUs.value == 0) continue;
        const auto tps = static_cast<double>(figures->milliTps.value) / 1e3;
        const auto latency = static_cast<double>(figures->ttftUs.value) / 1e6;
        if (wishes.minTokensPerS && tps < *wishes.minTokensPerS) continue;
        if (wishes.maxLatencyS && latency > *wishes.maxLatencyS) continue;
        fast.emplace_back(figures->rank, i);
    }
    if (fast.size() == eligible) return;
    std::sort(fast.begin(), fast.end());
    for (const auto& [rank, route] : fast)
        push(route);
}

std::chrono::milliseconds fromUs(std::int64_t us)
{
    return std::chrono::ceil<std::chrono::milliseconds>(std::chrono::microseconds{us});
}

std::chrono::milliseconds usefulMin(const routing::PoolView& pool, std::size_t route, bool stream)
{
    return std::max(kUsefulMin, fromUs(routing::usefulUs(pool, route, stream)));
}

/// t*: the fastest of those that may be compared; 0 = nothing is known.
std::int64_t fastestUs(const routing::PoolView& pool, const Decision& decision)
{
    std::int64_t fastest = 0;
    for (const Candidate& candidate : decision.candidates) {
        const RouteFigures* const figures = pool.figures(candidate.route);
        if (figures == nullptr || !figures->sampleOk || figures->timeUs <= 0) continue;
        if (fastest == 0 || figures->timeUs < fastest) fastest = figures->timeUs;
    }
    return fastest;
}

std::vector<Patience> patienceOf(
    const routing::PoolView& pool,
    const Decision& decision,
    const DecisionInput& input,
    bool stream)
{
    std::vector<Patience> all(input.routes.size());
    const std::int64_t fastest = fastestUs(pool, decision);
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i].usefulMin = usefulMin(pool, i, stream);
        const RouteFigures* const figures = pool.figures(i);
        if (fastest == 0 || figures == nullptr) continue;
        all[i].ttftMax = fromUs(routing::ttftLimitUs(*figures, fastest, input.policy));
    }
    return all;
}

/// Time for one try elsewhere and one at the leader, whoever they are.
bool mayExplore(
    const ChoiceContext& context, const routing::PoolView& pool, const DecisionInput& input)
{
    std::chrono::milliseconds longest = kUsefulMin;
    for (std::size_t i = 0; i < input.routes.size(); ++i) {
        if (input.routes[i].exclusion != Exclusion::None) continue;
        longest = std::max(longest, usefulMin(pool, i, context.facts.stream));
    }
    return context.deadline >= 2 * longest;
}

/// Which coin the request tosses, and whose pin it has.
void addIdentity(const ChoiceContext& context, DecisionInput& input, Choice& choice)
{
    const Shared& shared = context.service.shared();
    const RequestIdentity& identity = context.identity;
    choice.conversation =
        sipHash(shared.conversationKey, identity.conversation + '\n' + context.model.name);
    const bool named = !identity.taskId.empty();
    const bool asked =
        !context.request.conversation.empty() || !context.facts.conversationHint.empty();
    const std::string& own = asked ? identity.conversation : identity.requestId;
    input.seed = choice.seed = seedOf(shared.conversationKey, context.utc);
    input.taskKey =
        routing::coinKeyOf(shared.conversationKey, named ? "t:" + identity.taskId : "c:" + own);
    input.requestKey = routing::coinKeyOf(shared.conversationKey, "r:" + identity.requestId);
    if (context.identity.eval) return;
    std::optional<std::uint64_t> task;
    if (named) task = sipHash(shared.conversationKey, identity.taskId + '\n' + context.model.name);
    const Conversations::Known known = context.service.shared().conversations.look(
        choice.conversation, task, input.policy.pinMs, input.nowMs);
    input.pin = indexOf(context.model, known.pin);
    input.pinExplored = input.pin && known.pin->explored;
    if (input.singleShot) input.origin = indexOf(context.model, known.origin);
    choice.issuerIsGone = context.facts.singleShot && known.origin && !input.origin;
    input.explorable = !input.singleShot && !input.pin && !known.taskSeen;
    choice.pinExplored = input.pinExplored;
}

void noteAsked(const ModelRuntime& model, const Decision& decision, std::uint64_t caller)
{
    model.requests->fetch_add(1, std::memory_order_relaxed);
    for (std::size_t i = 0; i < model.routes.size(); ++i) {
        if ((decision.askedMask >> i & 1U) == 0) continue;
        const bool denied = decision.exploreDenied && decision.exploreArm == i;
        model.routes[i].state->asked(denied ? GateClass::Explore : decision.gateClass, caller);
    }
}

} // namespace

std::uint64_t seedOf(const HashKey& secret, UtcTime utc)
{
    // Not at midnight: nothing of Weir happens at the turn of an hour.
    const auto shift = static_cast<std::int64_t>(sipHash(secret, "seed shift") % kDayMs);
    return sipHash(secret, "seed " + std::to_string((epochMs(utc) + shift) / kDayMs));
}

Choice chooseRoute(const ChoiceContext& context)
{
    Choice choice;
    DecisionInput input;
    input.mode = context.control.effectiveMode;
    input.policy = context.control.policy;
    input.nowMs = epochMs(context.utc);
    input.singleShot = context.identity.singleShot;
    input.batch = context.identity.priority == Priority::Batch;
    input.sort = sortOf(context.request, context.facts);
    addRoutes(context, input);
    const std::shared_ptr<const Summary>& summary = context.service.summary();
    const routing::PoolView& pool = context.service.pools().of(
        summary, context.runtime, context.model, context.identity.taskType);
    const PromptFits fits = promptFits(context, pool, input);
    routing::excludeTooSmall(
        {input.routes.begin(), input.routes.size()}, {fits.begin(), fits.size()});
    addIdentity(context, input, choice);
    addPreferred(context, pool, input);
    input.explorable = input.explorable && mayExplore(context, pool, input);
    if (summary) choice.snapshotId = summary->id;

    if (choice.issuerIsGone) {
        choice.exclusions = " the provider whose reasoning it carries is gone, so leave that out";
        return choice;
    }
    decideDrilled(context, pool, input, choice);
    if (choice.decision.candidates.empty()) {
        explainExclusions(context, input, choice);
        return choice;
    }
    if (routing::isShed(choice.decision, input.mode, input.batch)) {
        choice.shedWait = std::chrono::milliseconds{routing::shedWaitMs(input, choice.decision)};
    }
    SavedDecision saved;
    saved.providers = context.model.providers;
    saved.served = {choice.snapshotId, input, choice.decision};
    if (input.mode == EffectiveMode::Shadow) {
        input.mode = EffectiveMode::Adaptive;
        // Where the fixed order served it says nothing of where it would have stayed.
        input.pin.reset();
        input.pinExplored = false;
        const Decision shadow = routing::decide(pool, input);
        choice.shadowFirst = shadow.candidates[0].route;
        saved.shadow = DecisionRecord{choice.snapshotId, input, shadow};
    }
    choice.record = encode(saved);
    noteAsked(context.model, choice.decision, callerOf(context));
    choice.expectedTokens = expectedTokens(context.facts, pool);
    const bool adaptive = context.control.effectiveMode == EffectiveMode::Adaptive;
    choice.patience = patienceOf(
        adaptive ? pool : routing::PoolView{}, choice.decision, input, context.facts.stream);
    const routing::HedgeWish wish{
        context.hedge && adaptive, context.facts.needs.tools, context.facts.maxTokens};
    if (const auto delay = routing::hedgeDelayMs(wish, pool, input, choice.decision)) {
        choice.hedgeAfter = std::chrono::milliseconds{*delay};
    }
    appendPerhaps(input, fits, choice.decision);
    if (!context.facts.wishes.allowFallbacks && context.facts.wishes.order.empty()) {
        choice.decision.candidates.resize(1);
    }
    return choice;
}

bool isServable(const ChoiceContext& context)
{
    DecisionInput input;
    addRoutes(context, input);
    return std::any_of(input.routes.begin(), input.routes.end(), [](const RouteOption& option) {
        return option.exclusion == Exclusion::None;
    });
}

std::uint16_t flagsOf(const Choice& choice, const Candidate& candidate, bool singleShot)
{
    std::uint16_t flags = 0;
    const auto set = [&flags](CallFlag flag) { flags |= static_cast<std::uint16_t>(flag); };
    if (candidate.reason == Reason::Explore) set(CallFlag::Explored);
    if (candidate.reason == Reason::Pinned) set(CallFlag::Pinned);
    if (candidate.reason == Reason::Spill) set(CallFlag::Spilled);
    if (singleShot) set(CallFlag::SingleShot);
    if (choice.shadowFirst == candidate.route) set(CallFlag::ShadowChoice);
    return flags;
}

} // namespace weir::proxy
