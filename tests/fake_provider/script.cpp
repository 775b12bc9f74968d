// SPDX-License-Identifier: Apache-2.0
#include "tests/fake_provider/script.h"

#include "tests/fake_provider/script_keys.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace weir::fake {

Result<Script> readScript(const nlohmann::json& document)
{
    if (!document.is_object()) return fail("bad_script", "script", "must be a JSON object");
    std::string unknown;
    Script script;
    for (const auto& [name, value] : document.items()) {
        const auto keys = scriptKeys();
        const auto key = std::find_if(
            keys.begin(), keys.end(), [&](const ScriptKey& each) { return each.name == name; });
        if (key == keys.end()) {
            unknown += (unknown.empty() ? "" : ", ") + name;
            continue;
        }
        if (value.is_null()) continue;
        if (auto read = key->read(value, script); !read)
            return fail("bad_script", name, read.error().detail);
    }
    if (!unknown.empty())
        return fail("bad_script", "script", "unknown keys: " + unknown + "; --help lists them all");
    return script;
}

} // namespace weir::fake
