// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/classify.h"
#include "agent/protocol/errors.h"
#include "common/model/config.h"

namespace weir::protocol {

/// The error of a provider that speaks `from`, as a client that speaks `to` expects it (contract
/// section 2, "Translated errors"); unchanged where both are the same, but for an overflow. The
/// type says what kind of failure it was; status and words stay the provider's.
///
/// A context overflow gets the words by which clients know that they must compact (wire cases B040,
/// B041), for each server has its own and few of them are read by anybody:
/// OpenAI's `invalid_request_error` / `context_length_exceeded` with the provider's message,
/// Anthropic's "prompt is too long: X tokens > Y maximum". A parameter gets the client's name for
/// it; a place inside `messages` only that name, because the translated list is another one than
/// the client's. Anthropic has no member for it, so there it stands before the message.
[[nodiscard]] ApiError translated(const Failure& failure, Protocol from, Protocol to);

} // namespace weir::protocol
