// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/ctl/places.h"
#include "agent/reports/settings_edit.h"

namespace weir::ctl {

/// The configuration knows best, then a running agent; else the rows that were written before.
[[nodiscard]] reports::KnownRoutes knownRoutes(const Places& places, const Decisions& decisions);

} // namespace weir::ctl
