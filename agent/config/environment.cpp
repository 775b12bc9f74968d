// SPDX-License-Identifier: Apache-2.0
#include "agent/config/environment.h"

#include <cstdlib>

namespace weir::config {

EnvLookup processEnvironment()
{
    return [](const std::string& name) -> std::optional<std::string> {
        const char* value = std::getenv(name.c_str());
        return value == nullptr ? std::nullopt : std::optional<std::string>{value};
    };
}

EnvLookup anyEnvironment()
{
    return [](const std::string& name) { return std::optional{name}; };
}

std::string defaultDataDir(const EnvLookup& env)
{
    const auto value = [&env](const std::string& name) { return env(name).value_or(""); };
    if (const std::string state = value("STATE_DIRECTORY"); !state.empty()) {
        return state.substr(0, state.find(':'));
    }
    if (const std::string data = value("XDG_DATA_HOME"); data.starts_with('/'))
        return data + "/weir";
    if (const std::string home = value("HOME"); home.starts_with('/')) {
        return home + "/.local/share/weir";
    }
    return "/var/lib/weir";
}

} // namespace weir::config
