// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/sim/fields_json.h"
#include "common/sim/scenario.h"

namespace weir::sim {

/// Reads one element of a scenario's `traffic`; `scenario` has the models already. Beside sizes and
/// rates it may hold what requests say with their headers and what a task's configuration says:
///  - "regions": ["eu"], "terms": ["no_retention"]: any one of these regions, all of these terms;
///  - "priority": "interactive" or "batch": batch is put off where there is no room;
///  - "ladder": ["large", "other", "small"]: L0, L1, then L2; "model" may be left out, or is where
///    the stream begins on it;
///  - "answer": "faq": the model that is L3; "lowest_level": "L1": nothing worse will do.
[[nodiscard]] TrafficStream
readStream(Reading& reading, const Fields::Item& item, const Scenario& scenario);

} // namespace weir::sim
