// SPDX-License-Identifier: Apache-2.0
#include "agent/proxy/upstream_request.h"

#include "agent/http/write.h"

namespace weir::proxy {
namespace {

constexpr std::string_view kAnthropicVersion = "2023-06-01";

} // namespace

UpstreamRequest::UpstreamRequest(
    const ClientRequest& request,
    const protocol::RequestFacts& facts,
    std::string_view body,
    const RouteRuntime& route)
    : m_body(body)
{
    const ProviderRuntime& provider = *route.provider;
    const Protocol protocol = provider.config.protocol;
    m_splices = protocol::upstreamSplices(
        protocol, facts, route.config.upstreamModel, provider.config.streamOptions, {});
    const bool anthropic = protocol == Protocol::Anthropic;
    std::string target = provider.config.baseUrl.path;
    target += anthropic ? "/messages" : "/chat/completions";
    target += request.query;
    m_head.reserve(256 + provider.fields.size() + request.forwarded.size());
    http::appendRequestLine(m_head, "POST", target);
    m_head += provider.fields;
    m_head += request.forwarded;
    if (anthropic && !request.hasAnthropicVersion) {
        http::appendField(m_head, "anthropic-version", kAnthropicVersion);
    }
    http::appendField(
        m_head, "Content-Length", std::uint64_t{protocol::splicedSize(m_body, m_splices)});
    http::appendBlankLine(m_head);
}

void UpstreamRequest::appendPieces(std::vector<std::string_view>& pieces) const
{
    pieces.push_back(m_head);
    protocol::appendPieces(m_body, m_splices, pieces);
}

} // namespace weir::proxy
