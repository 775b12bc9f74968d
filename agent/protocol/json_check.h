// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace weir::protocol::json {

/// The text is one JSON object, checked to the last escape: it can be put into another document.
/// Copies it.
[[nodiscard]] bool isObject(std::string_view text);

} // namespace weir::protocol::json
