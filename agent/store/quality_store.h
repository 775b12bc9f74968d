// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/result.h"
#include "common/base/time.h"
#include "common/model/quality_score.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace weir::store {

/// One route's part of an eval run: a row of `eval_run`. `score.scoredAt` is when the run ended.
struct EvalRunRow
{
    std::string run;
    QualityScore score;
    /// Enough was answered for the score to be gone by.
    bool tells = true;
    /// The model that graded; empty = none did.
    std::string grader;
    std::string who;
    std::string host;
    UtcTime startedAt{};
    /// Answers whose output budget was used up.
    std::int64_t cut = 0;
    /// Of all cases whose answer told, graders included; nothing where none did.
    std::optional<std::int64_t> inputTokens;
    std::optional<std::int64_t> outputTokens;
    std::optional<std::int64_t> costMicroUsd;
    /// Of the answered cases.
    std::optional<std::int64_t> latencyP50Ms;

    bool operator==(const EvalRunRow&) const = default;
};

/// Eval runs and the scores that routing goes by. Like `Store`: an object belongs to one thread and
/// every call may wait. Holds figures only, never the text of a prompt or an answer.
class QualityStore
{
public:
    virtual ~QualityStore() = default;

    /// One transaction: the rows become history, and those that tell the scores of their model,
    /// provider and task type, unless a newer run has set them.
    [[nodiscard]] virtual Status<> saveEvalRun(std::span<const EvalRunRow> rows) = 0;
    /// By model, provider and task type.
    [[nodiscard]] virtual Result<std::vector<QualityScore>> qualityScores() = 0;
    /// Newest first; of one run only where `run` is not empty.
    [[nodiscard]] virtual Result<std::vector<EvalRunRow>>
    evalRuns(const std::string& run, int limit) = 0;
};

} // namespace weir::store
