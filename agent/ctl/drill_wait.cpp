// SPDX-License-Identifier: Apache-2.0
#include "agent/ctl/drill_wait.h"

#include "agent/ctl/drill_view.h"
#include "agent/net/clock.h"
#include "common/base/text.h"

#include <algorithm>
#include <ostream>

namespace weir::ctl {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLook{200};
/// A line of progress so often in a drill's length, and no oftener than each second.
constexpr int kLines = 10;
constexpr milliseconds kLineMin{1000};
/// Rows are readable so long after their attempts at the latest (contract section 2).
constexpr milliseconds kLedgerDelay{2000};
/// Agents write the end of a drill a little after it.
constexpr milliseconds kEndDelay{5000};

/// Nothing where no drill has the id.
Result<store::StoredDrill> rowOf(store::Database& store, const std::string& id)
{
    Result<std::optional<store::StoredDrill>> row = store.drill(id);
    if (!row) return tl::unexpected(row.error());
    if (!*row) return fail("no_drill", cleaned(id), "no drill has this id");
    return std::move(**row);
}

/// It is over, and the time in which traffic comes back is, too.
bool isSettled(const Drill& drill, UtcTime now)
{
    if (!drill.endedAt) return now > drill.endsAt + kEndDelay;
    return now >= *drill.endedAt + (*drill.endedAt - drill.startsAt) + kLedgerDelay;
}

} // namespace

Result<store::StoredDrill>
awaitDrill(store::Database& store, Waiter& waiter, const std::string& id, bool quiet, const Io& io)
{
    Instant nextLine = net::monotonicNow();
    bool saidOver = false;
    for (;;) {
        Result<store::StoredDrill> row = rowOf(store, id);
        if (!row) return row;
        const Drill& drill = row->drill;
        const UtcTime now = net::utcNow();
        if (waiter.quitAsked() || isSettled(drill, now)) return row;
        const bool isOver = drill.endedAt.has_value();
        const bool isDue = net::monotonicNow() >= nextLine;
        if (!quiet && !isOver && isDue) {
            const DrillCounts counts = store.drillCounts(id).value_or(DrillCounts{});
            io.out << "  " << progressOf(drill, counts, now) << std::endl;
            const milliseconds step = (drill.endsAt - drill.startsAt) / kLines;
            nextLine = net::monotonicNow() + std::max(step, kLineMin);
        }
        if (!quiet && isOver && !saidOver) {
            io.out << "It is over (" << cleaned(drill.endReason)
                   << "); the same time again to see traffic come back." << std::endl;
            saidOver = true;
        }
        waiter.pause(kLook);
    }
}

} // namespace weir::ctl
