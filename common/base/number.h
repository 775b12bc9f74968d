// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace weir {

/// The shortest text that reads back as the same number.
[[nodiscard]] std::string shortestText(double value);

} // namespace weir
