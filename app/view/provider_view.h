// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/view/theme.h"

#include <QTableView>

class QAbstractItemModel;

namespace weir::view {

class ProviderDelegate;

/// The provider table, as high as its rows; grey bars instead of rows while nothing is there yet.
class ProviderView final : public QTableView
{
    Q_OBJECT

public:
    ProviderView(const Theme& theme, QAbstractItemModel& table, QWidget* parent = nullptr);

    void setDimmed(bool isDimmed);
    /// What to say while there are no rows; empty = loading.
    void setNothingText(const QString& text);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] int wantedHeight() const;

    const Theme& m_theme;
    ProviderDelegate* m_delegate;
    QString m_nothing;
    bool m_isDimmed = false;
};

} // namespace weir::view
