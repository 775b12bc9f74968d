// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/secret.h"
#include "common/model/limits.h"
#include "common/model/price.h"
#include "common/model/provider_config.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

/// The configuration file of an agent (contract section 4): facts about connections, kept in
/// version control. A whole validated `Config` is one immutable snapshot; a reload swaps it.

struct Endpoint
{
    std::string host;
    std::uint16_t port = 0;

    bool operator==(const Endpoint&) const = default;
};

struct AgentConfig
{
    Endpoint listen{"127.0.0.1", 8790};
    Endpoint adminListen{"127.0.0.1", 8791};
    std::string service = "default";
    int threads = 1;
    std::string clientKeysEnv;
    /// The accepted client keys themselves; empty = loopback only, no key.
    std::vector<Secret> clientKeys;
    /// Whose pages may use the data plane from a browser: "https://app.example", or "*" for all.
    std::vector<std::string> corsOrigins;
    std::string adminTokenEnv;
    /// Needed where the admin address is not loopback.
    Secret adminToken;
    /// Values of `anthropic-beta` that a request can do without: where a provider does not allow
    /// one it is left out, instead of the provider. As `ProviderConfig::betas`.
    std::vector<std::string> optionalBetas;
};

struct StoreConfig
{
    std::string url = "sqlite:";
    std::string redis;
};

struct RouteConfig
{
    std::string provider;
    std::string upstreamModel;
    std::string region;
    std::optional<Price> price;
    std::int64_t contextTokens = 0;
    std::int64_t maxOutputTokens = 0;
    std::vector<std::string> capabilities;
    std::vector<std::string> terms;

    /// "baseten/zai-org/GLM-5.2@us"; without a region, no "@".
    [[nodiscard]] std::string name() const;
};

struct ModelConfig
{
    std::string name;
    /// Provider names, all of this model's routes, each once.
    std::vector<std::string> fixedOrder;
    std::vector<RouteConfig> routes;
};

enum class MidStream : std::uint8_t { Error, Restart, Continue };

[[nodiscard]] std::string_view toWord(MidStream policy);

/// Levels of the degradation ladder (contract section 2): the first choice, an equivalent,
/// something smaller, an answer that no model makes, an honest failure.
inline constexpr int kLevelAnswer = 3;
inline constexpr int kLevelFailure = 4;

struct TaskConfig
{
    std::string name;
    /// The ladder, best first: the first is L0, the second L1, all further ones L2.
    std::vector<std::string> models;
    /// The model whose route is a retrieval or cache endpoint (L3); empty = none.
    std::string answerModel;
    /// What a caller is told where nothing of all that could serve (L4); empty = the provider's own
    /// words.
    std::string failureText;
    /// When to come back, where no provider has said so.
    std::optional<std::chrono::seconds> failureRetryAfter;
    /// A worse answer than this is not wanted: 0 to 4.
    int lowestLevel = kLevelFailure;
    std::chrono::milliseconds deadline{60000};
    double qualityFloor = 0.0;
    MidStream midStream = MidStream::Error;
    bool hedge = false;
};

struct Config
{
    AgentConfig agent;
    StoreConfig store;
    std::map<std::string, ProviderConfig, std::less<>> providers;
    std::map<std::string, ModelConfig, std::less<>> models;
    /// Always holds "default".
    std::map<std::string, TaskConfig, std::less<>> tasks;
    TimingConfig timing;
    LimitsConfig limits;
};

} // namespace weir
