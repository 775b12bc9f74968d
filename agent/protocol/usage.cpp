// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/usage.h"

#include <algorithm>

namespace weir::protocol {
namespace {

using Count = std::optional<std::int64_t>;

void clampNegative(Count& count, bool& inconsistent)
{
    if (!count || *count >= 0) return;
    count = 0;
    inconsistent = true;
}

/// A part cannot be more than what is left of its whole.
std::int64_t takePart(const Count& part, std::int64_t& whole, bool& inconsistent)
{
    const std::int64_t wanted = part.value_or(0);
    const std::int64_t taken = std::min(wanted, whole);
    if (taken != wanted) inconsistent = true;
    whole -= taken;
    return taken;
}

/// Most count reasoning in the output; xAI counts it beside, and its total says so. Google hides it
/// in the total alone, where it is billed all the same.
Count outputWithReasoning(const UsageCounts& counts, bool& inconsistent)
{
    if (!counts.output) return std::nullopt;
    const std::int64_t output = *counts.output;
    if (!counts.input || !counts.total) return output;
    const std::int64_t reasoning = counts.reasoning.value_or(0);
    if (*counts.total == *counts.input + output) return output;
    if (*counts.total == *counts.input + output + reasoning) return output + reasoning;
    inconsistent = true;
    const bool isRestHidden = reasoning == 0 && *counts.total > *counts.input + output;
    return isRestHidden ? *counts.total - *counts.input : output;
}

TokenUsage disjointOpenAi(const UsageCounts& counts, bool inconsistent)
{
    TokenUsage usage;
    if (counts.input) {
        std::int64_t left = *counts.input;
        const std::int64_t cached = takePart(counts.cached, left, inconsistent);
        const std::int64_t written = takePart(counts.cacheWrite, left, inconsistent);
        usage.inputUncached = left;
        if (counts.cached) usage.inputCached = cached;
        if (counts.cacheWrite) usage.cacheWrite = written;
    }
    usage.output = outputWithReasoning(counts, inconsistent);
    if (usage.output && counts.reasoning) {
        std::int64_t left = *usage.output;
        usage.reasoning = takePart(counts.reasoning, left, inconsistent);
    }
    usage.inconsistent = inconsistent;
    return usage;
}

} // namespace

void UsageCounts::override(const UsageCounts& later)
{
    const auto take = [](Count& mine, const Count& theirs) {
        if (theirs) mine = theirs;
    };
    take(input, later.input);
    take(output, later.output);
    take(cached, later.cached);
    take(cacheWrite, later.cacheWrite);
    take(reasoning, later.reasoning);
    take(total, later.total);
}

TokenUsage disjoint(Protocol protocol, const UsageCounts& given)
{
    // Above this no count is true, and below it no sum of counts overflows.
    constexpr std::int64_t kTokensMax = 1'000'000'000'000;
    UsageCounts counts = given;
    bool inconsistent = false;
    for (Count* count :
         {&counts.input,
          &counts.output,
          &counts.cached,
          &counts.cacheWrite,
          &counts.reasoning,
          &counts.total}) {
        clampNegative(*count, inconsistent);
        if (*count && **count > kTokensMax) {
            *count = kTokensMax;
            inconsistent = true;
        }
    }
    if (protocol == Protocol::OpenAi) return disjointOpenAi(counts, inconsistent);
    TokenUsage usage;
    usage.inputUncached = counts.input;
    usage.inputCached = counts.cached;
    usage.cacheWrite = counts.cacheWrite;
    usage.output = counts.output;
    usage.inconsistent = inconsistent;
    return usage;
}

std::int64_t estimatedTokens(std::int64_t textBytes)
{
    constexpr std::int64_t kBytesPerToken = 4;
    return (textBytes + kBytesPerToken - 1) / kBytesPerToken;
}

} // namespace weir::protocol
