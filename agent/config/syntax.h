// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/config/load.h"

#include <toml++/toml.h>

#include <string_view>

namespace weir::config {

/// A fault of syntax, or a name that stands twice, as a person would say it: the key is read off
/// the text around the place where the parser stopped.
[[nodiscard]] ConfigError
explain(const toml::parse_error& error, std::string_view text, const std::string& fileName);

} // namespace weir::config
