// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/store/database.h"
#include "common/base/time.h"

#include <cstdint>

namespace weir::test {

/// Puts `decisions` of glm-5.2 into the ledger, one a second back from `end`, and the summary that
/// they were made from: baseten is cheap and leads, fireworks is twice as fast and half as dear
/// again, coreweave is explored; fireworks is known to bear `limitMilliRps`, of a demand of 12
/// requests a second.
void saveDay(
    store::Database& database, UtcTime end, int decisions, std::int64_t limitMilliRps = -1);

} // namespace weir::test
