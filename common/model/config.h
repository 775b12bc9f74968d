// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/base/secret.h"
#include "common/model/limits.h"
#include "common/model/provider_config.h"
#include "common/model/route_config.h"
#include "common/model/task_config.h"

#include <cstdint>
#include <map>
#include <string>
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
    /// Of each of `clientKeys` its variable's name: what the key's owner is called.
    std::vector<std::string> clientKeyNames;
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
    /// Instead of a password in `redis`; empty = the one there, or none.
    std::string redisPasswordEnv;
    Secret redisPassword;
    /// How long calls are kept, 1 to 3650; the agents of a store should say the same.
    int ledgerDays = 90;
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
