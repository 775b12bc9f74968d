// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/grid.h"
#include "app/view/theme.h"

#include <QStyledItemDelegate>
#include <QTableView>

namespace weir::view {

/// Paints a `GridCell`.
class GridDelegate final : public QStyledItemDelegate
{
    Q_OBJECT

public:
    explicit GridDelegate(const Theme& theme, QObject* parent = nullptr);

    void setDimmed(bool isDimmed) { m_isDimmed = isDimmed; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index)
        const override;

private:
    const Theme& m_theme;
    bool m_isDimmed = false;
};

/// A table of a page: Enter or a double click opens a row, Ctrl+C copies the chosen row, at its end
/// it asks for more.
class GridView final : public QTableView
{
    Q_OBJECT

public:
    GridView(const Theme& theme, model::Grid& grid, const QString& name, QWidget* parent = nullptr);

    /// What to say while there are no rows; empty = loading.
    void setNothingText(const QString& text);
    void setDimmed(bool isDimmed);
    /// As high as its rows, between `least` and `most` of them; else it takes what it gets.
    void fitRows(int least, int most);
    void choose(const QString& key);
    /// Empty where no row is chosen.
    [[nodiscard]] QString chosen() const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    /// Somebody wants to see this row's page.
    void opened(const QString& key);
    void chosenChanged(const QString& key);
    void endReached();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

private:
    void fitColumns();
    void copyChosen() const;
    [[nodiscard]] int heightOf(int rows) const;

    const Theme& m_theme;
    model::Grid& m_grid;
    GridDelegate* m_delegate;
    QString m_nothing;
    int m_leastRows = 0;
    int m_mostRows = 0;
};

} // namespace weir::view
