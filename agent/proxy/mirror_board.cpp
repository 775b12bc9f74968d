// SPDX-License-Identifier: Apache-2.0
#include "agent/proxy/mirror_board.h"

#include <iterator>

namespace weir::proxy {

void MirrorBoard::count(const std::string& taskType, MirrorResult result)
{
    const std::scoped_lock lock(m_mutex);
    ++m_totals[{taskType, result}];
}

void MirrorBoard::add(MirrorComparison comparison)
{
    const std::scoped_lock lock(m_mutex);
    m_waiting.push_back(std::move(comparison));
    makeRoom();
}

std::vector<MirrorComparison> MirrorBoard::take()
{
    const std::scoped_lock lock(m_mutex);
    return std::exchange(m_waiting, {});
}

void MirrorBoard::giveBack(std::vector<MirrorComparison> comparisons)
{
    const std::scoped_lock lock(m_mutex);
    comparisons.insert(
        comparisons.end(),
        std::make_move_iterator(m_waiting.begin()),
        std::make_move_iterator(m_waiting.end()));
    m_waiting = std::move(comparisons);
    makeRoom();
}

void MirrorBoard::makeRoom()
{
    if (m_waiting.size() <= kWaitingMax) return;
    const std::size_t surplus = m_waiting.size() - kWaitingMax;
    m_waiting.erase(m_waiting.begin(), m_waiting.begin() + static_cast<std::ptrdiff_t>(surplus));
    m_lost += static_cast<std::int64_t>(surplus);
}

MirrorBoard::Totals MirrorBoard::totals() const
{
    const std::scoped_lock lock(m_mutex);
    return m_totals;
}

std::int64_t MirrorBoard::lost() const
{
    const std::scoped_lock lock(m_mutex);
    return m_lost;
}

} // namespace weir::proxy
