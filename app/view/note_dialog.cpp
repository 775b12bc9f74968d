// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/note_dialog.h"

#include "app/model/incident_words.h"
#include "app/view/commit_row.h"
#include "app/view/pieces.h"

#include <QComboBox>
#include <QDateTimeEdit>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace weir::view {
namespace {

using Phase = model::NoteDesk::Phase;

QLabel* makeCaption(const Theme& theme, const QString& text, QWidget* parent)
{
    QLabel* label = makeParagraph(uiFont(9.0), theme.muted, parent);
    label->setText(text);
    return label;
}

} // namespace

NoteDialog::NoteDialog(const Theme& theme, model::NoteDesk& desk, QWidget* parent)
    : QDialog(parent)
    , m_theme(theme)
    , m_desk(desk)
    , m_title(makeParagraph(uiFont(15.0, QFont::Medium), theme.text, this))
    , m_notice(makeParagraph(uiFont(10.0, QFont::Medium), theme.text, this))
    , m_whyNot(makeParagraph(uiFont(9.0), theme.muted, this))
    , m_cancel(new QPushButton(QStringLiteral("Cancel"), this))
    , m_save(new QPushButton(QStringLiteral("Save note  Ctrl+Return"), this))
{
    setFixedWidth(560);
    m_title->setText(
        desk.isNew() ? QStringLiteral("Note on this incident") : QStringLiteral("Edit the note"));
    setWindowTitle(m_title->text());
    m_notice->setStyleSheet(
        QStringLiteral("QLabel{background:%1;color:%2;border-radius:6px;padding:9px 12px}")
            .arg(
                theme.fill(model::Tone::Warning).name(),
                theme.onFill(model::Tone::Warning).name()));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, 20, 24, 18);
    layout->setSpacing(10);
    layout->addWidget(m_title);
    layout->addWidget(m_notice);
    layout->addWidget(makeFields());
    layout->addWidget(makeConflict());
    layout->addWidget(m_whyNot);
    makeButtons(*layout);
    takeDraft();
    connect(&desk, &model::NoteDesk::changed, this, &NoteDialog::refresh);
    refresh();
    m_text->setFocus(Qt::OtherFocusReason);
}

QWidget* NoteDialog::makeFields()
{
    auto* fields = new QWidget(this);
    auto* layout = new QVBoxLayout(fields);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    auto* row = new QHBoxLayout;
    row->setSpacing(10);
    m_section = new QComboBox(fields);
    for (std::size_t i = 0; i < kNoteSectionCount; ++i)
        m_section->addItem(model::titleOf(static_cast<NoteSection>(i)));
    m_section->setAccessibleName(QStringLiteral("Part of the review"));
    m_time = new QDateTimeEdit(fields);
    m_time->setTimeSpec(Qt::UTC);
    m_time->setDisplayFormat(QStringLiteral("yyyy-MM-dd HH:mm:ss'Z'"));
    m_time->setAccessibleName(QStringLiteral("When it happened, UTC"));
    row->addWidget(m_section, 1);
    row->addWidget(m_time);
    layout->addWidget(makeCaption(
        m_theme,
        QStringLiteral("Which part of the review it belongs to, and when it happened"),
        fields));
    layout->addLayout(row);
    m_text = new QPlainTextEdit(fields);
    m_text->setTabChangesFocus(true);
    m_text->setFixedHeight(120);
    m_text->setAccessibleName(QStringLiteral("Note"));
    m_text->setPlaceholderText(QStringLiteral("What happened or was done, by whom, with a link"));
    layout->addWidget(m_text);
    connect(m_section, &QComboBox::activated, this, &NoteDialog::edited);
    connect(m_time, &QDateTimeEdit::dateTimeChanged, this, &NoteDialog::edited);
    connect(m_text, &QPlainTextEdit::textChanged, this, &NoteDialog::edited);
    return fields;
}

QWidget* NoteDialog::makeConflict()
{
    m_conflict = new QWidget(this);
    auto* layout = new QVBoxLayout(m_conflict);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addWidget(
        makeCaption(m_theme, QStringLiteral("Their text; yours is above"), m_conflict));
    m_theirs = new QPlainTextEdit(m_conflict);
    m_theirs->setReadOnly(true);
    m_theirs->setTabChangesFocus(true);
    m_theirs->setFixedHeight(90);
    m_theirs->setAccessibleName(QStringLiteral("The other text"));
    layout->addWidget(m_theirs);
    auto* row = new QHBoxLayout;
    auto* theirs = new QPushButton(QStringLiteral("Go on with theirs"), m_conflict);
    auto* mine = new QPushButton(QStringLiteral("Go on with mine"), m_conflict);
    for (QPushButton* button : {theirs, mine}) {
        button->setAutoDefault(false);
        row->addWidget(button);
    }
    row->addStretch(1);
    layout->addLayout(row);
    connect(theirs, &QPushButton::clicked, this, [this] {
        m_desk.takeTheirs();
        takeDraft();
    });
    connect(mine, &QPushButton::clicked, &m_desk, &model::NoteDesk::keepMine);
    return m_conflict;
}

void NoteDialog::makeButtons(QVBoxLayout& layout)
{
    addCommitRow(*this, layout, *m_cancel, *m_save, [this] { m_desk.save(); });
}

void NoteDialog::takeDraft()
{
    const model::NoteDraft draft = m_desk.draft();
    m_section->setCurrentIndex(static_cast<int>(draft.section));
    m_time->setDateTime(QDateTime::fromMSecsSinceEpoch(draft.at / 1000 * 1000, Qt::UTC));
    m_text->setPlainText(draft.text);
    m_text->selectAll();
}

void NoteDialog::edited()
{
    model::NoteDraft draft = m_desk.draft();
    draft.section = static_cast<NoteSection>(m_section->currentIndex());
    const model::Ms shown = m_time->dateTime().toMSecsSinceEpoch();
    // The field has no milliseconds; what nobody touched stays as exact as it was.
    if (shown != draft.at / 1000 * 1000) draft.at = shown;
    draft.text = m_text->toPlainText();
    m_desk.edit(draft);
}

void NoteDialog::refresh()
{
    if (!m_desk.isOpen()) {
        if (isVisible()) accept();
        return;
    }
    setTextIfNew(*m_notice, m_desk.notice());
    setTextIfNew(*m_whyNot, m_desk.whyNot());
    const auto& theirs = m_desk.theirs();
    m_conflict->setVisible(theirs.has_value());
    if (theirs) {
        const QString text = QString::fromStdString(theirs->text);
        if (m_theirs->toPlainText() != text) m_theirs->setPlainText(text);
    }
    const bool isWriting = m_desk.phase() == Phase::Writing;
    m_text->setReadOnly(isWriting);
    m_section->setEnabled(!isWriting);
    m_time->setEnabled(!isWriting);
    m_save->setEnabled(m_desk.canSave());
    adjustSize();
}

void NoteDialog::done(int result)
{
    m_desk.close();
    QDialog::done(result);
}

} // namespace weir::view
