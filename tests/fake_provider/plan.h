// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/fake_provider/request.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace weir::fake {

using Clock = std::chrono::steady_clock;

[[nodiscard]] inline Clock::duration seconds(double value)
{
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(value));
}

/// Token counts of one answer. `input` is the whole prompt, cached tokens among it.
struct Usage
{
    std::uint64_t input = 0;
    std::uint64_t cached = 0;
    std::uint64_t created = 0;
    std::uint64_t output = 0; // reasoning and tool calls among it
    std::uint64_t reasoning = 0;
};

/// One answer, decided whole before its first byte is sent.
struct Plan
{
    std::uint64_t number = 0; // of the request, from 1; ids are made of it
    Endpoint endpoint = Endpoint::Chat;
    Protocol protocol = Protocol::OpenAi;
    std::string model;
    bool stream = false;
    bool includeUsage = false;
    int status = 200;
    std::string errorCode; // of a status that is not 200, where the status alone is not enough
    std::string errorMessage;
    std::string errorParam;
    std::string retryAfter;
    Fault fault = Fault::None;
    Clock::duration delay{};        // until the first token, or until the status answer
    double tokensPerS = 0;          // 0 = as fast as possible
    std::vector<std::string> words; // the text, token by token, if it is not generated
    std::uint64_t textTokens = 0;
    std::vector<ToolCall> calls;
    std::string finishReason; // in OpenAI's words unless scripted
    std::uint64_t embeddings = 0;
    bool base64Embeddings = false;
    std::string reasoningField;
    bool redacted = false;
    bool encryptedReasoning = false;
    std::uint64_t issuer = 0; // who signs the reasoning: the script's seed
    Usage usage;
};

/// Tokens `from` to `to` (exclusive) of the plan's text. Some words of the generated text are not
/// ASCII, so that every byte split of a stream is a test of UTF-8 handling too.
[[nodiscard]] std::string textOf(const Plan& plan, std::uint64_t from, std::uint64_t to);

/// All of the reasoning, and one token of it.
[[nodiscard]] std::string reasoningOf(const Plan& plan);
inline constexpr std::string_view kReasoningToken = " hm";

/// What only `issuer` can give out for that reasoning: it goes back unchanged, or is refused.
[[nodiscard]] std::string signatureOf(std::string_view reasoning, std::uint64_t issuer);

/// The text cut before each space; nothing is lost.
[[nodiscard]] std::vector<std::string> wordsOf(std::string_view text);

} // namespace weir::fake
