// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/tiles.h"
#include "app/view/theme.h"

#include <QWidget>

#include <vector>

namespace weir::view {

/// One figure: caption, value, detail. Dimmed while stale, grey bars while nothing is there yet.
class TileView final : public QWidget
{
    Q_OBJECT

public:
    enum class Look { Loading, Live, Stale };

    explicit TileView(const Theme& theme, QWidget* parent = nullptr);

    void show(const model::Tile& tile, Look look);

    [[nodiscard]] QSize sizeHint() const override { return {150, 92}; }

    [[nodiscard]] QSize minimumSizeHint() const override { return {120, 92}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintSkeleton(QPainter& painter) const;

    const Theme& m_theme;
    model::Tile m_tile;
    Look m_look = Look::Loading;
};

/// The row of figures on the Live page.
class TileRow final : public QWidget
{
    Q_OBJECT

public:
    explicit TileRow(const Theme& theme, QWidget* parent = nullptr);

    void show(const std::vector<model::Tile>& tiles, TileView::Look look);

private:
    const Theme& m_theme;
    std::vector<TileView*> m_tiles;
};

} // namespace weir::view
