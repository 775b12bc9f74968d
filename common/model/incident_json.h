// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/result.h"
#include "common/model/incident.h"

#include <nlohmann/json_fwd.hpp>

#include <string_view>
#include <vector>

namespace weir {

/// Times as `…_ms`, epoch milliseconds; `end_ms` of an open incident and `parent` of a head are
/// null.
[[nodiscard]] nlohmann::ordered_json toJson(const Incident& incident);
[[nodiscard]] nlohmann::ordered_json toJson(const std::vector<Incident>& incidents);

/// Reads exactly what `toJson` wrote; unknown keys are ignored. Error code "bad_incident", with the
/// key that is absent or wrong.
[[nodiscard]] Result<Incident> incidentFromJson(std::string_view text);
[[nodiscard]] Result<std::vector<Incident>> incidentsFromJson(std::string_view text);

} // namespace weir
