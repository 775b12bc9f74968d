// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>
#include <string>
#include <string_view>

namespace weir::protocol {

/// A document changed in a few of its values, which stays JSON: what a fuzzer of bytes hardly ever
/// makes. The same for the same seed; nothing where `text` is no JSON.
[[nodiscard]] std::string mutatedJson(std::string_view text, std::mt19937& random);

} // namespace weir::protocol
