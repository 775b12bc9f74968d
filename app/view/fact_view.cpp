// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/fact_view.h"

#include "app/view/glyphs.h"
#include "app/view/pieces.h"

#include <QGraphicsOpacityEffect>
#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>

namespace weir::view {
namespace {

constexpr int kNameWidth = 128;
constexpr qreal kStaleOpacity = 0.45;

bool isUnknown(const model::RouteFact& fact)
{
    return fact.value.startsWith(QChar(0x2014));
}

/// Only texts differ: nothing has to be laid out anew, and what is selected stays.
bool haveSameShape(
    const std::vector<model::RouteFactGroup>& left, const std::vector<model::RouteFactGroup>& right)
{
    const auto isSameFact = [](const model::RouteFact& a, const model::RouteFact& b) {
        return a.name == b.name && a.glyph == b.glyph && a.tone == b.tone &&
               isUnknown(a) == isUnknown(b);
    };
    return std::ranges::equal(
        left, right, [&](const model::RouteFactGroup& a, const model::RouteFactGroup& b) {
            return a.title == b.title && std::ranges::equal(a.facts, b.facts, isSameFact);
        });
}

/// A value with its sign before it.
class SignedValue final : public QWidget
{
public:
    SignedValue(const Theme& theme, const model::RouteFact& fact, QLabel* words, QWidget* parent)
        : QWidget(parent)
        , m_theme(theme)
        , m_glyph(*fact.glyph)
        , m_tone(fact.tone)
    {
        auto* layout = new QHBoxLayout(this);
        layout->setContentsMargins(20, 0, 0, 0);
        words->setParent(this);
        layout->addWidget(words);
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QRectF ground(0, 1, 15, 15);
        painter.setPen(Qt::NoPen);
        const bool isGround = m_tone == model::Tone::Warning || m_tone == model::Tone::Critical ||
                              m_tone == model::Tone::Off;
        if (isGround) {
            painter.setBrush(m_theme.fill(m_tone));
            painter.drawRoundedRect(ground, 4, 4);
        }
        const QColor ink = isGround ? m_theme.onFill(m_tone) : m_theme.ink(m_tone);
        paintGlyph(painter, m_glyph, ground.adjusted(3, 3, -3, -3), ink);
    }

private:
    const Theme& m_theme;
    model::Glyph m_glyph;
    model::Tone m_tone;
};

} // namespace

FactView::FactView(const Theme& theme, const QString& name, QWidget* parent)
    : QScrollArea(parent)
    , m_theme(theme)
    , m_body(new QWidget(this))
    , m_grid(new QGridLayout)
    , m_nothing(makeParagraph(uiFont(), theme.muted, m_body))
{
    setAccessibleName(name);
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    QPalette palette = this->palette();
    palette.setColor(QPalette::Window, theme.card);
    setPalette(palette);
    auto* layout = new QVBoxLayout(m_body);
    layout->setContentsMargins(14, 10, 14, 10);
    layout->addWidget(m_nothing);
    layout->addLayout(m_grid);
    layout->addStretch(1);
    m_grid->setHorizontalSpacing(10);
    m_grid->setVerticalSpacing(3);
    m_grid->setColumnMinimumWidth(0, kNameWidth);
    m_grid->setColumnStretch(1, 1);
    setWidget(m_body);
}

QWidget* FactView::makeValue(const model::RouteFact& fact)
{
    const QColor ink = isUnknown(fact) ? m_theme.muted : m_theme.text;
    QLabel* words = makeParagraph(uiFont(), ink, m_body);
    words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_values.push_back(words);
    if (!fact.glyph) return words;
    return new SignedValue(m_theme, fact, words, m_body);
}

void FactView::rebuild(const std::vector<model::RouteFactGroup>& groups)
{
    m_values.clear();
    while (QLayoutItem* item = m_grid->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    int row = 0;
    for (const model::RouteFactGroup& group : groups) {
        QLabel* title = makeParagraph(uiFont(10.0, QFont::Medium), m_theme.text, m_body);
        title->setText(group.title);
        title->setContentsMargins(0, row == 0 ? 0 : 12, 0, 2);
        m_grid->addWidget(title, row++, 0, 1, 2);
        for (const model::RouteFact& fact : group.facts) {
            QLabel* name = makeParagraph(uiFont(9.5), m_theme.muted, m_body);
            name->setText(fact.name);
            m_grid->addWidget(name, row, 0, Qt::AlignTop);
            m_grid->addWidget(makeValue(fact), row, 1, Qt::AlignTop);
            ++row;
        }
    }
}

void FactView::show(const std::vector<model::RouteFactGroup>& groups)
{
    m_nothing->hide();
    if (groups == m_shown) return;
    const int place = verticalScrollBar()->value();
    if (!haveSameShape(groups, m_shown)) rebuild(groups);
    m_shown = groups;
    std::size_t next = 0;
    for (const model::RouteFactGroup& group : groups) {
        for (const model::RouteFact& fact : group.facts) {
            QLabel* words = m_values[next++];
            if (words->text() == fact.value) continue;
            words->setText(fact.value);
            words->setAccessibleName(fact.name + QStringLiteral(": ") + fact.value);
        }
    }
    verticalScrollBar()->setValue(place);
}

void FactView::showNothing(const QString& text)
{
    show({});
    m_nothing->setText(text.isEmpty() ? QStringLiteral("Loading…") : text);
    m_nothing->show();
}

void FactView::setDimmed(bool isDimmed)
{
    const bool isNow = m_body->graphicsEffect() != nullptr;
    if (isNow == isDimmed) return;
    auto* effect = isDimmed ? new QGraphicsOpacityEffect(m_body) : nullptr;
    if (effect != nullptr) effect->setOpacity(kStaleOpacity);
    m_body->setGraphicsEffect(effect);
}

void FactView::paintEvent(QPaintEvent* event)
{
    QScrollArea::paintEvent(event);
    if (!hasFocus()) return;
    QPainter painter(viewport());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme.accent, 1.5));
    painter.drawRoundedRect(QRectF(viewport()->rect()).adjusted(1, 1, -1, -1), 4, 4);
}

} // namespace weir::view
