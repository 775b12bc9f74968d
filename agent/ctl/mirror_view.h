// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/ctl/style.h"
#include "common/quality/mirror_report.h"

#include <nlohmann/json_fwd.hpp>

#include <span>
#include <vector>

namespace weir::ctl {

/// The reports for people: a paragraph each.
[[nodiscard]] std::vector<Line> mirrorLines(std::span<const quality::MirrorReport> reports);

[[nodiscard]] nlohmann::ordered_json mirrorJson(std::span<const quality::MirrorReport> reports);

} // namespace weir::ctl
