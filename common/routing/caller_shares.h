// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/gate_view.h"
#include "common/routing/demand_meter.h"

#include <array>
#include <cstdint>
#include <vector>

namespace weir::routing {

/// Who asks one agent's half of a gate, and what each may have of a class that does not fit
/// (routing.md section 5): max-min fair, so that a caller who asks for less than an equal part gets
/// all of it, and those who ask for more divide what is left. By the demand of the last seconds,
/// as the gate itself; callers beyond the bound share one place. One thread; copyable.
class CallerShares final
{
public:
    static constexpr std::size_t kCallersMax = 256;

    /// `caller`: a hash of its name; 0 = it has none.
    void asked(std::uint64_t caller, GateClass kind);

    /// Closes an interval of a second or more; shorter ones are left open.
    void settle(std::int64_t nowMs);
    /// What the gate now lets through of each class.
    void divide(const std::array<std::int32_t, kGateClasses>& admitPpm);

    struct Part
    {
        std::int32_t admitPpm = 1'000'000;
        /// It asks for more than its fair part.
        bool isOver = false;
    };

    /// `wholePpm`: what the gate lets through of the class.
    [[nodiscard]] Part partOf(std::uint64_t caller, GateClass kind, std::int32_t wholePpm) const;

private:
    struct Caller
    {
        std::uint64_t id = 0;
        std::array<DemandMeter, kGateClasses> asked{};
    };

    [[nodiscard]] const Caller* find(std::uint64_t id) const;

    /// Sorted by id.
    std::vector<Caller> m_callers;
    /// The most that one caller gets of each class; -1 = there is nothing to divide.
    std::array<std::int64_t, kGateClasses> m_fairMilliRps{-1, -1, -1, -1};
    std::int64_t m_settledMs = -1;
};

} // namespace weir::routing
