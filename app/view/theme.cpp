// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/theme.h"

namespace weir::view {
namespace {

std::size_t at(model::Tone tone)
{
    return static_cast<std::size_t>(tone);
}

/// Neutral, Ok, Stale, Warning, Critical, Off.
Theme makeLight()
{
    Theme theme;
    theme.window = QColor(0xF3F5F8);
    theme.card = QColor(0xFFFFFF);
    theme.border = QColor(0xDCE2EA);
    theme.grid = QColor(0xE8ECF1);
    theme.text = QColor(0x1B1F26);
    theme.muted = QColor(0x5D6775);
    theme.accent = QColor(0x005F9E);
    theme.hover = QColor(0xEEF2F7);
    theme.skeleton = QColor(0xE4E9F0);
    theme.providers = {
        QColor(0x005F9E),
        QColor(0xB87A00),
        QColor(0x00856A),
        QColor(0xB8468C),
        QColor(0x3A96D6),
        QColor(0xA63C00)};
    theme.toneText = {
        theme.text,
        QColor(0x00694B),
        QColor(0x5D6775),
        theme.text,
        QColor(0xB3261E),
        QColor(0x5B3A8C)};
    theme.toneFill = {
        QColor(0xEEF2F7),
        QColor(0xDFF3EA),
        QColor(0xEDF0F4),
        QColor(0xFFD166),
        QColor(0xB3261E),
        QColor(0x5B3A8C)};
    theme.toneOnFill = {
        theme.text,
        QColor(0x00694B),
        QColor(0x5D6775),
        QColor(Qt::black),
        QColor(0xFFFFFF),
        QColor(0xFFFFFF)};
    return theme;
}

Theme makeDark()
{
    Theme theme;
    theme.isDark = true;
    theme.window = QColor(0x12151A);
    theme.card = QColor(0x1B1F26);
    theme.border = QColor(0x2D343F);
    theme.grid = QColor(0x272D37);
    theme.text = QColor(0xE8ECF2);
    theme.muted = QColor(0x9AA4B2);
    theme.accent = QColor(0x3D9BE0);
    theme.hover = QColor(0x252B35);
    theme.skeleton = QColor(0x2B323D);
    theme.providers = {
        QColor(0x3D9BE0),
        QColor(0xF2B233),
        QColor(0x19B88A),
        QColor(0xE58CC0),
        QColor(0xA8DCFA),
        QColor(0xEE6A1F)};
    theme.toneText = {
        theme.text,
        QColor(0x3DDC97),
        QColor(0x9AA4B2),
        QColor(0xFFC24B),
        QColor(0xFF7A6E),
        QColor(0xC9A7FF)};
    theme.toneFill = {
        QColor(0x252B35),
        QColor(0x143A2D),
        QColor(0x252B35),
        QColor(0xFFC24B),
        QColor(0xFF7A6E),
        QColor(0xC9A7FF)};
    theme.toneOnFill = {
        theme.text,
        QColor(0x3DDC97),
        QColor(0x9AA4B2),
        QColor(Qt::black),
        QColor(0x14171C),
        QColor(0x14171C)};
    return theme;
}

} // namespace

QColor Theme::provider(int index) const
{
    return providers[static_cast<std::size_t>(index) % providers.size()];
}

QColor Theme::ink(model::Tone tone) const
{
    return toneText[at(tone)];
}

QColor Theme::fill(model::Tone tone) const
{
    return toneFill[at(tone)];
}

QColor Theme::onFill(model::Tone tone) const
{
    return toneOnFill[at(tone)];
}

QPalette Theme::palette() const
{
    QPalette result;
    const QColor onAccent = isDark ? window : card;
    result.setColor(QPalette::Window, window);
    result.setColor(QPalette::WindowText, text);
    result.setColor(QPalette::Base, card);
    result.setColor(QPalette::AlternateBase, hover);
    result.setColor(QPalette::Text, text);
    result.setColor(QPalette::PlaceholderText, muted);
    result.setColor(QPalette::Button, card);
    result.setColor(QPalette::ButtonText, text);
    result.setColor(QPalette::BrightText, text);
    result.setColor(QPalette::ToolTipBase, card);
    result.setColor(QPalette::ToolTipText, text);
    result.setColor(QPalette::Highlight, accent);
    result.setColor(QPalette::HighlightedText, onAccent);
    result.setColor(QPalette::Link, accent);
    result.setColor(QPalette::Light, isDark ? border.lighter(120) : card);
    result.setColor(QPalette::Midlight, border);
    result.setColor(QPalette::Mid, border);
    result.setColor(QPalette::Dark, isDark ? border : muted);
    result.setColor(QPalette::Shadow, QColor(0, 0, 0, isDark ? 160 : 60));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        result.setColor(QPalette::Disabled, role, muted);
    }
    return result;
}

const Theme& Theme::light()
{
    static const Theme kTheme = makeLight();
    return kTheme;
}

const Theme& Theme::dark()
{
    static const Theme kTheme = makeDark();
    return kTheme;
}

QList<qreal> dashOf(int index)
{
    switch (index % 6) {
    case 1:
        return {7, 3};
    case 2:
        return {2.5, 2.5};
    case 3:
        return {9, 3, 2, 3};
    case 4:
        return {4, 2};
    case 5:
        return {1, 3};
    default:
        return {};
    }
}

QFont uiFont(qreal points, QFont::Weight weight)
{
    QFont font(QStringLiteral("Roboto"));
    font.setPointSizeF(points);
    font.setWeight(weight);
    return font;
}

QFont monoFont(qreal points)
{
    QFont font(QStringLiteral("JetBrains Mono"));
    font.setPointSizeF(points);
    return font;
}

} // namespace weir::view
