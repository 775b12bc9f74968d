// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/console.h"

#include <set>
#include <string>
#include <vector>

namespace weir::model {

/// Providers in the order of their colours: those of the live charts as they stand there, then the
/// others by name. The index is the colour.
[[nodiscard]] std::vector<std::string>
providerOrder(Console& console, std::set<std::string> providers);

/// Its colour; that of the first where it is not among them.
[[nodiscard]] int colourIn(const std::vector<std::string>& order, const std::string& provider);

} // namespace weir::model
