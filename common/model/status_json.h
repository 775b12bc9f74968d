// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/result.h"
#include "common/model/status.h"

#include <nlohmann/json_fwd.hpp>

#include <string_view>

namespace weir {

[[nodiscard]] nlohmann::ordered_json toJson(const AgentStatus& status);

/// Reads what `toJson` wrote; unknown keys are ignored, absent ones keep their default. Error code
/// "bad_status" where it is no such document.
[[nodiscard]] Result<AgentStatus> statusFromJson(std::string_view text);

/// The parts of it that stand alone elsewhere, too.
[[nodiscard]] nlohmann::ordered_json toJson(const AgentPresence& agent);
[[nodiscard]] nlohmann::ordered_json toJson(const FailoverStatus& failover);
/// Throws nlohmann's exceptions where a value is of the wrong kind.
[[nodiscard]] FailoverStatus failoverFromJson(const nlohmann::ordered_json& json);

} // namespace weir
