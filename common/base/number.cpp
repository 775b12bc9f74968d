// SPDX-License-Identifier: Apache-2.0
#include "common/base/number.h"

#include <array>
#include <charconv>

namespace weir {

std::string shortestText(double value)
{
    // Sign, 17 digits, point and a three-digit exponent at most.
    std::array<char, 32> digits{};
    char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    return {digits.data(), end};
}

} // namespace weir
