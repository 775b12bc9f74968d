// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/quality/answer.h"
#include "common/quality/eval_set.h"

#include <cstdint>
#include <optional>

namespace weir::quality {

inline constexpr std::int64_t kScoreWhole = 1'000'000;

/// What came of one answer.
struct Judgement
{
    Ending ending = Ending::Whole;
    /// In ppm of 1; nothing = a model must grade it.
    std::optional<std::int64_t> scorePpm;
    /// Nothing where the case has no schema, or the answer was cut or refused: then its form says
    /// nothing of the route.
    std::optional<bool> schemaValid;
    /// See `soundsRefused`; never of an answer that the protocol calls refused.
    bool soundsRefused = false;
    /// The schema asks for more work than is spent on it: nothing is said of the answer.
    bool undecided = false;
};

/// Checks an answer. A refused one scores 0. One that was cut is checked as far as it goes, but its
/// form is never held against it, and where form is all that is asked it scores 0.
[[nodiscard]] Judgement judge(const EvalCase& evalCase, const Answer& answer);

} // namespace weir::quality
