// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/request.h"
#include "agent/proxy/attempt_result.h"
#include "common/routing/pool_view.h"

#include <cstdint>

namespace weir::proxy {

/// Tokens that a request will probably take of a quota, input and output. What a caller allows an
/// answer at most is no guide where it is more than answers of the pool usually take: clients tend
/// to allow the most there is.
[[nodiscard]] std::int64_t
expectedTokens(const protocol::RequestFacts& facts, const routing::PoolView& pool);

/// What an attempt took in the end: a refusal nothing, and where nobody says, what was expected.
[[nodiscard]] std::int64_t usedTokens(const AttemptResult& result, std::int64_t expected);

} // namespace weir::proxy
