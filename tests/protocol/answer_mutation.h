// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>
#include <string>
#include <string_view>

namespace weir::protocol {

/// A golden answer or stream with a value changed in one of its documents, or with an event twice,
/// gone, or elsewhere: what a fuzzer of bytes hardly ever makes. The same for the same seed.
[[nodiscard]] std::string mutatedAnswer(std::string_view golden, std::mt19937& random);

} // namespace weir::protocol
