// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/splice.h"
#include "agent/proxy/client_request.h"
#include "agent/proxy/runtime.h"
#include "agent/proxy/translation.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::proxy {

/// One attempt's request, made from the route's own record and the untouched body of the client
/// (wire case B011). Refers to the body; copies nothing of it where both speak one protocol.
class UpstreamRequest final
{
public:
    /// The error is the client's (400): something that the route's protocol cannot express.
    [[nodiscard]] static Result<UpstreamRequest, protocol::ApiError> make(
        const ClientRequest& request,
        const protocol::RequestFacts& facts,
        std::string_view body,
        const RouteRuntime& route,
        Translation& translation,
        const std::vector<std::string>& optionalBetas);

    /// Head and body in order, for a gathered write.
    void appendPieces(std::vector<std::string_view>& pieces) const;

private:
    UpstreamRequest() = default;

    std::string_view m_body;
    std::vector<protocol::Splice> m_splices;
    /// The body in the route's protocol, where that is another one.
    std::optional<std::string> m_translated;
    std::string m_head;
};

} // namespace weir::proxy
