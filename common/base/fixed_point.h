// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/assert.h"

#include <cstdint>
#include <limits>

namespace weir {

__extension__ using Int128 = __int128;

/// a * b / c rounded towards minus infinity, exact in between; `c` > 0. Saturates where the result
/// does not fit: a figure too large is still the largest.
[[nodiscard]] constexpr std::int64_t mulDiv(std::int64_t a, std::int64_t b, std::int64_t c)
{
    WEIR_ASSERT(c > 0);
    // Nearly always; a 128-bit division costs some ten times as much.
    if (std::int64_t small = 0; !__builtin_mul_overflow(a, b, &small)) {
        return small / c - (small % c < 0 ? 1 : 0);
    }
    const Int128 product = static_cast<Int128>(a) * b;
    Int128 quotient = product / c;
    if (product % c < 0) --quotient;
    if (quotient > std::numeric_limits<std::int64_t>::max()) {
        return std::numeric_limits<std::int64_t>::max();
    }
    if (quotient < std::numeric_limits<std::int64_t>::min()) {
        return std::numeric_limits<std::int64_t>::min();
    }
    return static_cast<std::int64_t>(quotient);
}

} // namespace weir
