// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/result.h"
#include "common/model/decision_record.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

/// `CallRecord::decision`: everything that a request's decision can be recomputed from, besides the
/// summary of its id.
struct SavedDecision
{
    /// The model's, in the order of the record's routes.
    std::vector<std::string> providers;
    DecisionRecord served;
    /// In shadow mode: what `adaptive` would have decided.
    std::optional<DecisionRecord> shadow;

    bool operator==(const SavedDecision&) const = default;
};

/// "baseten,fireworks|<record>" or "…|<record>|<record>", in plain characters.
[[nodiscard]] std::string encode(const SavedDecision& saved);

/// Error code "bad_decision".
[[nodiscard]] Result<SavedDecision> decodeSavedDecision(std::string_view text);

} // namespace weir
