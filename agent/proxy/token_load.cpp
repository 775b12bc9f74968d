// SPDX-License-Identifier: Apache-2.0
#include "agent/proxy/token_load.h"

#include "agent/protocol/prompt_shape.h"

#include <algorithm>

namespace weir::proxy {
namespace {

/// Of an answer, until the first summary says it.
constexpr std::int64_t kUsualAnswer = 1000;

} // namespace

std::int64_t expectedTokens(const protocol::RequestFacts& facts, const routing::PoolView& pool)
{
    const std::int64_t seen = pool.known() ? pool.pool().answerTokens : 0;
    const std::int64_t usual = seen > 0 ? seen : kUsualAnswer;
    const std::int64_t allowed = std::max<std::int64_t>(facts.maxTokens.value_or(usual), 0);
    return protocol::promptEstimate(facts.shape) + std::min(allowed, usual);
}

std::int64_t usedTokens(const AttemptResult& result, std::int64_t expected)
{
    const TokenUsage& usage = result.usage;
    if (usage.inputUncached || usage.output) {
        return usage.inputUncached.value_or(0) + usage.inputCached.value_or(0) +
               usage.cacheWrite.value_or(0) + usage.output.value_or(0);
    }
    return result.failure && !result.firstOutput ? 0 : expected;
}

} // namespace weir::proxy
