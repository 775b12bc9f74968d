// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/switch_dialog.h"

#include "app/view/commit_row.h"
#include "app/view/pieces.h"
#include "app/view/switch_form.h"
#include "app/view/switch_progress_view.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace weir::view {
namespace {

using Phase = model::SwitchDesk::Phase;

/// Ages and the elapsed time in the progress are shown in tenths of a second.
constexpr int kTickMs = 100;

} // namespace

SwitchDialog::SwitchDialog(const Theme& theme, model::SwitchDesk& desk, QWidget* parent)
    : QDialog(parent)
    , m_theme(theme)
    , m_desk(desk)
    , m_title(makeParagraph(uiFont(15.0, QFont::Medium), theme.text, this))
    , m_effect(makeParagraph(uiFont(), theme.text, this))
    , m_warnings(makeParagraph(uiFont(), theme.text, this))
    , m_notice(makeParagraph(uiFont(10.0, QFont::Medium), theme.text, this))
    , m_form(new SwitchForm(theme, desk, this))
    , m_progress(new SwitchProgressView(theme, this))
    , m_whyNot(makeParagraph(uiFont(9.0), theme.muted, this))
    , m_cancel(new QPushButton(this))
    , m_commit(new QPushButton(this))
{
    setFixedWidth(580);
    setWindowTitle(
        desk.target() == Mode::Fixed ? QStringLiteral("Turn adaptive routing OFF")
                                     : QStringLiteral("Turn adaptive routing ON"));
    m_warnings->setStyleSheet(noticeStyle(theme, model::Tone::Warning));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, 20, 24, 18);
    layout->setSpacing(10);
    for (QWidget* part : std::initializer_list<QWidget*>{
             m_title, m_warnings, m_notice, m_effect, m_form, m_progress}) {
        layout->addWidget(part);
    }
    layout->addStretch(1);
    layout->addWidget(m_whyNot);
    makeButtons(*layout);

    connect(&desk, &model::SwitchDesk::changed, this, &SwitchDialog::refresh);
    connect(&m_tick, &QTimer::timeout, this, &SwitchDialog::refresh);
    m_tick.start(kTickMs);
    refresh();
    m_form->focusFirst();
}

void SwitchDialog::makeButtons(QVBoxLayout& layout)
{
    m_commit->setStyleSheet(commitStyle(m_theme));
    m_cancel->setMinimumHeight(34);
    addCommitRow(*this, layout, *m_cancel, *m_commit, [this] { commit(); });
}

void SwitchDialog::commit()
{
    m_desk.commit();
}

void SwitchDialog::refresh()
{
    refreshTexts();
    const bool isProgress = m_desk.phase() == Phase::Progress;
    m_form->setVisible(!isProgress);
    m_progress->setVisible(isProgress);
    m_effect->setVisible(!isProgress);
    if (isProgress) {
        if (const auto progress = m_desk.progress()) m_progress->show(*progress);
    } else {
        m_form->refresh();
        const bool isEditable =
            m_desk.phase() == Phase::Editing || m_desk.phase() == Phase::NotWritten;
        m_form->setEnabled(isEditable);
    }
    refreshButtons();
    const int wanted = layout()->heightForWidth(width());
    if (wanted > 0 && height() != wanted) resize(width(), wanted);
}

void SwitchDialog::refreshTexts()
{
    const bool isOff = m_desk.target() == Mode::Fixed;
    setTextIfNew(
        *m_title,
        isOff ? QStringLiteral("Turn adaptive routing OFF")
              : QStringLiteral("Turn adaptive routing ON"));
    const model::SwitchFacts& facts = m_desk.facts();
    if (facts.fleet != nullptr && m_desk.phase() != Phase::Progress) {
        setTextIfNew(*m_effect, model::effectText(facts, m_desk.target(), m_desk.now()));
        setTextIfNew(
            *m_warnings,
            model::switchWarnings(facts, m_desk.target(), m_desk.now()).join(QChar('\n')));
    } else {
        m_warnings->hide();
    }
    const bool isBad = m_desk.phase() == Phase::NotWritten || m_desk.isConflict();
    const QString style =
        noticeStyle(m_theme, isBad ? model::Tone::Critical : model::Tone::Neutral);
    if (m_notice->styleSheet() != style) m_notice->setStyleSheet(style);
    setTextIfNew(*m_notice, m_desk.notice());
}

void SwitchDialog::refreshButtons()
{
    const bool isProgress = m_desk.phase() == Phase::Progress;
    m_commit->setVisible(!isProgress);
    const bool isOff = m_desk.target() == Mode::Fixed;
    QString text =
        isOff ? QStringLiteral("Turn OFF   Ctrl+Return") : QStringLiteral("Turn ON   Ctrl+Return");
    if (m_desk.phase() == Phase::NotWritten) text = QStringLiteral("Retry   Ctrl+Return");
    if (m_commit->text() != text) m_commit->setText(text);
    m_commit->setAccessibleName(text);
    m_commit->setEnabled(m_desk.canCommit());
    const QString close = isProgress ? QStringLiteral("Close") : QStringLiteral("Cancel");
    if (m_cancel->text() != close) m_cancel->setText(close);
    setTextIfNew(*m_whyNot, isProgress ? QString() : m_desk.whyNot());
}

void SwitchDialog::done(int result)
{
    m_tick.stop();
    m_desk.close();
    QDialog::done(result);
}

} // namespace weir::view
