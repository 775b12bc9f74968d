// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/result.h"
#include "common/quality/answer.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace weir::quality {

/// What a grader model is shown.
struct GradeQuestion
{
    /// The request's messages as JSON, or any text.
    std::string task;
    std::string rubric;
    /// Empty = there is none.
    std::string reference;
    std::string answer;
};

/// The question of a case and an answer to it: text and tool calls.
[[nodiscard]] GradeQuestion gradeQuestion(
    std::string_view requestJson,
    std::string_view rubric,
    std::string_view reference,
    const Answer& answer);

/// An OpenAI chat body without `model`. The answer is data: it stands inside a JSON document, out
/// of which no text can break, and the verdict must repeat `token`, which whoever wrote the answer
/// cannot have known, so a verdict out of the answer itself counts for nothing.
[[nodiscard]] std::string gradingRequest(const GradeQuestion& question, std::string_view token);

/// The score out of a grader's answer, in ppm of 1. Error "no_verdict": anything but one JSON
/// object with the token and a score from 0 to 1.
[[nodiscard]] Result<std::int64_t> readGrade(const Answer& reply, std::string_view token);

} // namespace weir::quality
