// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/glyphs.h"

#include <QPainter>
#include <QPainterPath>

namespace weir::view {
namespace {

using model::Glyph;

/// On a square from -1 to 1; y points down.
QPainterPath polygon(std::initializer_list<QPointF> points)
{
    QPainterPath path;
    bool isFirst = true;
    for (const QPointF& point : points) {
        isFirst ? path.moveTo(point) : path.lineTo(point);
        isFirst = false;
    }
    path.closeSubpath();
    return path;
}

QPainterPath circle()
{
    QPainterPath path;
    path.addEllipse(QPointF(0, 0), 0.9, 0.9);
    return path;
}

QPainterPath square()
{
    QPainterPath path;
    path.addRoundedRect(QRectF(-0.8, -0.8, 1.6, 1.6), 0.2, 0.2);
    return path;
}

QPainterPath triangleDown()
{
    return polygon({{-0.95, -0.7}, {0.95, -0.7}, {0, 0.9}});
}

QPainterPath diamond()
{
    return polygon({{0, -1}, {1, 0}, {0, 1}, {-1, 0}});
}

QPainterPath leftHalf()
{
    QPainterPath half;
    half.addRect(QRectF(-1, -1, 1, 2));
    return half;
}

QPainterPath bars()
{
    QPainterPath path;
    path.addRect(QRectF(-0.7, -0.85, 0.5, 1.7));
    path.addRect(QRectF(0.2, -0.85, 0.5, 1.7));
    return path;
}

QPainterPath warning()
{
    QPainterPath path = polygon({{0, -0.9}, {1, 0.85}, {-1, 0.85}});
    QPainterPath mark;
    mark.addRect(QRectF(-0.12, -0.3, 0.24, 0.6));
    mark.addRect(QRectF(-0.12, 0.42, 0.24, 0.24));
    return path.subtracted(mark);
}

struct Drawing
{
    QPainterPath filled;
    QPainterPath outlined;
};

Drawing drawingOf(Glyph glyph)
{
    switch (glyph) {
    case Glyph::Disc:
        return {circle(), {}};
    case Glyph::TriangleDown:
        return {triangleDown(), {}};
    case Glyph::TriangleDownOpen:
        return {{}, triangleDown()};
    case Glyph::HalfDisc:
        return {circle().intersected(leftHalf()), circle()};
    case Glyph::Diamond:
        return {diamond(), {}};
    case Glyph::Square:
        return {square(), {}};
    case Glyph::DiamondOpen:
        return {{}, diamond()};
    case Glyph::Bars:
        return {bars(), {}};
    case Glyph::Circle:
        return {{}, circle()};
    case Glyph::HalfSquare:
        return {square().intersected(leftHalf()), square()};
    case Glyph::Warning:
        return {warning(), {}};
    case Glyph::Cross: {
        QPainterPath cross;
        cross.moveTo(-0.7, -0.7);
        cross.lineTo(0.7, 0.7);
        cross.moveTo(0.7, -0.7);
        cross.lineTo(-0.7, 0.7);
        return {{}, cross};
    }
    case Glyph::Check: {
        QPainterPath check;
        check.moveTo(-0.8, 0.05);
        check.lineTo(-0.25, 0.65);
        check.lineTo(0.8, -0.65);
        return {{}, check};
    }
    }
    return {};
}

} // namespace

void paintGlyph(QPainter& painter, Glyph glyph, const QRectF& box, const QColor& colour)
{
    const Drawing drawing = drawingOf(glyph);
    const qreal radius = qMin(box.width(), box.height()) / 2.0;
    const bool isStroke = glyph == Glyph::Cross || glyph == Glyph::Check;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(box.center());
    painter.scale(radius, radius);
    painter.fillPath(drawing.filled, colour);
    QPen pen(colour, isStroke ? 0.42 : 0.3);
    pen.setJoinStyle(Qt::MiterJoin);
    pen.setCapStyle(isStroke ? Qt::RoundCap : Qt::FlatCap);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    // Half a pen inside, so that open and filled shapes are equally large.
    if (!isStroke) painter.scale(0.87, 0.87);
    painter.drawPath(drawing.outlined);
    painter.restore();
}

} // namespace weir::view
