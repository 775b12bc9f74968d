// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/settings.h"

#include <cstdint>
#include <string>

namespace weir {

/// A person's wish to turn the switch, written against the version that they saw.
struct SwitchChange
{
    Mode target = Mode::Fixed;
    std::int64_t expectedVersion = 0;
    std::string reason;
    std::string by;
    std::string host;
    /// Made once per wish: writing it twice is the same write (contract section 5).
    std::string requestUuid;

    bool operator==(const SwitchChange&) const = default;
};

/// What became of a `SwitchChange`.
struct SwitchOutcome
{
    enum class Kind : std::uint8_t {
        Written,    ///< `row` is ours
        Conflict,   ///< somebody else was first; `row` is theirs and nothing was written
        NotWritten, ///< certainly nothing was written; `detail` says why
        Unknown,    ///< the connection broke around COMMIT: look the uuid up before trying again
    };

    Kind kind = Kind::NotWritten;
    /// The wish that this answers.
    std::string requestUuid;
    /// The row as it stands now, for Written and Conflict.
    RoutingSwitch row;
    std::string detail;

    bool operator==(const SwitchOutcome&) const = default;
};

} // namespace weir
