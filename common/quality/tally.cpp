// SPDX-License-Identifier: Apache-2.0
#include "common/quality/tally.h"

#include <cmath>
#include <optional>

namespace weir::quality {
namespace {

std::optional<std::int64_t> share(std::int64_t part, std::int64_t whole)
{
    if (whole == 0) return std::nullopt;
    return part * kScoreWhole / whole;
}

} // namespace

void Tally::add(double weight, const Judgement& judgement, std::int64_t scorePpm)
{
    ++m_answered;
    m_weights += weight;
    m_weighted += weight * static_cast<double>(scorePpm);
    m_refused += judgement.ending == Ending::Refused ? 1 : 0;
    m_cut += judgement.ending == Ending::Cut ? 1 : 0;
    m_soundRefused += judgement.soundsRefused ? 1 : 0;
    m_schemaAsked += judgement.schemaValid ? 1 : 0;
    m_schemaValid += judgement.schemaValid.value_or(false) ? 1 : 0;
}

void Tally::writeTo(QualityScore& score) const
{
    score.scorePpm = m_answered == 0 ? 0 : std::llround(m_weighted / m_weights);
    score.schemaValidPpm = share(m_schemaValid, m_schemaAsked);
    score.refusedPpm = share(m_refused, m_answered);
    score.cases = m_answered + m_unanswered;
    score.unanswered = m_unanswered;
}

bool Tally::isTelling() const
{
    return m_answered > 0 && m_answered >= m_unanswered;
}

} // namespace weir::quality
