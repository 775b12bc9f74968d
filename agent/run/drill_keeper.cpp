// SPDX-License-Identifier: Apache-2.0
#include "agent/run/drill_keeper.h"

#include <spdlog/spdlog.h>

#include <algorithm>

namespace weir::run {

DrillKeeper::DrillKeeper(
    fleet::Drills& drills, store::DrillStore& store, std::string agentId, std::string host)
    : m_drills(drills)
    , m_store(store)
    , m_agentId(std::move(agentId))
    , m_host(std::move(host))
{
}

void DrillKeeper::read(const std::vector<Drill>& rows, Instant now, UtcTime utc)
{
    const std::shared_ptr<const fleet::DrillList> before = m_drills.list().get();
    m_drills.read(rows, now, utc);
    const std::shared_ptr<const fleet::DrillList> after = m_drills.list().get();
    if (before == after) return;
    for (const auto& drill : *after) {
        if (std::find(before->begin(), before->end(), drill) != before->end()) continue;
        const Drill& row = drill->row();
        spdlog::info(
            "event=drill_started id={} kind={} model={} provider={} share_ppm={} delay_ms={} "
            "for_ms={}",
            row.id,
            toWord(row.kind),
            row.model,
            row.provider,
            row.sharePpm,
            row.delayMs,
            std::chrono::duration_cast<std::chrono::milliseconds>(drill->endsAt() - now).count());
    }
    for (const auto& drill : *before) {
        if (std::find(after->begin(), after->end(), drill) != after->end()) continue;
        static_cast<void>(saveCounts(*drill)); // The report does without them.
        m_saved.erase(drill->row().id);
        spdlog::info("event=drill_over id={}", drill->row().id);
    }
}

Status<> DrillKeeper::saveCounts(const fleet::RunningDrill& drill)
{
    const DrillCounts counts = drill.counts();
    DrillCounts& saved = m_saved[drill.row().id];
    if (counts == saved) return {};
    if (Status<> written = m_store.saveDrillCounts(drill.row().id, m_agentId, counts); !written) {
        return written;
    }
    saved = counts;
    return {};
}

void DrillKeeper::end(const fleet::RunningDrill& drill, std::string_view why, UtcTime utc)
{
    store::DrillEnd end;
    end.id = drill.row().id;
    end.reason = why;
    end.by.who = "weir-agent " + m_agentId;
    end.by.host = m_host;
    end.by.at = utc;
    end.by.reason = "its time was over";
    if (why == "aborted") {
        const DrillCounts counts = drill.counts();
        end.by.reason = std::to_string(counts.failures) + " of " + std::to_string(counts.requests) +
                        " requests failed for their callers";
    }
    if (m_store.endDrill(end)) {
        spdlog::info("event=drill_ended id={} reason={}", end.id, why);
    }
}

void DrillKeeper::tell(Instant now, UtcTime utc)
{
    const std::shared_ptr<const fleet::DrillList> drills = m_drills.list().get();
    for (const auto& drill : *drills) {
        if (!saveCounts(*drill)) continue;
        const std::string_view why = drill->endReason(now);
        if (!why.empty()) end(*drill, why, utc);
    }
}

} // namespace weir::run
