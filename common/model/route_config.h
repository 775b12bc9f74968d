// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/price.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace weir {

/// What the provider's contract allows, known before any 429 has told it; 0 = not known.
struct Quota
{
    /// Thousandths of a request per second.
    std::int64_t milliRps = 0;
    /// Input and output together.
    std::int64_t tokensPerMinute = 0;

    [[nodiscard]] bool known() const { return milliRps > 0 || tokensPerMinute > 0; }

    bool operator==(const Quota&) const = default;
};

/// What a server of the operator's own can do at once.
struct Capacity
{
    /// Attempts under way; 0 = no limit.
    int inFlightMax = 0;
    /// Requests that may wait for one of them to end; the others go elsewhere at once.
    int queueMax = 0;

    bool operator==(const Capacity&) const = default;
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
    Quota quota;
    Capacity capacity;
    /// A tokenizer's file; empty = token counts are bounded by what was observed.
    std::string tokenizer;

    bool operator==(const RouteConfig&) const = default;

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

} // namespace weir
