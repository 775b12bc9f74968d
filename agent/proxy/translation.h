// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/api.h"
#include "agent/protocol/errors.h"
#include "agent/protocol/json_tree.h"
#include "agent/proxy/runtime.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::proxy {

/// A request as the routes of the other protocol would get it. It is read when the first such route
/// is looked at, and written only for the route that gets it. The body must stay in place.
class Translation final
{
public:
    Translation(protocol::Api api, std::string_view body)
        : m_api(api)
        , m_body(body)
    {
    }

    /// What of the request the route's protocol cannot express; nothing where all of it can be. Not
    /// for routes of the client's own protocol.
    [[nodiscard]] std::optional<protocol::ApiError> obstacle(const RouteRuntime& route);

    /// The whole body for a route without an obstacle.
    [[nodiscard]] Result<std::string, protocol::ApiError> bodyFor(const RouteRuntime& route);

private:
    /// Routes that differ in nothing that could be an obstacle have one verdict.
    struct Verdict
    {
        bool reasoning = false;
        bool hasLimit = false;
        std::optional<protocol::ApiError> obstacle;
    };

    [[nodiscard]] bool read();

    protocol::Api m_api;
    std::string_view m_body;
    bool m_isRead = false;
    protocol::json::Tree m_tree;
    std::vector<Verdict> m_verdicts;
};

} // namespace weir::proxy
