// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/signs.h"
#include "common/model/status.h"

#include <QString>

#include <vector>

namespace weir::model {

/// One figure of the Live page.
struct Tile
{
    QString caption;
    QString value;
    QString detail;
    Tone tone = Tone::Neutral;

    bool operator==(const Tile&) const = default;
};

/// The figures of one model, in their fixed order; `model` may be nothing: all values are unknown
/// then.
[[nodiscard]] std::vector<Tile> liveTiles(const AgentStatus* status, const ModelStatus* model);

/// The leader for the default task type, or for the only one there is.
[[nodiscard]] std::string leaderOf(const ModelStatus& model);

} // namespace weir::model
