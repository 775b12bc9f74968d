// SPDX-License-Identifier: Apache-2.0
#include "common/base/assert.h"

#include <cstdio>
#include <cstdlib>

namespace weir {

void assertionFailed(const char* expression, const char* file, int line) noexcept
{
    std::fprintf(stderr, "weir: assertion failed: %s at %s:%d\n", expression, file, line);
    std::abort();
}

} // namespace weir
