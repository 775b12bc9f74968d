// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/query_bar.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QStringListModel>
#include <QVBoxLayout>

namespace weir::view {

QueryBar::QueryBar(const Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_field(new QLineEdit(this))
    , m_trouble(new Line(uiFont(), theme.ink(model::Tone::Critical), this))
    , m_completer(new QCompleter(this))
    , m_offers(new QStringListModel(this))
{
    m_field->setAccessibleName(QStringLiteral("Find requests"));
    m_field->setPlaceholderText(
        QStringLiteral("A request's id, or filters: provider=baseten outcome=failed since=2h"));
    m_field->setFont(monoFont(9.5));
    m_field->setClearButtonEnabled(true);
    m_field->setFixedHeight(34);
    m_field->setTextMargins(6, 0, 0, 0);
    m_completer->setModel(m_offers);
    m_completer->setWidget(m_field);
    m_completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    m_completer->setMaxVisibleItems(12);
    auto* find = new QPushButton(QStringLiteral("Find"), this);
    find->setAutoDefault(false);
    find->setFixedHeight(34);

    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_field, 1);
    row->addWidget(find);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(row);
    layout->addWidget(m_trouble);
    m_trouble->hide();

    connect(m_field, &QLineEdit::textEdited, this, &QueryBar::offer);
    connect(
        m_completer,
        QOverload<const QString&>::of(&QCompleter::activated),
        this,
        &QueryBar::insert);
    connect(m_field, &QLineEdit::returnPressed, this, [this] {
        // Enter takes the completion that is chosen; the next one asks.
        const QAbstractItemView* popup = m_completer->popup();
        if (popup->isVisible() && popup->currentIndex().isValid()) return;
        emit asked(m_field->text());
    });
    connect(find, &QPushButton::clicked, this, [this] { emit asked(m_field->text()); });
}

void QueryBar::setWords(const QString& words)
{
    if (m_field->text().trimmed() != words) m_field->setText(words);
}

void QueryBar::showTrouble(const QString& trouble)
{
    m_trouble->setText(trouble);
    m_trouble->setVisible(!trouble.isEmpty());
}

qsizetype QueryBar::wordStart() const
{
    const QString before = m_field->text().left(m_field->cursorPosition());
    return before.lastIndexOf(QChar(' ')) + 1;
}

void QueryBar::offer()
{
    const qsizetype start = wordStart();
    const QString word = m_field->text().mid(start, m_field->cursorPosition() - start);
    const QStringList offers = word.isEmpty() ? QStringList{} : model::completions(word, m_names);
    m_offers->setStringList(offers);
    if (offers.isEmpty()) {
        m_completer->popup()->hide();
        return;
    }
    QRect box = m_field->rect();
    box.setWidth(260);
    box.translate(m_field->fontMetrics().horizontalAdvance(m_field->text().left(start)), 0);
    m_completer->complete(box);
}

void QueryBar::insert(const QString& completion)
{
    const qsizetype start = wordStart();
    QString text = m_field->text();
    text.replace(start, m_field->cursorPosition() - start, completion);
    m_field->setText(text);
    m_field->setCursorPosition(static_cast<int>(start + completion.size()));
    // A filter's name alone asks for its value.
    if (completion.endsWith(QChar('='))) offer();
}

} // namespace weir::view
