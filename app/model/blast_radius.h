// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/provider_state.h"
#include "common/model/status.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace weir::model {

/// A route that takes over, the first choice first; requests a second.
struct BlastTarget
{
    QString provider;
    double usedRps = 0.0;
    /// The smallest of quota, learned ceiling and permitted rate; nothing where none is known.
    std::optional<double> limitRps;
    ProviderState state;

    [[nodiscard]] std::optional<double> roomRps() const;
};

/// What it would mean to take a share of a route's requests away, by the last minute.
struct BlastRadius
{
    double movedRps = 0.0;
    /// Of the model's requests.
    std::optional<double> share;
    std::vector<BlastTarget> targets;

    /// Nothing where the limit of some target is not known.
    [[nodiscard]] std::optional<double> roomRps() const;
};

/// `share`: of the route's requests, 0 to 1.
[[nodiscard]] BlastRadius
blastRadius(const ModelStatus& model, const std::string& provider, double share, UtcTime now);

/// Requests moved, where to, headroom there: a line each.
[[nodiscard]] QStringList radiusLines(const BlastRadius& radius, const QString& model);

} // namespace weir::model
