// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/config.h"

#include <optional>
#include <string>
#include <string_view>

namespace weir::protocol::promises {

/// What must hold for the translation of any text that `client` might send, for routes of several
/// kinds; the promise that is broken, or nothing.
[[nodiscard]] std::optional<std::string> broken(Protocol client, std::string_view request);

} // namespace weir::protocol::promises
