// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/signs.h"

#include <QColor>
#include <QRectF>

class QPainter;

namespace weir::view {

/// Paints the sign into the middle of `box`, as large as its shorter side.
void paintGlyph(QPainter& painter, model::Glyph glyph, const QRectF& box, const QColor& colour);

} // namespace weir::view
