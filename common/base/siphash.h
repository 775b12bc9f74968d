// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace weir {

/// A 128-bit key.
struct HashKey
{
    std::uint64_t low = 0;
    std::uint64_t high = 0;
};

/// SipHash-2-4 (Aumasson and Bernstein, 2012): who does not know the key cannot choose the result,
/// so an identifier from outside can be hashed into a row or a coin without its sender steering it.
[[nodiscard]] std::uint64_t sipHash(const HashKey& key, std::string_view bytes);

} // namespace weir
