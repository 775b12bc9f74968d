// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/model/config.h"
#include "common/model/decision_input.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weir::routing {

/// What one request demands of a route. Views hold for the call.
struct Demands
{
    /// Words of `RouteConfig::capabilities` that the request cannot do without.
    std::vector<std::string_view> capabilities;
    /// Any one of these regions will do; empty = any region.
    std::vector<std::string_view> regions;
    /// All of these contract terms are needed.
    std::vector<std::string_view> terms;
    /// One of these terms is needed; empty = none is.
    std::vector<std::string_view> anyTerm;
    /// Provider names, in any case; of "name/variant" the name. Where `only` is not empty, no other
    /// may serve.
    std::vector<std::string_view> only;
    std::vector<std::string_view> ignore;
    /// The route must be able to give an answer so long; 0 = any.
    std::int64_t answerTokens = 0;
    /// In micro-dollars per million tokens; a route of unknown price exceeds every limit.
    std::optional<std::int64_t> maxInputPrice;
    std::optional<std::int64_t> maxOutputPrice;
};

/// Whether a caller's name for a provider means this one.
[[nodiscard]] bool meansProvider(std::string_view name, std::string_view provider);

/// "its protocol", "a capability", … : the part of a sentence that names the rule.
[[nodiscard]] std::string_view describe(Exclusion exclusion);

/// The first rule, in the order of the enumeration, that removes the route; the length of the
/// prompt apart, which comes after all others (context_fit.h). `expressible`: the request can be
/// told in the route's protocol.
[[nodiscard]] Exclusion
exclusionOf(const RouteConfig& route, bool expressible, bool enabled, const Demands& demands);

} // namespace weir::routing
