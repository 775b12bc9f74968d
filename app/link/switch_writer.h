// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/link/store_options.h"
#include "common/model/switch_change.h"

#include <optional>

namespace weir::link {

/// Writes the switch in one transaction on a connection of its own: only against the version that
/// the operator saw, and once per uuid. The database's triggers write the audit.
[[nodiscard]] SwitchOutcome writeSwitch(const StoreOptions& options, const SwitchChange& change);

/// Looks up what became of a write whose commit was not answered; nothing while the store does not
/// answer either.
[[nodiscard]] std::optional<SwitchOutcome>
resolveSwitch(const StoreOptions& options, const SwitchChange& change);

} // namespace weir::link
