// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/config.h"

#include <cstdint>

namespace weir::protocol {

/// The calls of the data plane (contract section 2), each with its own shape of request, answer and
/// stream. The last two exist in OpenAI's protocol alone and are passed through, never translated.
enum class Api : std::uint8_t { ChatCompletions, Messages, Responses, Embeddings };

[[nodiscard]] constexpr Protocol protocolOf(Api api)
{
    return api == Api::Messages ? Protocol::Anthropic : Protocol::OpenAi;
}

/// How a conversation is asked for in that protocol.
[[nodiscard]] constexpr Api conversationApi(Protocol protocol)
{
    return protocol == Protocol::Anthropic ? Api::Messages : Api::ChatCompletions;
}

} // namespace weir::protocol
