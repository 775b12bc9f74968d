// SPDX-License-Identifier: Apache-2.0
#include "agent/proxy/record.h"

namespace weir::proxy {
namespace {

std::int64_t ms(Duration duration)
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
}

CallRecord requestRecord(const RequestIdentity& identity, const Control& control)
{
    CallRecord record;
    record.requestId = identity.requestId;
    record.agentId = identity.agentId;
    record.service = identity.service;
    record.taskId = identity.taskId.empty() ? identity.requestId : identity.taskId;
    record.taskType = identity.taskType;
    record.conversation = identity.conversation;
    record.model = identity.model;
    record.priority = identity.priority;
    record.caller = identity.caller;
    record.regionsAsked = identity.regions;
    record.termsAsked = identity.terms;
    record.promptEstimate = identity.promptEstimate;
    record.mode = control.effectiveMode;
    if (control.decisions) {
        record.settingsVersion = control.decisions->settings.version;
        record.switchVersion = control.decisions->routingSwitch.version;
    }
    return record;
}

} // namespace

CallRecord
unservedRecord(const RequestIdentity& identity, const Control& control, Unserved why, UtcTime at)
{
    CallRecord record = requestRecord(identity, control);
    record.attempt = 0;
    record.unserved = why;
    record.startedAt = at;
    record.last = true;
    record.level = kLevelFailure;
    return record;
}

CallRecord makeRecord(
    const RequestIdentity& identity,
    const Control& control,
    const Choice& choice,
    const RouteRuntime& route,
    const Candidate& candidate,
    int attempt,
    const AttemptTimes& times,
    const AttemptResult& result,
    bool stream)
{
    CallRecord record = requestRecord(identity, control);
    record.attempt = attempt;
    record.provider = route.config.provider;
    record.route = route.name;
    record.protocol = route.provider->config.protocol;
    record.stream = stream;
    record.startedAt = times.startedAt;
    if (result.firstOutput) record.ttftMs = ms(*result.firstOutput - times.started);
    record.durationMs = ms(times.ended - times.started);
    record.outcome = result.outcome;
    record.httpStatus = result.httpStatus;
    record.finishReason = result.finishReason;
    record.usage = result.usage;
    record.costMicroUsd = costMicroUsd(route.config.price, result.usage);
    record.flags = flagsOf(choice, candidate, identity.singleShot);
    if (identity.eval) record.flags |= static_cast<std::uint16_t>(CallFlag::Eval);
    record.reason = candidate.reason;
    record.snapshotId = choice.snapshotId;
    record.seed = choice.seed;
    record.eligibleMask = choice.decision.eligibleMask;
    record.heldMask = choice.decision.heldMask;
    return record;
}

} // namespace weir::proxy
