// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/incident.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace weir::routing {

/// What an incident of this kind is, as a sentence.
[[nodiscard]] std::string_view incidentMeaning(IncidentKind kind);

/// "2026-11-30T10:02:11Z"; with milliseconds where there are some.
[[nodiscard]] std::string momentText(std::int64_t ms);

/// "14 min", "2 h 3 min".
[[nodiscard]] std::string spanText(std::int64_t ms);

/// "$12.3456", "-$0.0100".
[[nodiscard]] std::string moneyText(std::int64_t microUsd);

/// What was typed elsewhere must not become markup: one line, no tables, no tags.
[[nodiscard]] std::string markdownText(std::string_view text);

} // namespace weir::routing
