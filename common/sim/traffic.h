// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/sim/draws.h"
#include "common/sim/scenario.h"

#include <cstdint>
#include <optional>

namespace weir::sim {

/// One task as it arrives: everything about it is settled here, whatever the policy.
struct TaskPlan
{
    Micros at = 0;
    /// Unique in the run.
    std::uint64_t id = 0;
    std::uint32_t stream = 0;
    std::uint32_t agent = 0;
    std::uint32_t calls = 1;
    bool singleShot = false;
};

struct CallPlan
{
    std::int64_t inputTokens = 0;
    std::int64_t outputTokens = 0;
    bool endsByLength = false;
    /// The client leaves after this part of the time to the first output; 0 = it stays.
    double leavesAfter = 0.0;
};

/// Tasks of one stream in the order of their arrival: a Poisson process whose rate has the diurnal
/// wave, thinned out of one with the highest rate.
class Arrivals final
{
public:
    /// `scale` thins the whole stream (1 = as in the file). `era` tells apart traffic before t = 0
    /// from the file's own, which must not depend on it.
    struct Window
    {
        Micros from = 0;
        Micros until = 0;
        double scale = 1.0;
        std::uint32_t era = 0;
    };

    Arrivals(const Scenario& scenario, const Draws& draws, std::uint32_t stream, Window window);

    /// Nothing after the window's end.
    [[nodiscard]] std::optional<TaskPlan> next();

private:
    const Scenario& m_scenario;
    Draws m_draws;
    std::uint32_t m_stream;
    Window m_window;
    double m_seconds;
    std::uint64_t m_drawn = 0;
};

[[nodiscard]] CallPlan
planCall(const Scenario& scenario, const Draws& draws, const TaskPlan& task, std::uint32_t call);

} // namespace weir::sim
