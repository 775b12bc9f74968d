// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/config.h"

#include <filesystem>
#include <functional>
#include <string>

namespace weir::run {

[[nodiscard]] std::string version();

struct AgentOptions
{
    std::filesystem::path configFile;
    std::filesystem::path dataDir;
};

/// Runs an agent with that configuration until a signal ends it: SIGHUP reloads the file, SIGTERM
/// and SIGINT drain, a second one stops at once. Returns the exit code; errors are on standard
/// error.
[[nodiscard]] int runAgent(const AgentOptions& options, Config config);

} // namespace weir::run
