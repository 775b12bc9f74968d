// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/call_record.h"
#include "common/model/summary.h"

#include <nlohmann/json_fwd.hpp>

namespace weir::admin {

/// Adds to a decision's page what it was decided from and why each route stands where it does:
/// `inputs`, `explanation`, and to each of `candidates` its score, place, code and gate. Without
/// the summary that the decision was made from, the words say less. Nothing is added where the
/// attempt keeps no record.
void addDetail(nlohmann::ordered_json& page, const CallRecord& first, const Summary* summary);

} // namespace weir::admin
