// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/view/theme.h"
#include "common/model/policy.h"

#include <QWidget>

#include <cstdint>
#include <vector>

class QDoubleSpinBox;
class QGridLayout;
class QLabel;
class QSlider;

namespace weir::view {

/// Sliders for the settings that rank providers. What they say goes nowhere but to whoever listens.
class WhatIfForm final : public QWidget
{
    Q_OBJECT

public:
    explicit WhatIfForm(const Theme& theme, QWidget* parent = nullptr);

    /// Puts everything where the decision had it, without a word.
    void setPolicy(const RoutingPolicy& policy);

    [[nodiscard]] RoutingPolicy policy() const;

    [[nodiscard]] QDoubleSpinBox* costWeight() const { return m_settings.front().box; }

signals:
    void supposed(const weir::RoutingPolicy& policy);

private:
    struct Setting
    {
        std::int64_t RoutingPolicy::*value;
        QSlider* slider;
        QDoubleSpinBox* box;
    };

    void
    add(QGridLayout& layout, const char* key, const char* title, std::int64_t RoutingPolicy::*);
    void take();

    const Theme& m_theme;
    RoutingPolicy m_saved;
    std::vector<Setting> m_settings;
    QLabel* m_speed;
};

} // namespace weir::view
