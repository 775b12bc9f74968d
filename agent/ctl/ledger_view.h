// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/ctl/style.h"
#include "agent/store/ledger_query.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weir::ctl {

/// The ledger as lines of a terminal, and its cursor as a word that can be copied. Pure.

/// "1764497700123.2.req-id".
[[nodiscard]] std::string toText(const store::LedgerCursor& cursor);
[[nodiscard]] std::optional<store::LedgerCursor> parseCursor(std::string_view text);

/// One row an attempt, in the order given.
[[nodiscard]] std::vector<Line> ledgerLines(const std::vector<CallRecord>& rows, std::size_t width);

/// One row a provider and, where there are several, their sum; costs are exact.
[[nodiscard]] std::vector<Line>
totalLines(std::span<const store::ProviderTotals> totals, std::size_t width);

/// All providers together.
[[nodiscard]] store::CallSums sumOf(std::span<const store::ProviderTotals> totals);

} // namespace weir::ctl
