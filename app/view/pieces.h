// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/signs.h"
#include "app/view/theme.h"

#include <QFrame>
#include <QLabel>
#include <QString>
#include <QWidget>

#include <optional>

class QPainter;

namespace weir::view {

/// A surface with a thin border and round corners.
class Card final : public QFrame
{
    Q_OBJECT

public:
    explicit Card(const Theme& theme, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
};

/// One line of plain text from anywhere, elided at the right with the whole of it as its tooltip.
class Line final : public QWidget
{
    Q_OBJECT

public:
    Line(const QFont& font, const QColor& colour, QWidget* parent = nullptr);

    void setText(const QString& text);
    void setColour(const QColor& colour);

    [[nodiscard]] QString text() const { return m_text; }

    /// The widest it needs to be; narrower elides.
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    QString m_text;
    QColor m_colour;
};

/// A sign and its words on a rounded ground: the mode pill, a state, a check.
class Chip final : public QWidget
{
    Q_OBJECT

public:
    Chip(const Theme& theme, qreal points, QWidget* parent = nullptr);

    void show(model::Glyph glyph, model::Tone tone, const QString& strong, const QString& rest);

    [[nodiscard]] QString text() const { return m_strong + m_rest; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
    model::Glyph m_glyph = model::Glyph::Circle;
    model::Tone m_tone = model::Tone::Stale;
    QString m_strong;
    QString m_rest;
};

/// Plain text over several lines, as high as it needs.
[[nodiscard]] QLabel* makeParagraph(const QFont& font, const QColor& colour, QWidget* parent);

/// A state in a table's cell: sign and word, on a ground where the tone is read as one.
void paintState(
    QPainter& painter,
    const QRectF& box,
    const Theme& theme,
    model::Glyph glyph,
    model::Tone tone,
    const QString& word);

/// Diagonal strokes, the same wherever the rectangle begins: over what is not known or not over.
void paintHatch(QPainter& painter, const QRectF& box, const QColor& colour);

/// Text elided so that it fits.
[[nodiscard]] QString elided(const QString& text, const QFont& font, qreal width);

/// A tooltip that shows text from outside as it is, never as markup.
[[nodiscard]] QString plainToolTip(const QString& text);

/// Of a label that says what must be read first.
[[nodiscard]] QString noticeStyle(const Theme& theme, model::Tone tone);
/// Of a dialog's button that writes.
[[nodiscard]] QString commitStyle(const Theme& theme);
/// Hides the label where there is nothing to say.
void setTextIfNew(QLabel& label, const QString& text);

} // namespace weir::view
