// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/tidy/finding.h"
#include "tests/tidy/source.h"

namespace weir::tidy {

inline constexpr int kFileLinesMax = 400;
inline constexpr int kHeaderLinesMax = 120;
inline constexpr int kFunctionLinesMax = 70;

/// A file or function that was over budget before the budget came, and may shrink but not grow.
struct Allowance
{
    std::string_view file;
    std::string_view rule; ///< "file-size" or "function-size"
    int lines = 0;
};

/// Files, headers and functions over their budget, in lines. An allowance that is larger than what
/// it stands for is itself a finding: that is the ratchet.
[[nodiscard]] Findings checkSizes(const Source& source, const std::vector<Allowance>& allowances);

/// `#pragma once` in every header; the licence line in every source, script and CMake file:
/// GPL-3.0-or-later in app/ and tests/app/, Apache-2.0 elsewhere.
[[nodiscard]] Findings checkOpening(const Source& source);

/// No `{` inside a `co_await` expression: GCC 12 destroys an aggregate or a lambda that is a
/// temporary there twice (gcc.gnu.org, PR 99576 and its kin).
[[nodiscard]] Findings checkCoroutines(const Source& source);

/// No range of a `for` that is taken out of a temporary: `for (x : read().value())` walks over what
/// is gone (until C++23, P2718).
[[nodiscard]] Findings checkLoops(const Source& source);

/// Every .cpp and .h below common/, agent/, app/ and tests/ is named by a CMakeLists.txt.
[[nodiscard]] Findings checkTargets(const std::vector<Source>& tree);

} // namespace weir::tidy
