// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace weir::tidy {

/// One place where a file breaks a rule of the house, and what to do about it.
struct Finding
{
    std::string file; ///< rooted path, as in an include
    int line = 1;     ///< from 1
    std::string rule; ///< short name, e.g. "layer"
    std::string cure; ///< a sentence that says what to write instead

    bool operator==(const Finding&) const = default;
};

using Findings = std::vector<Finding>;

/// "common/routing/decide.cpp:12: [layer] …": editors jump to it.
[[nodiscard]] inline std::string toText(const Finding& finding)
{
    return finding.file + ":" + std::to_string(finding.line) + ": [" + finding.rule + "] " +
           finding.cure;
}

} // namespace weir::tidy
