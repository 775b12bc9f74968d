// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/time.h"

#include <cstdint>
#include <optional>
#include <string>

namespace weir {

/// How well a route does a task type: the newest run of an eval set on it (seed document 001, "Test
/// equivalence before you need it"). What `quality_floor` is compared with. A row of `eval_score`.
struct QualityScore
{
    std::string model;
    std::string provider;
    std::string taskType;
    /// Mean score over the cases that got an answer, in ppm of 1.
    std::int64_t scorePpm = 0;
    /// Apart from the score, because adapter faults show here first: of the cases with a schema the
    /// answers that keep it, and of all cases those that were refused. Nothing where no case tells.
    std::optional<std::int64_t> schemaValidPpm;
    std::optional<std::int64_t> refusedPpm;
    /// Cases asked, and those that brought no answer to score.
    std::int64_t cases = 0;
    std::int64_t unanswered = 0;
    /// Names the set and the version of its text.
    std::string evalSet;
    std::string evalSetHash;
    UtcTime scoredAt{};

    bool operator==(const QualityScore&) const = default;
};

} // namespace weir
