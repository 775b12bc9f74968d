// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/call_record.h"

#include <cstdint>

namespace weir::bench {

/// What an agent of a busy service writes: a hundred attempts a second over two models, three
/// providers and three task types, most with the record of their decision. `number` makes the row.
[[nodiscard]] CallRecord ledgerRow(std::int64_t number, UtcTime start);

} // namespace weir::bench
