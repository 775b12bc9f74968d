// SPDX-License-Identifier: Apache-2.0
#include "agent/proxy/exchange.h"

// What an exchange hands on when its client has the answer.

namespace weir::proxy {

/// Gives the request, with what was answered, to the mirror, where it has a seat there.
void Exchange::offerCopy()
{
    if (!m_mirrorSeat) return;
    MirrorSeat seat = std::move(m_mirrorSeat);
    Mirror& mirror = m_service.mirror();
    const auto skip = [&](MirrorResult why) { mirror.count(*m_task, why); };
    const bool isWhole = m_answer.ended() && !m_answer.broken() && !m_stopped && !m_resumes;
    const bool isBest = !m_results.empty() && m_ladder[m_rung].level == 0;
    // What a drill provoked is no measure of who served.
    if (m_drill) return skip(MirrorResult::SkippedDrill);
    if (!isWhole || !isBest || !isAnswered(m_results.back())) {
        return skip(MirrorResult::SkippedUnanswered);
    }
    AttemptResult& result = m_results.back();
    const bool isRefused = result.outcome == Outcome::Refused;
    if (result.isTextTooLong) return skip(MirrorResult::SkippedLarge);
    if (!result.text && !isRefused) return skip(MirrorResult::SkippedNotText);
    MirrorJob job;
    job.seat = std::move(seat);
    job.task = m_task;
    job.served = sideOf(m_model->name, *m_tried.back().route, m_tried.back().times, result);
    job.servedText = std::move(result.text).value_or(std::string{});
    job.original = {
        m_runtime,
        m_control,
        std::move(m_request),
        std::move(m_facts),
        std::move(m_body),
        m_identity};
    mirror.offer(std::move(job));
}

} // namespace weir::proxy
