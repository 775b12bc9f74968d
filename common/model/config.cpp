// SPDX-License-Identifier: Apache-2.0
#include "common/model/config.h"

namespace weir {

std::string_view toWord(Protocol protocol)
{
    return protocol == Protocol::OpenAi ? "openai" : "anthropic";
}

std::string_view toWord(MidStream policy)
{
    switch (policy) {
    case MidStream::Error:
        return "error";
    case MidStream::Restart:
        return "restart";
    case MidStream::Continue:
        return "continue";
    }
    return "error";
}

std::string_view toWord(Priority priority)
{
    return priority == Priority::Batch ? "batch" : "interactive";
}

std::optional<Priority> priorityFromWord(std::string_view word)
{
    for (const Priority priority : {Priority::Interactive, Priority::Batch}) {
        if (toWord(priority) == word) return priority;
    }
    return std::nullopt;
}

std::string RouteConfig::name() const
{
    return provider + '/' + upstreamModel + (region.empty() ? "" : '@' + region);
}

} // namespace weir
