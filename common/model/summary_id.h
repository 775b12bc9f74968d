// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/summary.h"

#include <string>

namespace weir {

/// 16 hexadecimal digits of a hash over everything in the summary but its id: two summaries that
/// say the same have the same id on every machine, and a saved one can be checked.
[[nodiscard]] std::string summaryId(const Summary& summary);

} // namespace weir
