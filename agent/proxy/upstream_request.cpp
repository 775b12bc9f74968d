// SPDX-License-Identifier: Apache-2.0
#include "agent/proxy/upstream_request.h"

#include "agent/http/write.h"
#include "agent/proxy/betas.h"

namespace weir::proxy {
namespace {

constexpr std::string_view kAnthropicVersion = "2023-06-01";

std::string_view pathOf(protocol::Api api)
{
    switch (api) {
    case protocol::Api::Messages:
        return "/messages";
    case protocol::Api::Responses:
        return "/responses";
    case protocol::Api::Embeddings:
        return "/embeddings";
    case protocol::Api::ChatCompletions:
        break;
    }
    return "/chat/completions";
}

/// The fields by which a protocol tells its versions apart: only those of the upstream's own.
void appendVersions(
    std::string& head,
    const ClientRequest& request,
    const ProviderConfig& provider,
    const std::vector<std::string>& optionalBetas)
{
    if (provider.protocol == request.protocol) head += request.forwarded;
    if (provider.protocol != Protocol::Anthropic) return;
    if (!request.hasAnthropicVersion || provider.protocol != request.protocol) {
        http::appendField(head, "anthropic-version", kAnthropicVersion);
    }
    if (request.betas.empty()) return;
    const BetaChoice betas = betasFor(request.betas, provider, optionalBetas);
    if (!betas.forwarded.empty()) http::appendField(head, "anthropic-beta", betas.forwarded);
}

} // namespace

Result<UpstreamRequest, protocol::ApiError> UpstreamRequest::make(
    const ClientRequest& request,
    const protocol::RequestFacts& facts,
    std::string_view body,
    const RouteRuntime& route,
    Translation& translation,
    const std::vector<std::string>& optionalBetas)
{
    const ProviderRuntime& provider = *route.provider;
    const Protocol protocol = provider.config.protocol;
    const bool same = protocol == request.protocol;
    const protocol::Api api = same ? apiOf(request.endpoint) : protocol::conversationApi(protocol);
    UpstreamRequest upstream;
    upstream.m_body = body;
    if (same) {
        upstream.m_splices = protocol::upstreamSplices(
            protocol,
            facts,
            route.config.upstreamModel,
            provider.config.streamOptions,
            provider.config.maxTokensName);
    } else {
        auto translated = translation.bodyFor(route);
        if (!translated) return tl::unexpected(std::move(translated.error()));
        upstream.m_translated = std::move(*translated);
    }
    std::string target = provider.config.baseUrl.path;
    target += pathOf(api);
    // "?beta=true" and the like are words of the client's protocol.
    if (same) target += request.query;
    std::string& head = upstream.m_head;
    head.reserve(256 + provider.fields.size() + request.forwarded.size());
    http::appendRequestLine(head, "POST", target);
    head += provider.fields;
    appendVersions(head, request, provider.config, optionalBetas);
    const std::size_t size =
        same ? protocol::splicedSize(body, upstream.m_splices) : upstream.m_translated->size();
    http::appendField(head, "Content-Length", std::uint64_t{size});
    http::appendBlankLine(head);
    return upstream;
}

void UpstreamRequest::appendPieces(std::vector<std::string_view>& pieces) const
{
    pieces.push_back(m_head);
    if (m_translated) {
        pieces.push_back(*m_translated);
    } else {
        protocol::appendPieces(m_body, m_splices, pieces);
    }
}

} // namespace weir::proxy
