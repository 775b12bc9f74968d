// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace CLI {
class App;
} // namespace CLI

namespace weir::ctl {

/// Adds the `--reason` that every verb must have that changes something.
void addReason(CLI::App& verb, std::string& reason);

} // namespace weir::ctl
