// SPDX-License-Identifier: Apache-2.0
#include "agent/run/mirror_writer.h"

#include <spdlog/spdlog.h>

namespace weir::run {

void MirrorWriter::step(store::MirrorStore& store)
{
    std::vector<MirrorComparison> waiting = m_board.take();
    if (waiting.empty()) return;
    const Status<> written = store.addComparisons(waiting);
    if (!written) {
        const std::string& code = written.error().code;
        const bool mayPass = code == "busy" || code == "store_full" || code == "unreachable";
        spdlog::warn(
            "event=mirror_{} comparisons={} detail=\"{}\"",
            mayPass ? "waits" : "refused",
            waiting.size(),
            written.error().text());
        if (mayPass) m_board.giveBack(std::move(waiting));
    }
    const std::int64_t lost = m_board.lost();
    if (lost > m_toldLost) spdlog::warn("event=mirror_lost comparisons={}", lost - m_toldLost);
    m_toldLost = lost;
}

std::vector<admin::MirrorTotal> mirrorTotals(const proxy::MirrorBoard& board)
{
    std::vector<admin::MirrorTotal> totals;
    for (const auto& [key, count] : board.totals())
        totals.push_back({key.first, key.second, count});
    return totals;
}

} // namespace weir::run
