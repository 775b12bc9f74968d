// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/view/theme.h"
#include "common/model/settings.h"

#include <QAbstractButton>

namespace weir::view {

/// The way to the off switch: outlined while routing is adaptive, filled purple while it is off.
/// Never a toggle: it only opens the dialog.
class SwitchButton final : public QAbstractButton
{
    Q_OBJECT

public:
    explicit SwitchButton(const Theme& theme, QWidget* parent = nullptr);

    void offer(Mode target);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
    Mode m_target = Mode::Fixed;
};

} // namespace weir::view
