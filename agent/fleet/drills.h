// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/published.h"
#include "common/base/time.h"
#include "common/model/drill_status.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

namespace weir::fleet {

/// One drill as this agent runs it. When it begins and ends is fixed at the moment in which its row
/// was first read, on the monotonic clock: nothing that happens to the store, to the system's clock
/// or to whoever started it prolongs it. All workers share it and count in it.
class RunningDrill final
{
public:
    RunningDrill(Drill row, Instant now, UtcTime utc);

    [[nodiscard]] const Drill& row() const { return m_row; }

    [[nodiscard]] Instant startsAt() const { return m_startsAt; }

    [[nodiscard]] Instant endsAt() const { return m_endsAt; }

    /// It does to its route what it is for.
    [[nodiscard]] bool acts(Instant now) const
    {
        return now >= m_startsAt && now < m_endsAt && !m_over.load(std::memory_order_relaxed);
    }

    /// The row said so.
    void stop() { m_over.store(true, std::memory_order_relaxed); }

    /// "time" or "aborted" where this agent has ended it by itself; else empty.
    [[nodiscard]] std::string_view endReason(Instant now) const;

    /// A request of the model is over. Ends the drill where too many of them have failed.
    void requestEnded(bool failed);

    void touched() { m_touched.fetch_add(1, std::memory_order_relaxed); }

    void spared() { m_spared.fetch_add(1, std::memory_order_relaxed); }

    [[nodiscard]] DrillCounts counts() const;

private:
    Drill m_row;
    Instant m_startsAt;
    Instant m_endsAt;
    std::atomic<bool> m_over{false};
    std::atomic<bool> m_aborted{false};
    std::atomic<std::int64_t> m_requests{0};
    std::atomic<std::int64_t> m_failures{0};
    std::atomic<std::int64_t> m_touched{0};
    std::atomic<std::int64_t> m_spared{0};
};

using DrillList = std::vector<std::shared_ptr<RunningDrill>>;

/// The drills of this agent: those whose rows say that they may run, over or not by its own clock.
class Drills final
{
public:
    Drills();

    /// The rows as the store has them now. Those that are gone from them have been ended.
    void read(const std::vector<Drill>& rows, Instant now, UtcTime utc);

    [[nodiscard]] const Published<DrillList>& list() const { return m_list; }

private:
    Published<DrillList> m_list;
};

/// The one that acts on this route now; null where none does.
[[nodiscard]] std::shared_ptr<RunningDrill>
drillOn(const DrillList& drills, std::string_view model, std::string_view provider, Instant now);

/// Those that act now.
[[nodiscard]] std::vector<DrillStatus> statusOf(const DrillList& drills, Instant now);

} // namespace weir::fleet
