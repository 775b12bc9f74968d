// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/deed_dialog.h"

#include "app/view/commit_row.h"
#include "app/view/pieces.h"
#include "app/view/reason_field.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace weir::view {
namespace {

using Phase = model::Deed::Phase;

constexpr int kTickMs = 500;
constexpr int kWidth = 580;

} // namespace

DeedDialog::DeedDialog(const Theme& theme, model::Deed* deed, QWidget* form, QWidget* parent)
    : QDialog(parent)
    , m_theme(theme)
    , m_deed(deed)
    , m_form(form)
    , m_title(makeParagraph(uiFont(15.0, QFont::Medium), theme.text, this))
    , m_warnings(makeParagraph(uiFont(), theme.text, this))
    , m_notice(makeParagraph(uiFont(10.0, QFont::Medium), theme.text, this))
    , m_effects(makeParagraph(uiFont(), theme.text, this))
    , m_reason(new ReasonField(theme, deed->chips(), this))
    , m_overrideLabel(makeParagraph(uiFont(9.5, QFont::Medium), theme.muted, this))
    , m_override(new QLineEdit(this))
    , m_whyNot(makeParagraph(uiFont(9.0), theme.muted, this))
    , m_cancel(new QPushButton(this))
    , m_commit(new QPushButton(this))
{
    deed->setParent(this);
    setFixedWidth(kWidth);
    setWindowTitle(deed->title());
    m_warnings->setStyleSheet(noticeStyle(theme, model::Tone::Warning));
    m_notice->setStyleSheet(noticeStyle(theme, model::Tone::Critical));
    m_overrideLabel->setText(QStringLiteral("Type “override” to go on; it is recorded"));
    m_override->setAccessibleName(QStringLiteral("Override of the warning"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, 20, 24, 18);
    layout->setSpacing(10);
    layout->addWidget(m_title);
    if (form != nullptr) layout->addWidget(form);
    for (QWidget* part : std::initializer_list<QWidget*>{
             m_warnings, m_notice, m_effects, m_reason, m_overrideLabel, m_override}) {
        layout->addWidget(part);
    }
    layout->addStretch(1);
    layout->addWidget(m_whyNot);
    makeButtons(*layout);
    connect(m_reason, &ReasonField::edited, this, &DeedDialog::readDraft);
    connect(m_override, &QLineEdit::textChanged, this, &DeedDialog::readDraft);
    connect(deed, &model::Deed::changed, this, &DeedDialog::refresh);
    connect(&m_tick, &QTimer::timeout, this, [this] {
        m_deed->refresh();
        refresh();
    });
    m_tick.start(kTickMs);
    refresh();
    m_reason->focusText();
}

void DeedDialog::makeButtons(QVBoxLayout& layout)
{
    m_commit->setStyleSheet(commitStyle(m_theme));
    m_cancel->setMinimumHeight(34);
    addCommitRow(*this, layout, *m_cancel, *m_commit, [this] { m_deed->commit(); });
}

void DeedDialog::readDraft()
{
    model::SwitchDraft draft;
    draft.chip = m_reason->chip();
    draft.text = m_reason->text();
    draft.typedOverride = m_override->text();
    m_deed->edit(draft);
}

void DeedDialog::refresh()
{
    refreshTexts();
    const Phase phase = m_deed->phase();
    const bool isDone = phase == Phase::Done;
    const bool isEditable = phase == Phase::Editing || phase == Phase::NotWritten;
    for (QWidget* part : std::initializer_list<QWidget*>{m_form, m_reason}) {
        if (part == nullptr) continue;
        part->setVisible(!isDone);
        part->setEnabled(isEditable);
    }
    const bool isOverride = !isDone && m_deed->needsOverride();
    m_overrideLabel->setVisible(isOverride);
    m_override->setVisible(isOverride);
    refreshButtons();
    const int wanted = layout()->heightForWidth(width());
    if (wanted > 0 && height() != wanted) resize(width(), wanted);
}

void DeedDialog::refreshTexts()
{
    setTextIfNew(*m_title, m_deed->title());
    setTextIfNew(*m_warnings, m_deed->warnings().join(QChar('\n')));
    setTextIfNew(*m_notice, m_deed->notice());
    setTextIfNew(*m_effects, m_deed->effects().join(QChar('\n')));
}

void DeedDialog::refreshButtons()
{
    const Phase phase = m_deed->phase();
    const bool isDone = phase == Phase::Done;
    const QString what = phase == Phase::NotWritten ? QStringLiteral("Retry") : m_deed->button();
    const QString text = what + QStringLiteral("   Ctrl+Return");
    if (m_commit->text() != text) m_commit->setText(text);
    m_commit->setAccessibleName(text);
    m_commit->setVisible(!isDone);
    const QString why = m_deed->whyNot();
    m_commit->setEnabled(why.isEmpty());
    const QString close = isDone ? QStringLiteral("Close") : QStringLiteral("Cancel");
    if (m_cancel->text() != close) m_cancel->setText(close);
    setTextIfNew(*m_whyNot, isDone ? QString() : why);
}

} // namespace weir::view
