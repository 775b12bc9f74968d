// SPDX-License-Identifier: Apache-2.0
#include "common/model/throughput.h"

namespace weir {
namespace {

constexpr std::int64_t kOutputTokensMin = 16;

} // namespace

std::optional<std::int64_t> milliTokensPerS(const CallRecord& record)
{
    if (!record.stream || !isSuccess(record.outcome) || !record.ttftMs) return std::nullopt;
    const std::int64_t tokens = record.usage.output.value_or(0);
    const std::int64_t ms = record.durationMs - *record.ttftMs;
    if (tokens < kOutputTokensMin || ms <= 0) return std::nullopt;
    return (tokens - 1) * 1'000'000 / ms;
}

} // namespace weir
