// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

namespace weir::tidy {

/// Where a function's definition stands, both lines included.
struct FunctionSpan
{
    int firstLine = 0;
    int lastLine = 0;

    [[nodiscard]] int lines() const { return lastLine - firstLine + 1; }

    bool operator==(const FunctionSpan&) const = default;
};

/// The functions defined at namespace or class level in `code`, whose literals and comments must be
/// blanked. It reads braces, not C++: good enough to measure, and never wrong about a line by much.
[[nodiscard]] std::vector<FunctionSpan> functionsIn(std::string_view code);

} // namespace weir::tidy
