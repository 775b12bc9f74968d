// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/time.h"

#include <string>
#include <string_view>
#include <vector>

namespace weir::ctl {

inline constexpr UtcTime kNow = fromEpochMs(1764497700000);

struct Ran
{
    int exit = 0;
    std::string out;
    std::string err;
};

/// weirctl in this process: no terminal, the time `kNow`, and of the environment USER=ada alone.
[[nodiscard]] Ran weirctl(const std::vector<std::string>& arguments);

[[nodiscard]] bool has(std::string_view text, std::string_view part);

/// An address on which nothing listens.
[[nodiscard]] std::string deadAgent();

} // namespace weir::ctl
