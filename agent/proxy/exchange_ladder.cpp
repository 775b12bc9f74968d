// SPDX-License-Identifier: Apache-2.0
#include "agent/net/clock.h"
#include "agent/proxy/exchange_running.h"
#include "agent/proxy/models.h"
#include "common/base/text.h"

#include <algorithm>

// The part of an exchange that steps down the task's ladder: which models may serve, best first.

namespace weir::proxy {
namespace {

/// Below L1 the models of a task's ladder are all "something smaller".
constexpr int kLevelSmaller = 2;
/// Batch work that found no room comes back no sooner, and not all of it at once where its callers
/// spread what they were told.
constexpr std::chrono::seconds kShedWait{5};
constexpr int kShedStatus = 429;

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
    error.status = kShedStatus;
    error.type = "rate_limit_error";
    error.code = "shed";
    error.message = "Every route is at its rate, and batch requests wait for the others.";
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
    m_identity.singleShot = m_request.singleShot || m_facts.singleShot;
    m_identity.priority = m_request.priority.value_or(m_task->priority);
    m_identity.caller = m_request.caller;
    m_identity.regions = m_request.regions;
    m_identity.terms = m_request.terms;
    const std::string& hint =
        !m_request.conversation.empty() ? m_request.conversation : m_facts.conversationHint;
    const HashKey& key = m_service.shared().conversationKey;
    m_identity.conversation = hex(sipHash(key, hint.empty() ? hex(m_facts.promptHash) : hint));
    m_deadline = m_started + timeAllowed();

    const std::vector<std::string>& rungs = m_task->models;
    const bool isAuto = m_facts.model.empty() || m_facts.model == "auto";
    std::vector<std::string> names;
    const auto from = isAuto ? rungs.begin() : std::find(rungs.begin(), rungs.end(), m_facts.model);
    if (!isAuto && from == rungs.end()) names.push_back(m_facts.model);
    names.insert(names.end(), from, rungs.end());
    names.insert(names.end(), m_facts.wishes.models.begin(), m_facts.wishes.models.end());

    const int lowest =
        std::min(m_request.lowestLevel.value_or(m_task->lowestLevel), m_task->lowestLevel);
    for (const std::string& name : names) {
        const auto model = m_runtime->models.find(name);
        const auto isSame = [&](const Rung& rung) { return rung.model == &model->second; };
        if (model == m_runtime->models.end() ||
            std::any_of(m_ladder.begin(), m_ladder.end(), isSame)) {
            continue;
        }
        const int level = std::min(static_cast<int>(m_ladder.size()), kLevelSmaller);
        if (level > lowest) break;
        m_ladder.push_back({&model->second, level});
    }
    if (m_ladder.empty()) return unknownModel(isAuto ? "auto" : m_facts.model, config);
    const auto answer = m_runtime->models.find(m_task->answerModel);
    const bool isOnLadder = isAuto || from != rungs.end();
    if (isOnLadder && answer != m_runtime->models.end() && lowest >= kLevelAnswer) {
        m_ladder.push_back({&answer->second, kLevelAnswer});
    }
    return std::nullopt;
}

/// Tries the rungs until one has answered or the failure is none that another could mend.
net::Task<> Exchange::descend()
{
    std::optional<protocol::ApiError> refusal;
    for (m_rung = 0; m_rung < m_ladder.size(); ++m_rung) {
        m_model = m_ladder[m_rung].model;
        m_fields.level = m_ladder[m_rung].level;
        m_identity.model = m_model->name;
        const auto error = decide();
        if (error && !refusal) refusal = error;
        if (error) continue;
        co_await attempts();
        if (!m_stepsDown) break;
    }
    m_rung = std::min(m_rung, m_ladder.size() - 1);
    if (!m_results.empty() || !refusal) co_return;
    const bool isShed = refusal->status == kShedStatus;
    if (isShed) m_fields.retryAfter = kShedWait;
    if (isShed) m_fields.level = kLevelFailure;
    const Unserved why = isShed ? Unserved::Shed : Unserved::NoRoute;
    m_service.shared().recorder.record(unservedRecord(m_identity, *m_control, why, net::utcNow()));
    refuse(*refusal);
}

/// Something below may still serve, and the last failure is one that it could mend.
bool Exchange::mayStepDown() const
{
    if (m_rung + 1 >= m_ladder.size() || m_identity.singleShot) return false;
    if (m_answer.begun() || m_clientGone || m_stopped || m_results.empty()) return false;
    const AttemptResult& last = m_results.back();
    if (!mayFailOver(last.outcome) && !last.isHasty) return false;
    // An answer from a cache is no load on anybody, so it is always worth asking for.
    const bool isAnswer = m_ladder[m_rung + 1].level == kLevelAnswer;
    const bool mayAsk = isAnswer || m_log.failovers < routing::kFailoversMax;
    return mayAsk && net::monotonicNow() < m_deadline;
}

std::optional<protocol::ApiError> Exchange::decide()
{
    m_choice = chooseRoute(
        {m_service,
         m_runtime,
         *m_control,
         m_request,
         m_facts,
         *m_translation,
         *m_model,
         m_identity,
         timeAllowed(),
         m_task->hedge && m_rung == 0,
         m_started,
         net::utcNow()});
    auto& candidates = m_choice.decision.candidates;
    if (candidates.empty()) return noRoute();
    const bool isForced = candidates[0].code == ReasonCode::ForcedOverrun;
    const bool isAdaptive = m_control->effectiveMode == EffectiveMode::Adaptive;
    if (m_identity.priority == Priority::Batch && isForced && isAdaptive) return shed();
    if (candidates.size() > routing::kFailoversMax + 1)
        candidates.resize(routing::kFailoversMax + 1);
    m_decisionRecord = m_choice.record;
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
