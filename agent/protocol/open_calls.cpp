// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/open_calls.h"

#include <utility>

namespace weir::protocol {

void OpenCalls::add(const std::string& given, Call call)
{
    const std::size_t place = m_calls.size();
    m_calls.push_back(std::move(call));
    m_twins.push_back(kNone);
    const auto [waiting, isFirst] = m_waiting.try_emplace(given, Waiting{place, place});
    if (isFirst) return;
    m_twins[waiting->second.last] = place;
    waiting->second.last = place;
}

bool OpenCalls::answer(const std::string& given, const Numbered& result)
{
    const auto waiting = m_waiting.find(given);
    if (waiting == m_waiting.end() || waiting->second.next == kNone) return false;
    const std::size_t place = waiting->second.next;
    m_calls[place].result = result;
    waiting->second.next = m_twins[place];
    return true;
}

void OpenCalls::clear()
{
    m_calls.clear();
    m_twins.clear();
    m_waiting.clear();
}

} // namespace weir::protocol
