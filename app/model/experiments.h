// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/reports/agreement.h"
#include "agent/store/quality_store.h"
#include "app/model/asked.h"
#include "app/model/console.h"
#include "app/model/experiment_rows.h"
#include "app/model/grid.h"
#include "app/model/tiles.h"
#include "common/quality/mirror_report.h"

#include <QObject>

#include <chrono>
#include <vector>

namespace weir::model {

/// What the store knows of routing that was tried without anybody being served by it: shadow mode,
/// copies for comparison, eval runs.
class Experiments final : public QObject
{
    Q_OBJECT

public:
    explicit Experiments(Console& console, QObject* parent = nullptr);

    /// Reads shadow and copies of so much time up to now, and the newest eval runs.
    void show(std::chrono::hours length);
    /// Reads again.
    void read();
    /// Reads again where what is shown is old.
    void refresh();

    [[nodiscard]] std::chrono::hours length() const { return m_length; }

    [[nodiscard]] bool isReading() const;

    [[nodiscard]] PanelState shadowPanel() const;
    [[nodiscard]] PanelState mirrorPanel() const;
    [[nodiscard]] PanelState evalPanel() const;

    [[nodiscard]] std::vector<Tile> tiles() const { return shadowTiles(m_shadow.value()); }

    [[nodiscard]] Grid& shadow() { return m_shadowGrid; }

    [[nodiscard]] Grid& mirror() { return m_mirrorGrid; }

    [[nodiscard]] Grid& evals() { return m_evalGrid; }

    /// What the estimates are made of; where only the newest decisions were read, that.
    [[nodiscard]] QString shadowText() const;
    /// Why the report with this key says what it says; of the first one where there is none.
    [[nodiscard]] QString mirrorText(const QString& key) const;

signals:
    void changed();

private:
    struct Evals
    {
        std::vector<store::EvalRunRow> runs;
        std::vector<QualityScore> scores;
    };

    void showAll();

    Console& m_console;
    std::chrono::hours m_length{24};
    UtcTime m_askedAt{};
    Asked<reports::Agreement> m_shadow;
    Asked<std::vector<quality::MirrorReport>> m_mirror;
    Asked<Evals> m_evals;
    Grid m_shadowGrid;
    Grid m_mirrorGrid;
    Grid m_evalGrid;
};

} // namespace weir::model
