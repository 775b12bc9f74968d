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
enum class Endpoint { Chat, Responses, Embeddings, Models };

/// What the request's head says about who sent it.
struct Caller
{
    std::string key;     // Authorization: Bearer, or x-api-key
    std::string version; // anthropic-version
    std::string betas;   // anthropic-beta
};

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
    std::string prefill; // text of an assistant message that stands last
    std::uint64_t inputTokens = 0;
    std::uint64_t embeddingInputs = 1;
    bool base64Embeddings = false;
    bool encryptedReasoning = false; // Responses: asked for by `include`
    std::vector<PromptPrefix> prefixes;
    // The tool that tool_choice names, or else the first; its arguments satisfy its schema.
    std::optional<ToolCall> tool;
    bool toolDemanded = false;
    std::uint64_t toolResults = 0;
    bool toolAnswered = false;           // the last message is a tool's result
    std::string schemaAnswer;            // JSON that satisfies the schema asked for, if one is
    std::vector<std::string> parameters; // the body's top-level keys
};

/// Any base path may stand before the protocol's own path. Error code "not_found".
[[nodiscard]] Result<Ask> askOf(std::string_view path);

/// Fills `ask` from the body. Error code "bad_request", `where` is the parameter.
[[nodiscard]] Status<> readBody(std::string_view body, Ask& ask);

} // namespace weir::fake
