// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/result.h"
#include "common/model/config.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::config {

/// One fault of a configuration file, for the person who will cure it. Never holds a key's value.
struct ConfigError
{
    std::string file;
    /// From 1; 0 where the fault has no line (a file that cannot be read).
    int line = 0;
    /// Dotted, as in "provider.baseten.base_url"; empty where the fault has no key.
    std::string key;
    /// What is wrong and what to do about it.
    std::string detail;

    /// One line: "weir.toml:14: provider.baseten.base_url: is missing: …".
    [[nodiscard]] std::string text() const;

    bool operator==(const ConfigError&) const = default;
};

/// The value of an environment variable, or nothing where it is not set.
using EnvLookup = std::function<std::optional<std::string>(const std::string& name)>;

using LoadResult = Result<Config, std::vector<ConfigError>>;

/// Reads and checks a whole configuration file (contract section 4). Either everything in it is
/// sound, or every fault of it is returned, in the order of lines; only a syntax error ends the
/// search early. What the file leaves out has the default of common/model/config.h, and:
/// - `fixed_order` is the order of the model's routes in the file;
/// - `price.cached_input` and `price.cache_write` are `price.input`;
/// - `capabilities` are "stream" and "tools";
/// - the task `default` exists, its ladder being the one model of a file that has just one.
[[nodiscard]] LoadResult load(const std::string& path, const EnvLookup& env);

/// The same for a text; `fileName` is what the errors say.
[[nodiscard]] LoadResult
loadText(std::string_view text, const std::string& fileName, const EnvLookup& env);

} // namespace weir::config
