// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/fake_provider/script.h"

#include <span>
#include <string_view>

namespace weir::fake {

/// One key of the script file: the table behind the reader, `--help` and the README.
struct ScriptKey
{
    std::string_view name;
    std::string_view fallback;
    std::string_view meaning;
    Status<> (*read)(const nlohmann::json& value, Script& script);
};

[[nodiscard]] std::span<const ScriptKey> scriptKeys();

} // namespace weir::fake
