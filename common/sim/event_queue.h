// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/sim/scenario.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace weir::sim {

enum class EventKind : std::uint8_t {
    Arrival,      ///< of a task; what = stream
    CallStart,    ///< what = slot
    AttemptStart, ///< of the same route again; what = slot
    FirstOutput,  ///< what = slot
    AttemptEnd,   ///< what = slot
    AgentSync,    ///< what = agent
    SummaryRun,
    SummaryArrival,
    Scenario, ///< what = index of the file's event
    MinuteEnd,
};

struct Event
{
    Micros at = 0;
    /// Events of one moment happen in the order in which they were planned.
    std::uint64_t sequence = 0;
    EventKind kind = EventKind::Arrival;
    std::uint32_t what = 0;
};

/// What is going to happen, by time.
class EventQueue final
{
public:
    void add(Micros at, EventKind kind, std::size_t what)
    {
        m_heap.push_back({at, m_sequence++, kind, static_cast<std::uint32_t>(what)});
        std::push_heap(m_heap.begin(), m_heap.end(), isLater);
    }

    [[nodiscard]] bool empty() const { return m_heap.empty(); }

    [[nodiscard]] Event take()
    {
        std::pop_heap(m_heap.begin(), m_heap.end(), isLater);
        const Event event = m_heap.back();
        m_heap.pop_back();
        return event;
    }

private:
    static bool isLater(const Event& a, const Event& b)
    {
        return a.at != b.at ? a.at > b.at : a.sequence > b.sequence;
    }

    std::vector<Event> m_heap;
    std::uint64_t m_sequence = 0;
};

} // namespace weir::sim
