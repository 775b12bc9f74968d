// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/quality_score.h"
#include "common/quality/judge.h"

#include <cstdint>

namespace weir::quality {

/// Adds up a run of one route. The score is the weighted mean over the cases that were answered, a
/// refused one among them with 0: a route that refuses everything must not keep its good name.
class Tally final
{
public:
    /// `scorePpm`: of the judgement, or of its grader.
    void add(double weight, const Judgement& judgement, std::int64_t scorePpm);

    /// No answer came, or its grader gave no verdict.
    void addUnanswered() { ++m_unanswered; }

    /// Sets the figures; who and what was asked stays as it is.
    void writeTo(QualityScore& score) const;

    /// At least half of the cases were answered: fewer say nothing of the route.
    [[nodiscard]] bool isTelling() const;

    [[nodiscard]] std::int64_t answered() const { return m_answered; }

    [[nodiscard]] std::int64_t cut() const { return m_cut; }

    [[nodiscard]] std::int64_t soundRefused() const { return m_soundRefused; }

private:
    double m_weights = 0;
    double m_weighted = 0;
    std::int64_t m_answered = 0;
    std::int64_t m_unanswered = 0;
    std::int64_t m_refused = 0;
    std::int64_t m_soundRefused = 0;
    std::int64_t m_cut = 0;
    std::int64_t m_schemaAsked = 0;
    std::int64_t m_schemaValid = 0;
};

} // namespace weir::quality
