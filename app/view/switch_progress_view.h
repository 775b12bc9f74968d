// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/switch_progress.h"
#include "app/view/theme.h"

#include <QWidget>

class QLabel;

namespace weir::view {

/// Who has applied the switch: a headline, a bar, a chip for each agent.
class SwitchProgressView final : public QWidget
{
    Q_OBJECT

public:
    explicit SwitchProgressView(const Theme& theme, QWidget* parent = nullptr);

    void show(const model::SwitchProgress& progress);

    [[nodiscard]] const model::SwitchProgress& shown() const { return m_progress; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
    model::SwitchProgress m_progress;
    QLabel* m_headline;
    QLabel* m_detail;
    QWidget* m_room;
};

} // namespace weir::view
