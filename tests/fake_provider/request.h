// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/fake_provider/script.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::fake {

enum class Protocol { OpenAi, Anthropic };
enum class Endpoint { Chat, Embeddings, Models };

/// The prompt up to the end of one message: a hash of its bytes and its length in tokens.
struct PromptPrefix
{
    std::uint64_t hash = 0;
    std::uint64_t tokens = 0;
};

/// What a request asks for, as far as a provider that only pretends to think has to know.
struct Ask
{
    Endpoint endpoint = Endpoint::Chat;
    Protocol protocol = Protocol::OpenAi;
    std::string model;
    bool stream = false;
    bool includeUsage = false;
    std::optional<std::uint64_t> maxTokens;
    std::string lastUserText;
    std::uint64_t inputTokens = 0;
    std::uint64_t embeddingInputs = 1;
    std::vector<PromptPrefix> prefixes;
    std::optional<ToolCall> firstTool; // with arguments that satisfy its schema's required names
    bool toolDemanded = false;
    bool toolAnswered = false;
    std::vector<std::string> parameters; // the body's top-level keys
};

/// Any base path may stand before the protocol's own path. Error code "not_found".
[[nodiscard]] Result<Ask> askOf(std::string_view path);

/// Fills `ask` from the body. Error code "bad_request", `where` is the parameter.
[[nodiscard]] Status<> readBody(std::string_view body, Ask& ask);

} // namespace weir::fake
