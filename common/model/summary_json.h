// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/result.h"
#include "common/model/summary.h"

#include <nlohmann/json_fwd.hpp>

#include <string_view>

namespace weir {

/// Integers, words and booleans only, so that reading it back gives the same summary exactly.
[[nodiscard]] nlohmann::ordered_json toJson(const Summary& summary);

/// Reads what `toJson` wrote. Every key must be there and none else, as one that another version
/// wrote must not be half understood. Error code "bad_summary", `where` the path of the key.
[[nodiscard]] Result<Summary> summaryFromJson(std::string_view text);

} // namespace weir
