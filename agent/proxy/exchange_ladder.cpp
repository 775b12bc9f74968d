// SPDX-License-Identifier: Apache-2.0
#include "agent/net/clock.h"
#include "agent/proxy/exchange_running.h"
#include "agent/proxy/models.h"
#include "common/base/text.h"
#include "common/routing/ladder.h"

#include <algorithm>

// The part of an exchange that steps down the task's ladder: which models may serve, best first.

namespace weir::proxy {
namespace {

/// A server of the operator's own has room again when one of its answers has ended.
constexpr std::chrono::milliseconds kFullWait{1000};
constexpr int kNoRouteStatus = 400;

std::string hex(std::uint64_t value)
{
    std::string text;
    appendHex(text, value, 16);
    return text;
}

protocol::ApiError unknownModel(const std::string& name, const Config& config)
{
    protocol::ApiError error;
    error.status = 404;
    error.type = "invalid_request_error";
    error.code = "model_not_found";
    error.param = "model";
    error.message = "The model '" + cleaned(name) +
                    "' is not served here. Known models: " + modelNames(config) + ".";
    return error;
}

protocol::ApiError shed()
{
    protocol::ApiError error;
    error.status = 429;
    error.type = "rate_limit_error";
    error.code = "shed";
    error.message = "Every route is at its rate, and batch requests wait for the others.";
    return error;
}

protocol::ApiError full()
{
    protocol::ApiError error;
    error.status = 429;
    error.type = "rate_limit_error";
    error.code = "over_capacity";
    error.message = "Every route that may serve this request is full, and so is its queue.";
    return error;
}

protocol::ApiError stopping()
{
    protocol::ApiError error;
    error.status = 503;
    error.type = "overloaded_error";
    error.code = "stopping";
    error.message = "This agent is stopping, and the request was still waiting for its turn.";
    return error;
}

} // namespace

/// The models that may serve, best first: the task's own for "auto", else the one that was named
/// and what stands below it on the task's ladder or in the caller's `models`.
std::optional<protocol::ApiError> Exchange::findLadder()
{
    const Config& config = *m_runtime->config;
    const auto task = config.tasks.find(m_request.taskType);
    m_task = task != config.tasks.end() ? &task->second : &config.tasks.at("default");
    m_identity.taskType = m_request.taskType.empty() ? "default" : m_request.taskType;
    m_identity.taskId = m_request.taskId;
    m_identity.eval = m_request.eval;
    m_identity.singleShot = m_request.singleShot || m_facts.singleShot || m_identity.eval;
    m_identity.priority = m_request.priority.value_or(m_task->priority);
    if (m_identity.eval) m_identity.priority = Priority::Batch;
    m_identity.caller = m_request.caller;
    m_identity.regions = m_request.regions;
    m_identity.terms = m_request.terms;
    // What is reported of texts to embed is the sum of them all, of which only one has to fit.
    if (m_request.endpoint != ApiPath::Embeddings) {
        m_identity.promptEstimate = protocol::promptEstimate(m_facts.shape);
    }
    const std::string& hint =
        !m_request.conversation.empty() ? m_request.conversation : m_facts.conversationHint;
    const HashKey& key = m_service.shared().conversationKey;
    m_identity.conversation = hex(sipHash(key, hint.empty() ? hex(m_facts.promptHash) : hint));
    m_deadline = m_started + timeAllowed();

    const auto& models = m_runtime->models;
    const routing::LadderAsk ask{m_facts.model, m_facts.wishes.models, m_request.lowestLevel};
    const auto isKnown = [&models](std::string_view name) { return models.contains(name); };
    for (const routing::LadderStep& step : routing::ladderOf(*m_task, ask, isKnown))
        m_ladder.push_back({&models.find(step.model)->second, step.level});
    if (m_ladder.empty())
        return unknownModel(m_facts.model.empty() ? "auto" : m_facts.model, config);
    if (m_identity.eval) m_ladder.resize(1);
    return std::nullopt;
}

/// Tries the rungs until one has answered or the failure is none that another could mend. It begins
/// at the first with a route that is sound; where none is, at the first of all that may serve.
net::Task<> Exchange::descend()
{
    struct PassedOver
    {
        std::size_t rung;
        Choice choice;
    };

    std::optional<protocol::ApiError> refusal;
    std::optional<PassedOver> passed;
    std::optional<std::chrono::milliseconds> shedWait;
    std::size_t from = 0;
    for (; from < m_ladder.size(); ++from) {
        // Whatever the state of a model's routes, they come before an answer without a model.
        if (passed && m_ladder[from].level == kLevelAnswer) break;
        const auto error = decide(from);
        if (error && !refusal) refusal = error;
        if (m_choice.shedWait)
            shedWait = std::min(shedWait.value_or(*m_choice.shedWait), *m_choice.shedWait);
        if (error) continue;
        const std::size_t first = m_choice.decision.candidates[0].route;
        const GateView gate = m_model->routes[first].state->view(m_started);
        if (m_identity.singleShot || !routing::isPassedOver(m_choice.decision, gate)) break;
        const Decision& decision = m_choice.decision;
        if (!passed || routing::isBetterLastResort(decision, passed->choice.decision))
            passed = {from, m_choice};
    }
    if (passed && (from == m_ladder.size() || m_ladder[from].level == kLevelAnswer)) {
        from = passed->rung;
        enter(from);
        m_choice = std::move(passed->choice);
    }
    for (std::size_t rung = from; rung < m_ladder.size(); ++rung) {
        if (rung > from && decide(rung)) continue;
        co_await attempts();
        if (!m_stepsDown) break;
    }
    tellUnsure(true);
    if (!m_results.empty() || m_clientGone) co_return;
    if (!refusal) refusal = m_stopped ? stopping() : full();
    const bool isShed = refusal->status != kNoRouteStatus;
    if (isShed) m_fields.retryAfter = shedWait.value_or(kFullWait);
    m_fields.level = kLevelFailure;
    refuse(*refusal);
    if (m_identity.eval) co_return; // No caller was left without an answer.
    const Unserved why = isShed ? Unserved::Shed : Unserved::NoRoute;
    m_service.shared().recorder.record(unservedRecord(m_identity, *m_control, why, net::utcNow()));
}

/// Something below may still serve, and the last failure is one that it could mend.
bool Exchange::mayStepDown() const
{
    if (m_rung + 1 >= m_ladder.size() || m_identity.singleShot) return false;
    if (m_answer.begun() || m_clientGone || m_stopped) return false;
    // Nothing was tried: every route of this step is full.
    if (m_results.empty()) return net::monotonicNow() < m_deadline;
    const AttemptResult& last = m_results.back();
    const Outcome failed = last.isHasty ? Outcome::TtftTimeout : last.outcome;
    return routing::mayStepDown(m_log, failed, m_ladder[m_rung + 1].level) &&
           net::monotonicNow() < m_deadline;
}

void Exchange::enter(std::size_t rung)
{
    m_rung = rung;
    m_model = m_ladder[rung].model;
    m_fields.level = m_ladder[rung].level;
    m_identity.model = m_model->name;
}

ChoiceContext Exchange::choiceContext(const ModelRuntime& model)
{
    return {
        m_service,
        m_runtime,
        *m_control,
        m_request,
        m_facts,
        m_body.view(),
        *m_translation,
        model,
        m_identity,
        *m_task,
        timeAllowed(),
        m_task->hedge && m_rung == 0 && !m_identity.eval,
        m_started,
        net::utcNow()};
}

std::optional<protocol::ApiError> Exchange::decide(std::size_t rung)
{
    enter(rung);
    m_choice = chooseRoute(choiceContext(*m_model));
    if (m_choice.drill) takeHand(m_choice.drill);
    auto& candidates = m_choice.decision.candidates;
    if (candidates.empty()) return noRoute();
    const bool isBatch = m_identity.priority == Priority::Batch;
    if (routing::isShed(m_choice.decision, m_control->effectiveMode, isBatch)) return shed();
    if (candidates.size() > routing::kFailoversMax + 1)
        candidates.resize(routing::kFailoversMax + 1);
    return std::nullopt;
}

protocol::ApiError Exchange::noRoute() const
{
    protocol::ApiError error;
    error.status = 400;
    error.type = "invalid_request_error";
    error.code = "no_eligible_route";
    error.param = m_choice.refusedParam;
    error.message = "No route of model '" + m_model->name +
                    "' may serve this request:" + m_choice.exclusions + '.';
    return error;
}

} // namespace weir::proxy
