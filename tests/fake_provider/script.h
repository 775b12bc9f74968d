// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/result.h"
#include "tests/fake_provider/choices.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weir::fake {

/// A log-normal spread: `sigma` is the standard deviation of the natural logarithm, 0 = fixed.
struct Spread
{
    double median = 0;
    double sigma = 0;
};

struct ToolCall
{
    std::string name;
    std::string arguments; // a JSON object as text
};

/// Pico-dollars per token, which is micro-dollars per million tokens.
struct Price
{
    std::uint64_t input = 0;
    std::uint64_t cachedInput = 0;
    std::uint64_t cacheWrite = 0;
    std::uint64_t output = 0;
};

/// What the provider does with requests from now on. Every combination is legal; the key of each
/// field, its default and its meaning stand in scriptKeys() (script_keys.h).
struct Script
{
    std::uint64_t seed = 1;
    Spread ttftS;
    double ttftCachedFactor = 1;
    Spread tokensPerS;
    Spread outputTokens{16, 0};
    std::uint64_t reasoningTokens = 0;
    std::string reasoningField = "reasoning_content";
    bool redacted = false;
    std::uint64_t chunkTokens = 1;
    std::uint64_t segmentBytes = 0;
    std::uint64_t streamBytes = 0;
    bool earlyHead = false;
    double heartbeatMs = 0;
    std::uint64_t comments = 0;
    LineEnd lineEnd = LineEnd::Lf;
    Framing framing = Framing::Usual;
    UsageStyle usage = UsageStyle::Asked;

    std::optional<std::string> text;
    bool echo = false;
    ToolUse tools = ToolUse::Auto;
    std::vector<ToolCall> toolCalls;
    std::string finishReason;

    std::optional<std::uint64_t> inputTokens;
    double tokensPerByte = 0.25;
    std::uint64_t contextTokens = 0;
    std::optional<std::uint64_t> cachedTokens;
    std::uint64_t cacheCreationTokens = 0;
    Price price;
    double cacheHitWarm = 0;
    double cacheTtlS = 300;

    double success = 1;
    int status = 200;
    double statusDelayMs = 0;
    std::vector<std::pair<std::string, std::string>> headers;
    std::optional<std::string> body;
    std::string contentType;
    std::string retryAfter;
    double capacityRps = 0;
    double queueRps = 0;
    double burst429S = 0;

    Fault fault = Fault::None;
    std::uint64_t afterChunks = 3;
    double faultShare = 1;
    std::uint64_t times = 0;
    bool listening = true;
    double idleCloseMs = 0;
    std::uint64_t requestsPerConnection = 0;

    std::string expectKey;
    std::vector<std::string> models;
    std::vector<std::string> rejectParams;
    bool strict = false;
    std::vector<std::string> strictAlso;
    std::vector<std::string> betas;
    bool prefill = true;
    std::uint64_t keepRequests = 64;
    std::uint64_t keepBytes = 64u << 20;
};

/// Reads a whole script; keys that are absent keep their defaults. Error code "bad_script" names
/// the first wrong or every unknown key.
[[nodiscard]] Result<Script> readScript(const nlohmann::json& document);

} // namespace weir::fake
