// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/reports/saved_decisions.h"
#include "agent/store/database.h"
#include "common/base/result.h"
#include "common/model/decision.h"
#include "common/quality/mirror_report.h"

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace weir::reports {

/// Decisions that shadow mode would have begun elsewhere, all for the same reasons.
struct Disagreement
{
    /// Providers; "none" where nothing was eligible.
    std::string served;
    std::string shadow;
    /// Why shadow mode put its own first, and why it put the one that served where it did.
    ReasonCode whyShadow = ReasonCode::Best;
    ReasonCode whyNotServed = ReasonCode::Best;
    std::int64_t decisions = 0;
};

/// What shadow mode would have done beside what the fixed order did.
struct Agreement
{
    struct First
    {
        std::int64_t fixed = 0;
        std::int64_t shadow = 0;
    };

    std::int64_t decisions = 0;
    std::int64_t agreed = 0;
    /// First choices by provider.
    std::map<std::string, First> first;
    /// The most frequent first.
    std::vector<Disagreement> disagreements;
    /// What one decision would have changed, by the figures of the summary that it was made from:
    /// dollars for the pool's standard task, and seconds to the first output. Where both agreed it
    /// is 0. Nothing where fewer than two decisions tell.
    std::optional<quality::PairedDifference> costUsd;
    std::optional<quality::PairedDifference> ttftS;
    /// Decisions read, those without a shadow too.
    std::int64_t read = 0;

    /// 0 to 1; nothing without a decision.
    [[nodiscard]] std::optional<double> rate() const;
};

/// Of the newest decisions, in whole pages of the ledger until there are `atMost`.
[[nodiscard]] Result<Agreement> readAgreement(
    store::Database& database,
    std::optional<UtcTime> since,
    std::int64_t atMost = std::numeric_limits<std::int64_t>::max());

} // namespace weir::reports
