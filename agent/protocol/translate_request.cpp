// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/translate_request.h"

#include "agent/protocol/json_writer.h"
#include "agent/protocol/refusal.h"
#include "agent/protocol/translation.h"
#include "common/base/assert.h"

namespace weir::protocol {
namespace {

/// What the target's way to say things may add to a request of a few messages.
constexpr std::size_t kGrowthBytes = 1024;

std::optional<ApiError> translate(
    Protocol client,
    const json::Node& request,
    const TranslationTarget& target,
    json::Writer& writer)
{
    WEIR_ASSERT(client != target.protocol);
    Refusal refusal(target.protocol);
    const Translation to{writer, target, refusal};
    const bool done = client == Protocol::OpenAi ? toAnthropic(request, to) : toOpenAi(request, to);
    WEIR_ASSERT(done != refusal.error().has_value());
    return refusal.error();
}

} // namespace

std::optional<ApiError>
inexpressible(Protocol client, const json::Node& request, const TranslationTarget& target)
{
    json::Writer nowhere;
    return translate(client, request, target, nowhere);
}

Result<std::string, ApiError>
translateRequest(Protocol client, const json::Node& request, const TranslationTarget& target)
{
    std::string body;
    body.reserve(request.raw().size() + kGrowthBytes);
    json::Writer writer(body);
    if (auto error = translate(client, request, target, writer)) {
        return tl::unexpected(std::move(*error));
    }
    return body;
}

} // namespace weir::protocol
