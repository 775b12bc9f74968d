// SPDX-License-Identifier: Apache-2.0
#include "agent/fleet/drills.h"

#include <algorithm>

namespace weir::fleet {
namespace {

/// What the database allows, too.
constexpr std::chrono::hours kLongest{1};
/// A few failures among few requests say nothing yet.
constexpr std::int64_t kRequestsMin = 20;
constexpr std::int64_t kPpm = 1'000'000;

/// A clock that is behind the starter's must neither delay nor lengthen it beyond what was asked.
std::chrono::milliseconds bounded(std::chrono::milliseconds time, std::chrono::milliseconds most)
{
    return std::clamp(time, std::chrono::milliseconds{0}, most);
}

} // namespace

RunningDrill::RunningDrill(Drill row, Instant now, UtcTime utc)
    : m_row(std::move(row))
{
    const auto length = bounded(m_row.endsAt - m_row.startsAt, kLongest);
    m_startsAt = now + bounded(m_row.startsAt - utc, kLongest);
    m_endsAt = m_startsAt + bounded(m_row.endsAt - std::max(utc, m_row.startsAt), length);
}

std::string_view RunningDrill::endReason(Instant now) const
{
    if (m_aborted.load(std::memory_order_relaxed)) return "aborted";
    return now >= m_endsAt ? "time" : "";
}

void RunningDrill::requestEnded(bool failed)
{
    const std::int64_t requests = m_requests.fetch_add(1, std::memory_order_relaxed) + 1;
    const std::int64_t failures =
        m_failures.fetch_add(failed ? 1 : 0, std::memory_order_relaxed) + (failed ? 1 : 0);
    if (requests < kRequestsMin || failures * kPpm <= requests * m_row.abortFailurePpm) return;
    if (!m_over.exchange(true)) m_aborted.store(true);
}

DrillCounts RunningDrill::counts() const
{
    return {
        m_requests.load(std::memory_order_relaxed),
        m_failures.load(std::memory_order_relaxed),
        m_touched.load(std::memory_order_relaxed),
        m_spared.load(std::memory_order_relaxed)};
}

Drills::Drills()
    : m_list(std::make_shared<const DrillList>())
{
}

void Drills::read(const std::vector<Drill>& rows, Instant now, UtcTime utc)
{
    const std::shared_ptr<const DrillList> before = m_list.get();
    auto next = std::make_shared<DrillList>();
    for (const Drill& row : rows) {
        const auto known = std::find_if(before->begin(), before->end(), [&row](const auto& each) {
            return each->row().id == row.id;
        });
        next->push_back(
            known != before->end() ? *known : std::make_shared<RunningDrill>(row, now, utc));
    }
    for (const auto& drill : *before) {
        if (std::find(next->begin(), next->end(), drill) == next->end()) drill->stop();
    }
    if (*next != *before) m_list.publish(std::move(next));
}

std::shared_ptr<RunningDrill>
drillOn(const DrillList& drills, std::string_view model, std::string_view provider, Instant now)
{
    for (const auto& drill : drills) {
        const Drill& row = drill->row();
        if (row.model == model && row.provider == provider && drill->acts(now)) return drill;
    }
    return nullptr;
}

std::vector<DrillStatus> statusOf(const DrillList& drills, Instant now)
{
    std::vector<DrillStatus> running;
    for (const auto& drill : drills) {
        if (!drill->acts(now)) continue;
        const double leftS = std::chrono::duration<double>(drill->endsAt() - now).count();
        running.push_back({drill->row(), leftS, drill->counts()});
    }
    return running;
}

} // namespace weir::fleet
