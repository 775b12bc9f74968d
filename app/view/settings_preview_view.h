// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/grid.h"
#include "app/model/settings_desk.h"
#include "app/view/grid_view.h"
#include "app/view/theme.h"

#include <QWidget>

class QGridLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace weir::view {

class Line;

/// What the last 24 hours would have been with the draft.
class SettingsPreviewView final : public QWidget
{
    Q_OBJECT

public:
    SettingsPreviewView(const Theme& theme, model::SettingsDesk& desk, QWidget* parent = nullptr);

    void refresh();

    [[nodiscard]] GridView* table() const { return m_table; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void showFigures();
    void showFindings();

    const Theme& m_theme;
    model::SettingsDesk& m_desk;
    model::Grid m_grid;
    Line* m_headline;
    QWidget* m_bar;
    QLabel* m_words;
    QPushButton* m_retry;
    QGridLayout* m_figures;
    std::vector<std::pair<QString, QString>> m_shownFigures;
    QVBoxLayout* m_findings;
    std::vector<model::PreviewFinding> m_shownFindings;
    GridView* m_table;
};

} // namespace weir::view
