// SPDX-License-Identifier: Apache-2.0
#include "agent/proxy/mirror.h"

#include "agent/net/clock.h"
#include "agent/proxy/mirror_judge.h"
#include "common/routing/philox.h"

#include <algorithm>

namespace weir::proxy {
namespace {

/// Requests at a time that are answered and will be copied, are copied, or graded. Each holds its
/// body, two texts, a document under way and what is made of them: 4 MB at the very most, and as a
/// rule a hundredth of that.
constexpr int kSeats = 16;
constexpr std::size_t kBodyMax = 512UL << 10U;
constexpr std::size_t kGradeBytesMax = 64UL << 10U;

std::int64_t ms(Duration duration)
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
}

bool isConversation(ApiPath path)
{
    return path == ApiPath::ChatCompletions || path == ApiPath::Messages;
}

/// Why a request may not be copied, however it is answered.
std::optional<MirrorResult>
objection(const ClientRequest& request, const RequestIdentity& identity, std::size_t bodySize)
{
    if (!isConversation(request.endpoint)) return MirrorResult::SkippedNotText;
    if (identity.singleShot) return MirrorResult::SkippedSingleShot;
    if (identity.priority == Priority::Batch) return MirrorResult::SkippedBatch;
    if (bodySize > kBodyMax) return MirrorResult::SkippedLarge;
    return std::nullopt;
}

/// Of what a caller wants of its route, that which says who may read the request.
protocol::RoutingWishes limitsOf(const protocol::RoutingWishes& wishes)
{
    protocol::RoutingWishes limits;
    limits.only = wishes.only;
    limits.ignore = wishes.ignore;
    if (!wishes.allowFallbacks && limits.only.empty()) limits.only = wishes.order;
    limits.denyDataCollection = wishes.denyDataCollection;
    limits.zeroRetention = wishes.zeroRetention;
    return limits;
}

/// A refusal has no form, and what was cut off may be broken anywhere.
void noteForm(const quality::JsonSchema& schema, std::string_view text, MirrorSide& side)
{
    if (side.refused || side.outcome != Outcome::Ok) return;
    const Status<> kept = schema.check(text);
    if (kept || kept.error().code != "too_costly") side.schemaValid = kept.has_value();
}

void noteForms(const MirrorJob& job, const std::string& copyText, MirrorComparison& comparison)
{
    if (!job.original.facts.needs.jsonSchema) return;
    const auto schema = schemaAskedFor(job.original.body.view());
    if (!schema) return;
    noteForm(*schema, job.servedText, comparison.served);
    noteForm(*schema, copyText, comparison.candidate);
}

} // namespace

bool isAnswered(const AttemptResult& result)
{
    if (result.outcome == Outcome::Refused) return true;
    return isSuccess(result.outcome) && !result.failure;
}

MirrorSide sideOf(
    const std::string& model,
    const RouteRuntime& route,
    const AttemptTimes& times,
    const AttemptResult& result)
{
    MirrorSide side;
    side.model = model;
    side.provider = route.config.provider;
    side.outcome = result.outcome;
    side.refused = result.outcome == Outcome::Refused || result.isRefusal;
    if (result.firstOutput) side.ttftMs = ms(*result.firstOutput - times.started);
    side.durationMs = ms(times.ended - times.started);
    side.outputTokens = result.usage.output;
    side.costMicroUsd = costMicroUsd(route.config.price, result.usage);
    return side;
}

bool Mirror::isMeant(const TaskConfig& task, const RequestIdentity& identity)
{
    // Who names the candidate itself gets it anyway.
    if (!task.mirror || m_stopping || identity.model == task.mirror->model) return false;
    const HashKey& secret = m_service.shared().conversationKey;
    const routing::Coin coin(
        seedOf(secret, net::utcNow()), routing::coinKeyOf(secret, "r:" + identity.requestId));
    return routing::happens(coin.draw(routing::Purpose::Mirror), task.mirror->sharePpm);
}

MirrorSeat Mirror::admit(
    const TaskConfig& task,
    const ClientRequest& request,
    const RequestIdentity& identity,
    std::size_t bodySize)
{
    if (identity.eval || !isMeant(task, identity)) return nullptr;
    auto why = objection(request, identity, bodySize);
    if (!why && m_taken >= kSeats) why = MirrorResult::SkippedBusy;
    if (why) {
        count(task, *why);
        return nullptr;
    }
    ++m_taken;
    return MirrorSeat{&m_taken};
}

void Mirror::count(const TaskConfig& task, MirrorResult result)
{
    m_service.shared().mirror.count(task.name, result);
}

void Mirror::offer(MirrorJob job)
{
    m_service.worker().tasks().spawn(compare(std::move(job)));
}

void Mirror::stop()
{
    m_stopping = true;
    for (InnerCall* const call : m_calls)
        call->cancel();
}

net::Task<InnerAnswer>
Mirror::call(InnerRequest& request, const std::string& model, std::size_t textMax)
{
    InnerCall call(
        m_service, request, request.runtime->models.at(model), CallFlag::Mirror, textMax);
    m_calls.push_back(&call);
    InnerAnswer answer = co_await call.run();
    std::erase(m_calls, &call);
    co_return answer;
}

net::Task<> Mirror::compare(MirrorJob job)
{
    const TaskConfig& task = *job.task;
    InnerRequest& copy = job.original;
    MirrorComparison comparison;
    comparison.requestId = copy.identity.requestId;
    comparison.at = net::utcNow();
    comparison.taskType = task.name;
    comparison.served = std::move(job.served);
    if (copy.identity.taskId.empty()) copy.identity.taskId = copy.identity.requestId;
    copy.identity.requestId = m_service.newRequestId();
    copy.identity.model = task.mirror->model;
    if (m_stopping) co_return count(task, MirrorResult::Cancelled);
    const InnerAnswer answer = co_await call(copy, task.mirror->model, kMirrorTextMax);
    if (answer.end == InnerAnswer::End::Ineligible) {
        co_return count(task, MirrorResult::SkippedIneligible);
    }
    if (answer.end == InnerAnswer::End::Denied) co_return count(task, MirrorResult::SkippedGate);
    const AttemptResult& result = answer.result;
    if (result.outcome == Outcome::ClientCancelled) co_return count(task, MirrorResult::Cancelled);
    comparison.candidate = sideOf(task.mirror->model, *answer.route, answer.times, result);
    // Of a refusal there is nothing more to say.
    const bool hasText = isAnswered(result) && !comparison.candidate.refused;
    if (hasText && result.isTextTooLong) co_return count(task, MirrorResult::SkippedLarge);
    if (hasText && !result.text) co_return count(task, MirrorResult::SkippedNotText);
    if (hasText) noteForms(job, *result.text, comparison);
    MirrorResult end = isAnswered(result) ? MirrorResult::Compared : MirrorResult::CandidateFailed;
    if (hasText && !comparison.served.refused && !task.mirror->grader.empty()) {
        const bool isGraded = co_await grade(job, *result.text, comparison);
        end = isGraded ? MirrorResult::Graded : MirrorResult::Ungraded;
    }
    m_service.shared().mirror.add(std::move(comparison));
    count(task, end);
}

/// Asks the grader, which does not know whose answer is whose: which stands first is a coin's
/// doing, so that its liking for a place evens out. What the request demanded of its own route
/// holds for the grader's too, because it reads the same words.
net::Task<bool>
Mirror::grade(const MirrorJob& job, const std::string& copyText, MirrorComparison& comparison)
{
    const InnerRequest& copy = job.original;
    const HashKey& secret = m_service.shared().conversationKey;
    const routing::Coin coin(
        seedOf(secret, net::utcNow()), routing::coinKeyOf(secret, "r:" + comparison.requestId));
    const bool isCopyFirst = routing::happens(coin.draw(routing::Purpose::Mirror, 1), kPpm / 2);
    const std::string& first = isCopyFirst ? copyText : job.servedText;
    const std::string& second = isCopyFirst ? job.servedText : copyText;
    InnerRequest grading;
    grading.identity = copy.identity;
    grading.identity.requestId = m_service.newRequestId();
    // Nobody outside can know it, and it is in no answer.
    const std::string& token = grading.identity.requestId;
    const auto text = gradingBody(copy.body.view(), first, second, token);
    if (!text || m_stopping) co_return false;
    grading.runtime = copy.runtime;
    grading.control = copy.control;
    grading.request.endpoint = ApiPath::ChatCompletions;
    grading.request.regions = copy.request.regions;
    grading.request.terms = copy.request.terms;
    grading.body.append(*text);
    auto facts = protocol::readRequest(protocol::Api::ChatCompletions, grading.body.view());
    if (!facts) co_return false;
    grading.facts = std::move(*facts);
    grading.facts.wishes = limitsOf(copy.facts.wishes);
    grading.identity.model = job.task->mirror->grader;
    grading.identity.promptEstimate.reset();
    const InnerAnswer answer = co_await call(grading, grading.identity.model, kGradeBytesMax);
    if (answer.end != InnerAnswer::End::Tried || !isAnswered(answer.result)) co_return false;
    const auto grades = gradesIn(answer.result.text.value_or(std::string{}), token);
    if (!grades) co_return false;
    comparison.candidate.scorePpm = (*grades)[isCopyFirst ? 0 : 1];
    comparison.served.scorePpm = (*grades)[isCopyFirst ? 1 : 0];
    co_return true;
}

} // namespace weir::proxy
