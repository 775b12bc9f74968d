// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace weir::routing {

enum class AttemptKind : std::uint8_t { Normal, Probe };

/// Who asks a gate.
struct Asker
{
    bool batch = false;
};

} // namespace weir::routing
