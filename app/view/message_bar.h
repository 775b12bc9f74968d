// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/signs.h"
#include "app/view/pieces.h"
#include "app/view/theme.h"

#include <QWidget>

class QPushButton;

namespace weir::view {

/// An inline message next to its cause, with a way out where there is one. Takes its place in the
/// layout instead of lying over something.
class MessageBar final : public QWidget
{
    Q_OBJECT

public:
    explicit MessageBar(const Theme& theme, QWidget* parent = nullptr);

    /// Without `action`, no button.
    void show(model::Glyph glyph, model::Tone tone, const QString& text, const QString& action);

    [[nodiscard]] QString text() const { return m_text->text(); }

signals:
    void actionWanted();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
    model::Glyph m_glyph = model::Glyph::Warning;
    model::Tone m_tone = model::Tone::Warning;
    Line* m_text;
    QPushButton* m_action;
};

} // namespace weir::view
