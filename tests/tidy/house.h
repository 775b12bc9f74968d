// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/tidy/finding.h"
#include "tests/tidy/shape.h"
#include "tests/tidy/source.h"

namespace weir::tidy {

/// Every rule over the whole tree, ordered by file and line. `checkout` is the folder it lies in.
[[nodiscard]] Findings checkTree(
    const std::vector<Source>& tree,
    const std::string& checkout,
    const std::vector<Allowance>& allowances);

} // namespace weir::tidy
