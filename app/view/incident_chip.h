// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/view/theme.h"

#include <QAbstractButton>

namespace weir::view {

/// "2 open incidents" in the header: the way to their page from everywhere.
class IncidentChip final : public QAbstractButton
{
    Q_OBJECT

public:
    explicit IncidentChip(const Theme& theme, QWidget* parent = nullptr);

    /// Filled where some are open; hidden where nothing is known.
    void show(const QString& text, bool isOpen);

    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
    bool m_isOpen = false;
};

} // namespace weir::view
