// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/view/theme.h"

#include <QStyledItemDelegate>

namespace weir::view {

/// Paints the cells of the provider table: name with its colour, state as sign and word, figures in
/// equally wide digits, sparkline.
class ProviderDelegate final : public QStyledItemDelegate
{
    Q_OBJECT

public:
    explicit ProviderDelegate(const Theme& theme, QObject* parent = nullptr);

    void setDimmed(bool isDimmed) { m_isDimmed = isDimmed; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index)
        const override;
    [[nodiscard]] QSize
    sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    bool helpEvent(
        QHelpEvent* event,
        QAbstractItemView* view,
        const QStyleOptionViewItem& option,
        const QModelIndex& index) override;

private:
    void paintName(QPainter& painter, const QRectF& box, const QModelIndex& index) const;
    void paintState(QPainter& painter, const QRectF& box, const QModelIndex& index) const;
    void paintSpark(QPainter& painter, const QRectF& box, const QModelIndex& index) const;
    void paintText(QPainter& painter, const QRectF& box, const QModelIndex& index) const;

    const Theme& m_theme;
    bool m_isDimmed = false;
};

} // namespace weir::view
