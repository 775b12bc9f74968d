// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/proxy/exchange.h"

#include <optional>

namespace weir::proxy {

struct Exchange::Running
{
    /// `index`: of the candidates; `number`: of the attempt, from 1.
    Running(
        Exchange& exchange, std::size_t index, int number, Instant startedAt, fleet::Slot leave);

    std::size_t index;
    int number;
    AttemptTimes times;
    std::shared_ptr<const fleet::RunningDrill> drill;
    AnswerFields fields;
    fleet::Slot slot;
    fleet::RouteState::Flight flight;
    Attempt attempt;
    bool hedged = false;
    /// Once it has ended.
    std::optional<AttemptResult> result;
};

} // namespace weir::proxy
