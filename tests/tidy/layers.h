// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/tidy/finding.h"
#include "tests/tidy/source.h"

namespace weir::tidy {

/// The architecture's include table: every #include of a file against what its layer may see. Also
/// that project includes are rooted, that a .cpp file's own header stands first, and that nothing
/// includes a .cpp file. `hasOwnHeader`: a header of the same name stands beside the .cpp file.
[[nodiscard]] Findings checkIncludes(const Source& source, bool hasOwnHeader);

/// The same table for what CMake links: no Qt below agent/ or common/, and agent/ and app/ apart.
[[nodiscard]] Findings checkLinks(const Source& cmake);

} // namespace weir::tidy
