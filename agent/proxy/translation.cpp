// SPDX-License-Identifier: Apache-2.0
#include "agent/proxy/translation.h"

#include "agent/protocol/translate_request.h"

namespace weir::proxy {
namespace {

protocol::TranslationTarget targetOf(const RouteRuntime& route)
{
    const ProviderConfig& provider = route.provider->config;
    protocol::TranslationTarget target;
    target.protocol = provider.protocol;
    target.upstreamModel = route.config.upstreamModel;
    target.maxOutputTokens = route.config.maxOutputTokens;
    target.cacheMarks = route.can("cache_control");
    target.reasoning = route.can("reasoning");
    target.streamOptions = provider.streamOptions;
    if (!provider.maxTokensName.empty()) target.maxTokensName = provider.maxTokensName;
    return target;
}

protocol::ApiError refusal(std::string message)
{
    protocol::ApiError error;
    error.status = 400;
    error.type = "invalid_request_error";
    error.message = std::move(message);
    return error;
}

} // namespace

std::optional<protocol::ApiError> Translation::obstacle(const RouteRuntime& route)
{
    const bool isConversation = m_api == protocol::conversationApi(protocol::protocolOf(m_api));
    if (!isConversation) return refusal("Requests of this kind are not translated.");
    const protocol::TranslationTarget target = targetOf(route);
    const bool hasLimit = target.maxOutputTokens > 0;
    for (const Verdict& known : m_verdicts) {
        if (known.reasoning == target.reasoning && known.hasLimit == hasLimit) {
            return known.obstacle;
        }
    }
    Verdict verdict{target.reasoning, hasLimit, std::nullopt};
    if (!read()) {
        verdict.obstacle = refusal("The body is not JSON that could be translated.");
    } else {
        verdict.obstacle =
            protocol::inexpressible(protocol::protocolOf(m_api), m_tree.root(), target);
    }
    m_verdicts.push_back(verdict);
    return verdict.obstacle;
}

Result<std::string, protocol::ApiError> Translation::bodyFor(const RouteRuntime& route)
{
    if (!read()) return tl::unexpected(refusal("The body is not JSON that could be translated."));
    return protocol::translateRequest(protocol::protocolOf(m_api), m_tree.root(), targetOf(route));
}

bool Translation::read()
{
    if (!m_isRead) static_cast<void>(m_tree.readPadded(m_body));
    m_isRead = true;
    return m_tree.root().exists();
}

} // namespace weir::proxy
