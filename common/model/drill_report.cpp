// SPDX-License-Identifier: Apache-2.0
#include "common/model/drill_report.h"

namespace weir {

std::optional<std::int64_t> DrillWindow::costPerRequest() const
{
    if (costKnown == 0) return std::nullopt;
    return costMicroUsd / static_cast<std::int64_t>(costKnown);
}

} // namespace weir
