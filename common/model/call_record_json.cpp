// SPDX-License-Identifier: Apache-2.0
#include "common/model/call_record_json.h"

#include <nlohmann/json.hpp>

namespace weir {
namespace {

template <class T>
nlohmann::ordered_json orNull(const std::optional<T>& value)
{
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

} // namespace

nlohmann::ordered_json toJson(const CallRecord& record)
{
    return {
        {"request_id", record.requestId},
        {"attempt", record.attempt},
        {"agent", record.agentId},
        {"service", record.service},
        {"task_id", record.taskId},
        {"task_type", record.taskType},
        {"conversation", record.conversation},
        {"model", record.model},
        {"provider", record.provider},
        {"route", record.route},
        {"protocol", toWord(record.protocol)},
        {"stream", record.stream},
        {"started_at", toIso(record.startedAt)},
        {"ttft_ms", orNull(record.ttftMs)},
        {"duration_ms", record.durationMs},
        {"outcome", toWord(record.outcome)},
        {"http_status", orNull(record.httpStatus)},
        {"finish_reason", record.finishReason},
        {"input_uncached", orNull(record.usage.inputUncached)},
        {"input_cached", orNull(record.usage.inputCached)},
        {"cache_write", orNull(record.usage.cacheWrite)},
        {"output", orNull(record.usage.output)},
        {"reasoning", orNull(record.usage.reasoning)},
        {"tokens_estimated", record.usage.estimated},
        {"cost_micro_usd", orNull(record.costMicroUsd)},
        {"explored", record.has(CallFlag::Explored)},
        {"pinned", record.has(CallFlag::Pinned)},
        {"spilled", record.has(CallFlag::Spilled)},
        {"hedged", record.has(CallFlag::Hedged)},
        {"single_shot", record.has(CallFlag::SingleShot)},
        {"usage_inconsistent", record.usage.inconsistent},
        {"shadow_choice", record.has(CallFlag::ShadowChoice)},
        {"mode", toWord(record.mode)},
        {"reason", toWord(record.reason)},
        {"level", "L" + std::to_string(record.level)},
        {"snapshot_id", record.snapshotId},
        {"settings_version", record.settingsVersion},
        {"switch_version", record.switchVersion},
        {"seed", record.seed},
        {"eligible_mask", record.eligibleMask},
        {"held_mask", record.heldMask},
        {"final", record.last},
        {"priority", toWord(record.priority)},
        {"caller", record.caller},
        {"regions_asked", record.regionsAsked},
        {"terms_asked", record.termsAsked},
        {"prompt_estimate", orNull(record.promptEstimate)},
        {"mirror", record.has(CallFlag::Mirror)},
        {"eval", record.has(CallFlag::Eval)},
        {"drill", record.has(CallFlag::Drill)}};
}

std::string jsonText(const CallRecord& record)
{
    using Json = nlohmann::ordered_json;
    return toJson(record).dump(2, ' ', false, Json::error_handler_t::replace);
}

} // namespace weir
