// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/result.h"
#include "common/model/decision.h"

#include <string>
#include <string_view>

namespace weir {

/// One decision as it is saved with its request: with the summary of this id it can be decided
/// again, and must come out the same to the byte (routing.md section 0).
struct DecisionRecord
{
    /// Of the `Summary`; empty where none was known.
    std::string snapshotId;
    DecisionInput input;
    Decision decision;

    bool operator==(const DecisionRecord&) const = default;
};

/// One line of words and numbers, some 300 characters for three routes. Equal records have equal
/// text.
[[nodiscard]] std::string encode(const DecisionRecord& record);

/// Error code "bad_decision" where the text is not such a line, or of a later version.
[[nodiscard]] Result<DecisionRecord> decodeDecision(std::string_view text);

} // namespace weir
