// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/call_record.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace weir {

/// The names of the ledger's columns; unknown values are null.
[[nodiscard]] nlohmann::ordered_json toJson(const CallRecord& record);
/// The same as text, for whoever has no JSON of that kind.
[[nodiscard]] std::string jsonText(const CallRecord& record);

} // namespace weir
