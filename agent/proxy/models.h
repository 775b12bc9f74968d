// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/config.h"

#include <string>

namespace weir::proxy {

/// The body of `GET /v1/models` in the client's protocol: the logical models, and "auto" where a
/// task has a ladder.
[[nodiscard]] std::string modelsBody(Protocol protocol, const Config& config);

/// "a, b, c": for the answer to a request for an unknown one.
[[nodiscard]] std::string modelNames(const Config& config);

} // namespace weir::proxy
