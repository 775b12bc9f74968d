// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/reason_field.h"

#include "app/view/pieces.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace weir::view {
namespace {

QString chipStyle(const Theme& theme)
{
    return QStringLiteral("QPushButton{border:1px solid %1;border-radius:14px;padding:5px 13px;"
                          "background:%2;color:%3}"
                          "QPushButton:hover{background:%4}"
                          "QPushButton:focus{border:2px solid %5;padding:4px 12px}"
                          "QPushButton:checked{background:%5;border-color:%5;color:%6}"
                          "QPushButton:checked:focus{border-color:%3}")
        .arg(
            theme.muted.name(),
            theme.card.name(),
            theme.text.name(),
            theme.hover.name(),
            theme.accent.name(),
            theme.isDark ? theme.window.name() : theme.card.name());
}

} // namespace

ReasonField::ReasonField(const Theme& theme, const QStringList& chips, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_text(new QPlainTextEdit(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    QLabel* label = makeParagraph(uiFont(9.5, QFont::Medium), theme.muted, this);
    label->setText(
        QStringLiteral("Reason, for the audit: choose one or write 10 characters or more"));
    layout->addWidget(label);
    auto* row = new QHBoxLayout;
    row->setSpacing(6);
    for (const QString& name : chips) {
        makeChip(name);
        row->addWidget(m_chips.back());
    }
    row->addStretch(1);
    layout->addLayout(row);
    m_text->setTabChangesFocus(true);
    m_text->setFixedHeight(58);
    m_text->setAccessibleName(QStringLiteral("Reason in your own words"));
    m_text->setPlaceholderText(QStringLiteral("In your own words"));
    connect(m_text, &QPlainTextEdit::textChanged, this, [this] {
        if (!m_isFilling) emit edited();
    });
    layout->addWidget(m_text);
}

void ReasonField::makeChip(const QString& name)
{
    auto* chip = new QPushButton(name, this);
    chip->setCheckable(true);
    chip->setAutoDefault(false);
    chip->setAccessibleName(QStringLiteral("Reason: ") + name);
    chip->setStyleSheet(chipStyle(m_theme));
    // One at most, and a second press takes it back.
    connect(chip, &QPushButton::clicked, this, [this, chip] {
        for (QPushButton* other : m_chips)
            other->setChecked(other == chip && chip->isChecked());
        emit edited();
    });
    m_chips.push_back(chip);
}

void ReasonField::show(const QString& chip, const QString& text)
{
    m_isFilling = true;
    for (QPushButton* each : m_chips)
        each->setChecked(each->text() == chip);
    if (m_text->toPlainText() != text) m_text->setPlainText(text);
    m_isFilling = false;
}

void ReasonField::focusText()
{
    m_text->setFocus(Qt::OtherFocusReason);
}

QString ReasonField::chip() const
{
    for (const QPushButton* each : m_chips) {
        if (each->isChecked()) return each->text();
    }
    return {};
}

QString ReasonField::text() const
{
    return m_text->toPlainText();
}

} // namespace weir::view
