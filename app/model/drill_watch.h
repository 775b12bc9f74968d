// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/asked.h"
#include "app/model/console.h"
#include "common/model/drill_status.h"

#include <QObject>

#include <optional>
#include <vector>

namespace weir::model {

/// A drill that acts now, or is about to begin or to end.
struct RunningDrill
{
    Drill drill;
    /// As one agent sees it.
    std::optional<DrillCounts> counts;
    /// Its end is written; agents have not all read it.
    bool isEnding = false;

    /// "Drill on baseten of glm-5.2: its breaker is open · 7 m 12 s left · by maria".
    [[nodiscard]] QString text(UtcTime now) const;
};

/// The drills that run, by what the agent says and, where it says nothing, by the store.
class DrillWatch final : public QObject
{
    Q_OBJECT

public:
    explicit DrillWatch(Console& console, QObject* parent = nullptr);

    /// Each second: asks the store where its answer grew old.
    void refresh();

    /// The one that ends first goes first.
    [[nodiscard]] std::vector<RunningDrill> running() const;

signals:
    void changed();

private:
    Console& m_console;
    Asked<std::vector<Drill>> m_open;
    UtcTime m_askedAt{};
};

/// "7 m 12 s", "12 s": for what is counted down.
[[nodiscard]] QString countdown(Duration left);

} // namespace weir::model
