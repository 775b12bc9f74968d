// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/database.h"

#include <cstddef>
#include <functional>
#include <string>

namespace weir::bench {

/// A question that people ask of a ledger, ready to be asked: returns how many rows answered it.
using Question = std::function<Result<std::size_t>()>;

/// The question of a name, about another time or row in each round. The ledger is expected to end
/// now and to hold `days` days. Error code "bad_usage" where the name is unknown.
[[nodiscard]] Result<Question>
ledgerQuestion(store::Database& database, const std::string& name, int round, int days);

} // namespace weir::bench
