// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/drill_deed.h"
#include "app/view/theme.h"

#include <QWidget>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QSpinBox;

namespace weir::view {

/// What a drill provokes, where, how much of it and for how long.
class DrillForm final : public QWidget
{
    Q_OBJECT

public:
    DrillForm(const Theme& theme, model::DrillDeed& deed, QWidget* parent = nullptr);

private:
    void fill();
    void readPlan();
    void showUseful();
    [[nodiscard]] QLabel* makeLabel(const QString& text, QWidget* field);

    const Theme& m_theme;
    model::DrillDeed& m_deed;
    QComboBox* m_provider;
    QComboBox* m_kind;
    QDoubleSpinBox* m_share;
    QSpinBox* m_delay;
    QSpinBox* m_length;
    QDoubleSpinBox* m_abort;
};

} // namespace weir::view
