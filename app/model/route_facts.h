// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/provider_knowledge.h"
#include "app/model/provider_state.h"
#include "app/model/signs.h"
#include "common/model/status.h"

#include <QString>

#include <optional>
#include <vector>

namespace weir::model {

/// One line about a route: what, and how it stands, in words.
struct RouteFact
{
    QString name;
    QString value;
    Tone tone = Tone::Neutral;
    /// Before the value, where the tone alone would carry the meaning.
    std::optional<Glyph> glyph;

    bool operator==(const RouteFact&) const = default;
};

struct RouteFactGroup
{
    QString title;
    std::vector<RouteFact> facts;

    bool operator==(const RouteFactGroup&) const = default;
};

/// All that the console knows when somebody looks at one route; `known` is null where the store
/// has not answered.
struct RouteScene
{
    const AgentStatus* status = nullptr;
    const ModelStatus* model = nullptr;
    const RouteStatus* route = nullptr;
    const ProviderKnowledge* known = nullptr;
    const History* history = nullptr;
    /// Where cuts of the permitted rate are looked for.
    Span range;
    UtcTime now{};
};

/// The route's state with every reason that anybody knows: live, of the store, of drills and
/// alerts.
[[nodiscard]] ProviderState fullState(const RouteScene& scene);

/// State, permitted rate, breaker, quota, price, cache, learning, the last 24 hours, eligibility.
[[nodiscard]] std::vector<RouteFactGroup> routeFacts(const RouteScene& scene);

/// What only the store knows: the second half of `routeFacts`.
[[nodiscard]] std::vector<RouteFactGroup> learnedFacts(const RouteScene& scene);

/// "Full failover needs 2.7× what the others are known to bear".
[[nodiscard]] RouteFact failoverFact(const ModelStatus& model, const std::string& provider);

/// "$0.60 / $2.20": dollars per million tokens, exact to the price card's figures.
[[nodiscard]] QString priceText(std::int64_t picoPerToken);

/// "a, b, c" of texts from outside; unknown where there are none.
[[nodiscard]] QString listed(const std::vector<std::string>& names);

} // namespace weir::model
