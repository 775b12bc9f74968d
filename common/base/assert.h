// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace weir {

[[noreturn]] void assertionFailed(const char* expression, const char* file, int line) noexcept;

} // namespace weir

/// A programmer's error, checked in release builds too. Outside input is never asserted.
#define WEIR_ASSERT(expression)                                                                    \
    ((expression) ? static_cast<void>(0) : ::weir::assertionFailed(#expression, __FILE__, __LINE__))
