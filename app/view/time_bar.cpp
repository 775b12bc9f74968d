// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/time_bar.h"

#include "app/model/format.h"
#include "app/view/pieces.h"

#include <QPainter>

#include <algorithm>

namespace weir::view {
namespace {

constexpr int kLane = 24;
constexpr int kLabel = 230;
constexpr int kEnd = 70;

} // namespace

TimeBar::TimeBar(const Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void TimeBar::show(std::vector<model::TimePiece> pieces, const QString& text)
{
    m_pieces = std::move(pieces);
    setAccessibleName(QStringLiteral("Time used"));
    setAccessibleDescription(text);
    updateGeometry();
    update();
}

QSize TimeBar::sizeHint() const
{
    return {600, static_cast<int>(m_pieces.size()) * kLane + 4};
}

QSize TimeBar::minimumSizeHint() const
{
    return {400, sizeHint().height()};
}

void TimeBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    model::Ms end = 1;
    for (const model::TimePiece& piece : m_pieces)
        end = std::max(end, piece.to);
    const qreal room = std::max(40, width() - kLabel - kEnd);
    const auto x = [room, end](model::Ms at) {
        return kLabel + room * static_cast<qreal>(at) / static_cast<qreal>(end);
    };
    qreal top = 2;
    for (const model::TimePiece& piece : m_pieces) {
        const QColor colour = piece.colour ? m_theme.provider(*piece.colour) : m_theme.muted;
        painter.setFont(uiFont(9.5));
        painter.setPen(piece.isFailure ? m_theme.ink(model::Tone::Critical) : m_theme.text);
        painter.drawText(
            QRectF(4, top, kLabel - 16, kLane),
            Qt::AlignLeft | Qt::AlignVCenter,
            elided(piece.text, uiFont(9.5), kLabel - 16));
        const QRectF box(
            x(piece.from), top + 6, std::max(2.0, x(piece.to) - x(piece.from)), kLane - 12);
        painter.setPen(QPen(colour, 1.2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(box, 3, 3);
        if (piece.firstToken) {
            QRectF filled = box;
            filled.setLeft(std::min(x(*piece.firstToken), box.right() - 2.0));
            painter.setBrush(colour);
            painter.drawRoundedRect(filled, 3, 3);
        }
        painter.setPen(m_theme.muted);
        painter.drawText(
            QRectF(box.right() + 6, top, kEnd, kLane),
            Qt::AlignLeft | Qt::AlignVCenter,
            model::secondsFromMs(static_cast<double>(piece.to)));
        top += kLane;
    }
}

} // namespace weir::view
