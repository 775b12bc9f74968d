// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/config.h"

#include <string>
#include <string_view>
#include <vector>

namespace weir::proxy {

/// What of the client's betas may go to a provider (wire case B138): a beta changes what a request
/// means, so one that a provider does not know must neither be sent nor dropped in silence.
struct BetaChoice
{
    /// For the field `anthropic-beta`; empty = no such field.
    std::string forwarded;
    /// The first one that the request cannot do without and the provider does not allow; then it
    /// may not serve the request.
    std::string_view missing;
};

/// `optional` are those that may be left out (`agent.optional_betas`).
[[nodiscard]] BetaChoice betasFor(
    std::string_view list,
    const ProviderConfig& provider,
    const std::vector<std::string>& optional);

} // namespace weir::proxy
