// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/outcome.h"

#include <string_view>

namespace weir::protocol {

/// How each protocol calls a failure, for clients whose provider does not speak their protocol or
/// says nothing. All are literals.
struct FailureWords
{
    std::string_view openAiType;
    /// Empty = none.
    std::string_view openAiCode;
    /// Empty = as the status says (`errorBody`).
    std::string_view anthropicType;
};

[[nodiscard]] FailureWords failureWords(Outcome outcome);

} // namespace weir::protocol
