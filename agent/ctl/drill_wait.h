// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/ctl/io.h"
#include "agent/ctl/wire.h"
#include "agent/store/database.h"

#include <string>

namespace weir::ctl {

/// Shows how the drill goes on until it is over and as much time again has passed, or the person
/// asks to quit. `quiet`: shows nothing. The row as it stands then.
[[nodiscard]] Result<store::StoredDrill>
awaitDrill(store::Database& store, Waiter& waiter, const std::string& id, bool quiet, const Io& io);

} // namespace weir::ctl
