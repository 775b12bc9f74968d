// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/console.h"
#include "app/view/message_bar.h"
#include "app/view/page.h"
#include "app/view/provider_view.h"
#include "app/view/readout.h"
#include "app/view/theme.h"
#include "app/view/tile_view.h"
#include "app/view/time_chart.h"

#include <vector>

class QComboBox;

namespace weir::view {

/// What happens now: figures, providers, traffic share and time to first token.
class LivePage final : public Page
{
    Q_OBJECT

public:
    LivePage(const Theme& theme, model::Console& console, QWidget* parent = nullptr);

    void refresh() override;
    [[nodiscard]] std::vector<QWidget*> panes() const override;
    void enter(const model::Place& place) override;
    [[nodiscard]] model::Place place() const override;

    [[nodiscard]] const std::vector<TimeChart*>& charts() const { return m_charts; }

private:
    [[nodiscard]] QWidget* makeTable();
    [[nodiscard]] QWidget* makeChart(const ChartSpec& spec);
    [[nodiscard]] QWidget* makeReadout();
    void refreshMessages(const model::PanelState& state);
    void refreshModels();

    const Theme& m_theme;
    model::Console& m_console;
    MessageBar* m_message;
    MessageBar* m_alert;
    TileRow* m_tiles;
    QComboBox* m_models;
    QWidget* m_modelRow;
    ProviderView* m_providers;
    std::vector<TimeChart*> m_charts;
    Readout* m_readout;
};

} // namespace weir::view
