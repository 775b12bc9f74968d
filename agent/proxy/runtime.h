// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/fleet/route_states.h"
#include "agent/net/connect.h"
#include "agent/protocol/tokenizer.h"
#include "common/base/result.h"
#include "common/model/config.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace weir::proxy {

/// A provider, ready to be called.
struct ProviderRuntime
{
    ProviderConfig config;
    net::Remote remote;
    /// The fields that every request to it carries: Host, the key, the agent's name.
    std::string fields;
};

struct RouteRuntime
{
    RouteConfig config;
    std::string name;
    std::size_t fixedPosition = 0;
    std::shared_ptr<const ProviderRuntime> provider;
    std::shared_ptr<fleet::RouteState> state;
    /// Null where none is named.
    std::shared_ptr<const protocol::Tokenizer> tokenizer;

    /// The configuration says so.
    [[nodiscard]] bool can(std::string_view capability) const;
};

struct ModelRuntime
{
    std::string name;
    std::vector<RouteRuntime> routes;
    /// Of the routes, in their order.
    std::vector<std::string> providers;
    /// Counts the model's requests.
    std::shared_ptr<std::atomic<std::int64_t>> requests;
};

/// One configuration, made ready for the data plane. Immutable; a reload builds a new one, and each
/// request keeps the one that it began with.
struct Runtime
{
    std::shared_ptr<const Config> config;
    std::map<std::string, ModelRuntime, std::less<>> models;

    /// All host names of providers.
    [[nodiscard]] std::set<std::string> hosts() const;
};

/// Error: a CA file or a tokenizer that cannot be read.
[[nodiscard]] Result<std::shared_ptr<const Runtime>>
makeRuntime(std::shared_ptr<const Config> config, fleet::RouteStates& states, Instant now);

} // namespace weir::proxy
