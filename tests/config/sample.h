// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/config/load.h"

#include <string>

namespace weir::config {

/// The example of the contract, section 4, with the second provider that it speaks of.
[[nodiscard]] const std::string& contractExample();

/// The smallest file that loads: one provider "a" without a key, one model "m" with one route.
/// `insert` goes under the header `section` of it (such as "[provider.a]"), or at the end where the
/// text has no such header.
[[nodiscard]] std::string smallest(const std::string& section = {}, const std::string& insert = {});

/// BASETEN_API_KEY, FIREWORKS_API_KEY, KEY_A, KEY_B, ADMIN_TOKEN are set; EMPTY is empty, BROKEN
/// ends in a line feed; nothing else exists.
[[nodiscard]] EnvLookup sampleEnvironment();

/// All errors, one a line; empty where the text loads.
[[nodiscard]] std::string errorsOf(const std::string& text);

} // namespace weir::config
