// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/fake_provider/draws.h"
#include "tests/fake_provider/plan.h"

namespace weir::fake {

/// What this provider's tokenizer makes of the whole prompt.
[[nodiscard]] std::uint64_t inputTokens(const Script& script, const Ask& ask);

/// Fills in what a good answer says, what it costs and how long it takes. `cached` is what a cache
/// would give of the prompt, in tokens.
void fillAnswer(
    const Script& script, const Ask& ask, std::uint64_t cached, Draws& random, Plan& plan);

} // namespace weir::fake
