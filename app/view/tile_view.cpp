// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/tile_view.h"

#include "app/view/pieces.h"

#include <QHBoxLayout>
#include <QPainter>

namespace weir::view {
namespace {

constexpr qreal kPad = 14.0;
constexpr qreal kStaleOpacity = 0.45;

} // namespace

TileView::TileView(const Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void TileView::show(const model::Tile& tile, Look look)
{
    if (tile == m_tile && look == m_look) return;
    m_tile = tile;
    m_look = look;
    setAccessibleName(tile.caption + QStringLiteral(": ") + tile.value);
    setAccessibleDescription(tile.detail);
    setToolTip(
        plainToolTip(tile.caption + QStringLiteral(": ") + tile.value + QChar('\n') + tile.detail));
    update();
}

void TileView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(m_theme.border);
    painter.setBrush(m_theme.card);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);

    const QRectF inner = QRectF(rect()).adjusted(kPad, 10, -kPad, -10);
    const auto row =
        [&](qreal top, qreal height, const QFont& font, const QColor& ink, const QString& text) {
            const QRectF box(inner.left(), inner.top() + top, inner.width(), height);
            painter.setFont(font);
            painter.setPen(ink);
            painter.drawText(
                box, Qt::AlignLeft | Qt::AlignVCenter, elided(text, font, box.width()));
        };
    row(0, 16, uiFont(9.0, QFont::Medium), m_theme.muted, m_tile.caption);
    if (m_look == Look::Loading) {
        paintSkeleton(painter);
        return;
    }
    if (m_look == Look::Stale) painter.setOpacity(kStaleOpacity);
    const bool isMarked =
        m_tile.tone == model::Tone::Warning || m_tile.tone == model::Tone::Critical;
    if (isMarked) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_theme.fill(m_tile.tone));
        painter.drawRoundedRect(QRectF(0, 14, 4, height() - 28.0), 2, 2);
    }
    const bool isCritical = m_tile.tone == model::Tone::Critical;
    row(20,
        32,
        uiFont(19.0, QFont::Medium),
        isCritical ? m_theme.ink(m_tile.tone) : m_theme.text,
        m_tile.value);
    row(56, 16, uiFont(9.0), m_theme.muted, m_tile.detail);
}

void TileView::paintSkeleton(QPainter& painter) const
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.skeleton);
    painter.drawRoundedRect(QRectF(kPad, 36, width() * 0.45, 22), 4, 4);
    painter.drawRoundedRect(QRectF(kPad, 68, width() * 0.65, 10), 3, 3);
}

TileRow::TileRow(const Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(10);
}

void TileRow::show(const std::vector<model::Tile>& tiles, TileView::Look look)
{
    while (m_tiles.size() < tiles.size()) {
        auto* tile = new TileView(m_theme, this);
        layout()->addWidget(tile);
        m_tiles.push_back(tile);
    }
    for (std::size_t i = 0; i < tiles.size(); ++i)
        m_tiles[i]->show(tiles[i], look);
}

} // namespace weir::view
