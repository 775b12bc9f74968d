// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/protocol/splice.h"
#include "agent/proxy/client_request.h"
#include "agent/proxy/runtime.h"

#include <string>
#include <string_view>
#include <vector>

namespace weir::proxy {

/// One attempt's request, made from the route's own record and the untouched body of the client
/// (wire case B011). Refers to the body; copies nothing of it.
class UpstreamRequest final
{
public:
    UpstreamRequest(
        const ClientRequest& request,
        const protocol::RequestFacts& facts,
        std::string_view body,
        const RouteRuntime& route);

    /// Head and body in order, for a gathered write.
    void appendPieces(std::vector<std::string_view>& pieces) const;

private:
    std::string_view m_body;
    std::vector<protocol::Splice> m_splices;
    std::string m_head;
};

} // namespace weir::proxy
