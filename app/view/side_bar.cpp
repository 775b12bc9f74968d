// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/side_bar.h"

#include "app/view/pieces.h"

#include <QAbstractButton>
#include <QFontMetricsF>
#include <QPainter>
#include <QVBoxLayout>

namespace weir::view {
namespace {

constexpr int kWidth = 148;
constexpr int kItemHeight = 36;

} // namespace

class SideBar::Item final : public QAbstractButton
{
public:
    Item(const Theme& theme, model::Place::Page page, SideBar* parent)
        : QAbstractButton(parent)
        , m_theme(theme)
        , m_page(page)
    {
        setText(model::titleOf(page));
        setAccessibleName(text());
        setToolTip(QStringLiteral("Ctrl+%1").arg(static_cast<int>(page) + 1));
        setCheckable(true);
        setAutoExclusive(true);
        setFocusPolicy(Qt::TabFocus);
        setFixedHeight(kItemHeight);
        setAttribute(Qt::WA_Hover);
    }

    [[nodiscard]] model::Place::Page page() const { return m_page; }

    void setNote(const QString& note, model::Tone tone)
    {
        if (note == m_note && tone == m_tone) return;
        m_note = note;
        m_tone = tone;
        setAccessibleName(note.isEmpty() ? text() : text() + QStringLiteral(", ") + note);
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QRectF box = QRectF(rect()).adjusted(8, 1, -8, -1);
        if (isChecked() || underMouse()) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(m_theme.hover);
            painter.drawRoundedRect(box, 6, 6);
        }
        if (isChecked()) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(m_theme.accent);
            painter.drawRoundedRect(QRectF(box.left(), box.top() + 8, 3, box.height() - 16), 1, 1);
        }
        if (hasFocus()) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(m_theme.accent, 1.5));
            painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 5, 5);
        }
        const QFont font = uiFont(10.0, isChecked() ? QFont::Medium : QFont::Normal);
        painter.setFont(font);
        painter.setPen(isChecked() ? m_theme.text : m_theme.muted);
        const QRectF words = box.adjusted(12, 0, -10, 0);
        painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter, text());
        if (m_note.isEmpty()) return;
        painter.setFont(uiFont(9.0, QFont::Medium));
        painter.setPen(m_theme.ink(m_tone));
        painter.drawText(words, Qt::AlignRight | Qt::AlignVCenter, m_note);
    }

private:
    const Theme& m_theme;
    model::Place::Page m_page;
    QString m_note;
    model::Tone m_tone = model::Tone::Neutral;
};

SideBar::SideBar(const Theme& theme, std::vector<model::Place::Page> pages, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
{
    setFixedWidth(kWidth);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 10, 0, 10);
    layout->setSpacing(2);
    for (const model::Place::Page page : pages) {
        auto* item = new Item(theme, page, this);
        layout->addWidget(item);
        connect(item, &QAbstractButton::clicked, this, [this, page] { emit wanted(page); });
        m_items.push_back(item);
    }
    layout->addStretch(1);
}

void SideBar::setCurrent(model::Place::Page page)
{
    for (Item* item : m_items)
        item->setChecked(item->page() == page);
}

void SideBar::setNote(model::Place::Page page, const QString& note, model::Tone tone)
{
    for (Item* item : m_items) {
        if (item->page() == page) item->setNote(note, tone);
    }
}

void SideBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.card);
    painter.fillRect(QRect(width() - 1, 0, 1, height()), m_theme.border);
}

} // namespace weir::view
