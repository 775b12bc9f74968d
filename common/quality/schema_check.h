// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/result.h"
#include "common/quality/schema_parsed.h"

namespace weir::quality {

/// The walk behind `JsonSchema::check`.
[[nodiscard]] Status<> checkAgainst(const JsonSchema::Parsed& schema, const nlohmann::json& value);

} // namespace weir::quality
