// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace weir::routing {

enum class AttemptKind : std::uint8_t { Normal, Probe };

/// Who asks a gate.
struct Asker
{
    /// A hash of its name; 0 = it has none.
    std::uint64_t caller = 0;
    bool batch = false;
};

} // namespace weir::routing
