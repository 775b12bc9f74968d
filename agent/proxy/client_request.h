// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/http/head.h"
#include "agent/protocol/api.h"
#include "common/model/config.h"
#include "common/model/decision_input.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir::proxy {

/// The paths of the data plane.
enum class ApiPath : std::uint8_t {
    ChatCompletions,
    Messages,
    Responses,
    Embeddings,
    Models,
    Unknown
};

/// What Weir keeps of a client's head once its bytes are gone.
struct ClientRequest
{
    ApiPath endpoint = ApiPath::Unknown;
    /// The protocol whose error shape the client understands.
    Protocol protocol = Protocol::OpenAi;
    bool methodMatches = true;
    /// HEAD: the answer is its head alone.
    bool headOnly = false;
    /// A browser asks whether a page may send its request (`[agent] cors_origins`).
    bool preflight = false;
    /// For the head of every answer to this request, as lines.
    std::string cors;
    bool authorised = true;
    bool keepAlive = true;
    bool expectContinue = false;
    int versionMinor = 1;
    http::Framing framing = http::Framing::None;
    std::uint64_t contentLength = 0;
    /// With its question mark, as sent; goes upstream.
    std::string query;
    /// The client's fields that may go upstream, as lines.
    std::string forwarded;
    bool hasAnthropicVersion = false;
    /// All its `anthropic-beta` fields, joined by commas; which of them go upstream depends on the
    /// provider.
    std::string betas;

    /// Cleaned, at most 256 characters; empty = not given.
    std::string taskId;
    std::string taskType;
    std::string conversation;
    std::string regions;
    std::string terms;
    std::optional<std::chrono::milliseconds> deadline;
    /// `X-Weir-Priority`; without it the task type says it.
    std::optional<Priority> priority;
    /// Whose key it came with; where no key is asked for, `X-Weir-Caller`; empty = nobody says.
    std::string caller;
    /// `X-Weir-Lowest-Level`: a worse answer is not wanted.
    std::optional<int> lowestLevel;
    bool singleShot = false;
    /// `X-Weir-Eval: true`: asked by an eval run, nobody waits for it.
    bool eval = false;
    std::optional<SortBy> sort;
    /// The answer is to say how it was routed (`X-Weir-Metadata: enabled`).
    bool metadata = false;
    /// A field whose value makes no sense and must not be guessed at, empty = none; what it may
    /// hold.
    std::string_view badField;
    std::string_view badFieldWants;
};

/// Of a path that routes serve: which call it is.
[[nodiscard]] protocol::Api apiOf(ApiPath path);

/// What that path is served for: "POST" or "GET, HEAD".
[[nodiscard]] std::string_view methodsOf(ApiPath path);

/// Reads the fields once. Client keys are compared in constant time with all of `config`'s.
[[nodiscard]] ClientRequest readClientRequest(const http::RequestHead& head, const Config& config);

} // namespace weir::proxy
