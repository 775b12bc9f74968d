// SPDX-License-Identifier: Apache-2.0
#include "agent/store/ledger_row.h"

#include "common/base/text.h"
#include "common/model/throughput.h"

#include <algorithm>
#include <array>

namespace weir::store {
namespace {

constexpr std::size_t kTextCharactersMax = 256;
constexpr std::size_t kRequestIdCharactersMax = 128;
constexpr int kLevelMax = 4;
constexpr std::array<HistoryStep, 3> kSteps = {{
    {std::chrono::seconds{10}, "route_10s"},
    {std::chrono::seconds{60}, "route_minute"},
    {std::chrono::seconds{600}, "route_10min"},
}};

bool isPlain(std::string_view text)
{
    return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

void fit(std::string& text, std::size_t charactersMax = kTextCharactersMax)
{
    // Nearly all texts are short ASCII and stay as they are.
    if (text.size() <= charactersMax && isPlain(text)) return;
    text = cleaned(text, charactersMax);
}

template <class T>
void fit(std::optional<T>& value, std::int64_t minimum, std::int64_t maximum)
{
    if (value && (*value < minimum || *value > maximum)) value.reset();
}

std::int64_t startOfStep(std::int64_t ms, std::chrono::seconds step)
{
    const std::int64_t length = std::chrono::milliseconds{step}.count();
    const std::int64_t rest = ms % length;
    return ms - (rest < 0 ? rest + length : rest);
}

} // namespace

void fit(CallRecord& record)
{
    fit(record.requestId, kRequestIdCharactersMax);
    for (std::string* text :
         {&record.agentId,
          &record.service,
          &record.taskId,
          &record.taskType,
          &record.conversation,
          &record.model,
          &record.provider,
          &record.route,
          &record.finishReason,
          &record.snapshotId,
          &record.caller,
          &record.regionsAsked,
          &record.termsAsked}) {
        fit(*text);
    }
    record.attempt = std::max(record.attempt, record.unserved == Unserved::None ? 1 : 0);
    fit(record.promptEstimate, 0, kLedgerNumberMax);
    fit(record.ttftMs, 0, kLedgerNumberMax);
    record.durationMs = std::clamp<std::int64_t>(record.durationMs, 0, kLedgerNumberMax);
    fit(record.httpStatus, 100, 999);
    for (std::optional<std::int64_t>* count :
         {&record.usage.inputUncached,
          &record.usage.inputCached,
          &record.usage.cacheWrite,
          &record.usage.output,
          &record.usage.reasoning,
          &record.costMicroUsd}) {
        fit(*count, 0, kLedgerNumberMax);
    }
    // Written by Weir in plain characters; anything else is damage, and recomputes nothing.
    if (!isPlain(record.decision)) record.decision.clear();
    record.level = std::clamp(record.level, 0, kLevelMax);
}

std::span<const HistoryStep> historySteps()
{
    return kSteps;
}

void HistoryBucket::add(const CallRecord& record)
{
    ++sums.calls;
    ++sums.outcomes[static_cast<std::size_t>(record.outcome)];
    sums.inputUncached += record.usage.inputUncached.value_or(0);
    sums.inputCached += record.usage.inputCached.value_or(0);
    sums.cacheWrite += record.usage.cacheWrite.value_or(0);
    sums.output += record.usage.output.value_or(0);
    sums.reasoning += record.usage.reasoning.value_or(0);
    sums.tokensUnknown += record.usage.inputUncached && record.usage.output ? 0 : 1;
    sums.costMicroUsd += record.costMicroUsd.value_or(0);
    sums.costUnknown += record.costMicroUsd ? 0 : 1;
    explored += record.has(CallFlag::Explored) ? 1 : 0;
    pinned += record.has(CallFlag::Pinned) ? 1 : 0;
    spilled += record.has(CallFlag::Spilled) ? 1 : 0;
    // A stream that broke says nothing about speed.
    if (!isSuccess(record.outcome)) return;
    if (record.ttftMs) ttftUs.add(*record.ttftMs * 1000);
    if (const std::optional<std::int64_t> speed = milliTokensPerS(record)) milliTps.add(*speed);
}

void HistoryBucket::merge(const HistoryBucket& other)
{
    sums.add(other.sums);
    explored += other.explored;
    pinned += other.pinned;
    spilled += other.spilled;
    ttftUs.merge(other.ttftUs);
    milliTps.merge(other.milliTps);
}

void addTo(HistoryBuckets& buckets, const CallRecord& record)
{
    const HistoryKey key{
        startOfStep(epochMs(record.startedAt), kSteps.front().length),
        record.agentId,
        record.model,
        record.provider,
        record.taskType};
    buckets[key].add(record);
}

HistoryBuckets coarsened(const HistoryBuckets& buckets, std::chrono::seconds step)
{
    HistoryBuckets result;
    for (const auto& [key, bucket] : buckets) {
        HistoryKey coarse = key;
        std::get<0>(coarse) = startOfStep(std::get<0>(key), step);
        result[std::move(coarse)].merge(bucket);
    }
    return result;
}

void CallSums::add(const CallSums& other)
{
    calls += other.calls;
    for (std::size_t i = 0; i < outcomes.size(); ++i)
        outcomes[i] += other.outcomes[i];
    inputUncached += other.inputUncached;
    inputCached += other.inputCached;
    cacheWrite += other.cacheWrite;
    output += other.output;
    reasoning += other.reasoning;
    tokensUnknown += other.tokensUnknown;
    costMicroUsd += other.costMicroUsd;
    costUnknown += other.costUnknown;
}

} // namespace weir::store
