// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/console.h"
#include "app/model/experiments.h"
#include "app/view/grid_view.h"
#include "app/view/message_bar.h"
#include "app/view/page.h"
#include "app/view/pieces.h"
#include "app/view/theme.h"
#include "app/view/tile_view.h"

class QComboBox;
class QLabel;

namespace weir::view {

/// Shadow mode, copies for comparison and eval runs: what was tried without serving anybody.
class ExperimentsPage final : public Page
{
    Q_OBJECT

public:
    ExperimentsPage(const Theme& theme, model::Console& console, QWidget* parent = nullptr);

    void refresh() override;
    [[nodiscard]] std::vector<QWidget*> panes() const override;
    void enter(const model::Place& place) override;
    [[nodiscard]] model::Place place() const override;

    [[nodiscard]] model::Experiments& experiments() { return m_experiments; }

    /// Shadow, mirror, evals.
    [[nodiscard]] GridView* shadow() const { return m_shadow; }

    [[nodiscard]] GridView* mirror() const { return m_mirror; }

    [[nodiscard]] GridView* evals() const { return m_evals; }

private:
    /// A card with a title, a table and, where there is one, what stands below it.
    [[nodiscard]] GridView* addTable(const QString& title, model::Grid& grid, QWidget* below);
    void refreshMessage();

    const Theme& m_theme;
    model::Console& m_console;
    model::Experiments m_experiments;
    MessageBar* m_message;
    QComboBox* m_range;
    TileRow* m_tiles;
    QLabel* m_shadowText;
    Line* m_mirrorText;
    GridView* m_shadow;
    GridView* m_mirror;
    GridView* m_evals;
};

} // namespace weir::view
