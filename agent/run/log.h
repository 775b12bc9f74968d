// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/fleet/route_states.h"
#include "common/model/config.h"
#include "common/routing/gate_event.h"

namespace weir::run {

/// One line an event on standard error, UTC, `key=value`: for whoever collects logs. Nothing that
/// is logged holds a body or a key.
void startLog();

/// What a configuration had better not have, a warning each.
void logWarnings(const Config& config);

void logGate(const fleet::RouteStates::Key& route, const routing::GateEvent& event);

} // namespace weir::run
