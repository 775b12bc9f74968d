// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/config/load.h"

#include <string>

namespace weir::config {

/// The environment of this process. Not to be called while another thread changes it.
[[nodiscard]] EnvLookup processEnvironment();

/// Says of every variable that it is set, to a stand-in: for a program that reads a configuration
/// without having its keys, as weirctl does to find the store.
[[nodiscard]] EnvLookup anyEnvironment();

/// Where an agent keeps its files unless `--data-dir` says otherwise: systemd's $STATE_DIRECTORY,
/// $XDG_DATA_HOME/weir, ~/.local/share/weir, else /var/lib/weir.
[[nodiscard]] std::string defaultDataDir(const EnvLookup& env);

} // namespace weir::config
