// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/outcome.h"

#include <cstdint>

namespace weir {

/// What the brain learns from one attempt: the ledger's row without its words. Names are indices
/// that the summary job gives out.
struct CallFact
{
    /// Epoch milliseconds of the attempt's end and start.
    std::int64_t endedMs = 0;
    std::int64_t startedMs = 0;
    /// A hash of the task's id.
    std::uint64_t task = 0;
    /// Index of the (model, task type), and of the route in the model's configuration.
    std::uint16_t pool = 0;
    std::uint16_t route = 0;
    Outcome outcome = Outcome::Ok;
    bool explored = false;
    bool singleShot = false;
    /// To the first output in microseconds; -1 = there was none.
    std::int64_t ttftUs = -1;
    std::int64_t durationUs = 0;
    /// -1 = unknown.
    std::int64_t inputUncached = -1;
    std::int64_t inputCached = -1;
    std::int64_t cacheWrite = -1;
    std::int64_t output = -1;
    std::int64_t costMicroUsd = -1;
    /// Decode rate in thousandths of a token per second; -1 = says nothing.
    std::int64_t milliTps = -1;
    /// Served here only because a better route was over its rate.
    bool spilled = false;
    /// Tokens of the prompt by its bytes and shape alone; -1 = unknown.
    std::int64_t promptEstimate = -1;
    /// Token counts above are the agent's own, not the provider's.
    bool tokensEstimated = false;
    /// No further attempt of its request follows.
    bool last = false;
    /// A copy for comparison, or of an eval run: no part of its task.
    bool aside = false;
    /// A drill had a hand in it: says nothing of what its route costs or how fast it is.
    bool drilled = false;
};

} // namespace weir
