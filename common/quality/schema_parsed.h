// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/quality/json_schema.h"
#include "common/quality/pattern.h"

#include <nlohmann/json.hpp>

#include <map>
#include <string>

namespace weir::quality {

struct JsonSchema::Parsed
{
    // Not noexcept, whatever its members claim: a JSON value may allocate.
    Parsed() noexcept(false) = default;

    nlohmann::json root;
    /// Every expression of `pattern` and `patternProperties`.
    std::map<std::string, Pattern, std::less<>> patterns;
    /// What every `$ref` means.
    std::map<std::string, const nlohmann::json*, std::less<>> targets;
    /// Up to draft 7 whatever stands beside a `$ref` does not count.
    bool refStandsAlone = false;
};

} // namespace weir::quality
