// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <simdjson.h>

#include <string>

namespace weir::fake {

/// A JSON value that satisfies the schema, as far as its types, its required names, its enums and
/// its references go. `root` is the schema that references point into.
[[nodiscard]] std::string
exampleOf(simdjson::dom::element schema, simdjson::dom::element root, int depth = 0);

} // namespace weir::fake
