// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/mirror_comparison.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace weir::proxy {

/// Where the workers put what came of their copies, until the control thread has written it down.
/// Any thread may call; a lock is held for the time of an insertion. What still waits here when the
/// process dies is lost: these are statistics, the ledger has the calls themselves.
class MirrorBoard final
{
public:
    /// More than that wait only where the store is out of reach; then the oldest go.
    static constexpr std::size_t kWaitingMax = 4096;

    /// By task policy and result, since the start.
    using Totals = std::map<std::pair<std::string, MirrorResult>, std::int64_t>;

    void count(const std::string& taskType, MirrorResult result);
    void add(MirrorComparison comparison);

    /// Everything that waits, oldest first.
    [[nodiscard]] std::vector<MirrorComparison> take();

    /// What was taken and could not be written: it goes first again.
    void giveBack(std::vector<MirrorComparison> comparisons);

    [[nodiscard]] Totals totals() const;
    /// Comparisons that found no room.
    [[nodiscard]] std::int64_t lost() const;

private:
    void makeRoom();

    mutable std::mutex m_mutex;
    std::vector<MirrorComparison> m_waiting;
    Totals m_totals;
    std::int64_t m_lost = 0;
};

} // namespace weir::proxy
