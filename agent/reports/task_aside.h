// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/request_rows.h"

#include <cstdint>

namespace weir::reports {

/// Attempts that are counted by themselves, whatever their task type.
struct TaskAside
{
    std::int64_t attempts = 0;
    std::int64_t costMicroUsd = 0;
    std::int64_t costUnknown = 0;

    void add(const store::AttemptRow& attempt)
    {
        ++attempts;
        costMicroUsd += attempt.costMicroUsd.value_or(0);
        costUnknown += attempt.costMicroUsd ? 0 : 1;
    }
};

} // namespace weir::reports
