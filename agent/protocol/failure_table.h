// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/outcome.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace weir::protocol {

/// Which of a refusal's words a rule looks at.
enum class Where : std::uint8_t {
    /// `type`, `code` or a further word for the kind (`Envelope::words`): equal, without regard to
    /// case.
    Word,
    /// The message (and the words of the provider behind an aggregator): contains, lower case.
    Text,
    /// Nothing but the status.
    Status,
};

struct FailureRule
{
    /// Statuses for which it holds, both included; an error inside a 200 without a status of its
    /// own has 200.
    int from;
    int to;
    Where where;
    std::string_view needle;
    Outcome outcome;
};

/// Every way in which a refusal is told apart, in order: the first rule that fits decides. The
/// words are those that providers were seen to use; texts are narrow, because a message may quote
/// the prompt.
[[nodiscard]] std::span<const FailureRule> failureRules();

} // namespace weir::protocol
