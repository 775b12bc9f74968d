// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/switch_form.h"

#include "app/view/glyphs.h"
#include "app/view/pieces.h"
#include "app/view/reason_field.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QVBoxLayout>

namespace weir::view {
namespace {

using Verdict = model::PreflightItem::Verdict;

/// One check: its sign and its words.
class CheckRow final : public QWidget
{
public:
    CheckRow(const Theme& theme, const model::PreflightItem& item, QWidget* parent)
        : QWidget(parent)
        , m_theme(theme)
        , m_verdict(item.verdict)
    {
        auto* layout = new QHBoxLayout(this);
        layout->setContentsMargins(24, 1, 0, 1);
        QLabel* words = makeParagraph(uiFont(), theme.text, this);
        words->setText(item.text);
        layout->addWidget(words);
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        const QRectF box(3, 5, 12, 12);
        switch (m_verdict) {
        case Verdict::Passed:
            paintGlyph(painter, model::Glyph::Check, box, m_theme.ink(model::Tone::Ok));
            break;
        case Verdict::Warning:
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(Qt::NoPen);
            painter.setBrush(m_theme.fill(model::Tone::Warning));
            painter.drawRoundedRect(box.adjusted(-3, -3, 3, 3), 4, 4);
            paintGlyph(
                painter,
                model::Glyph::Warning,
                box.adjusted(0, -1, 0, -1),
                m_theme.onFill(model::Tone::Warning));
            break;
        case Verdict::Failed:
            paintGlyph(painter, model::Glyph::Cross, box, m_theme.ink(model::Tone::Critical));
            break;
        }
    }

private:
    const Theme& m_theme;
    Verdict m_verdict;
};

} // namespace

SwitchForm::SwitchForm(const Theme& theme, model::SwitchDesk& desk, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_desk(desk)
    , m_reason(new ReasonField(theme, model::reasonChips(desk.target()), this))
    , m_checks(new QWidget(this))
    , m_checkList(new QVBoxLayout(m_checks))
    , m_nameLabel(makeParagraph(uiFont(9.5, QFont::Medium), theme.muted, this))
    , m_name(new QLineEdit(this))
    , m_overrideLabel(makeParagraph(uiFont(9.5, QFont::Medium), theme.muted, this))
    , m_override(new QLineEdit(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    m_checkList->setContentsMargins(0, 0, 0, 4);
    m_checkList->setSpacing(3);
    layout->addWidget(m_checks);
    layout->addWidget(m_reason);
    connect(m_reason, &ReasonField::edited, this, &SwitchForm::readDraft);
    makeConfirmation(*layout);
    refresh();
}

void SwitchForm::makeConfirmation(QVBoxLayout& layout)
{
    const QString& profile = m_desk.who().profile;
    m_nameLabel->setText(QStringLiteral("Type the environment's name, %1").arg(profile));
    m_name->setAccessibleName(QStringLiteral("Environment's name"));
    m_overrideLabel->setText(
        QStringLiteral("A check failed. Type “override” to go on; it is recorded"));
    m_override->setAccessibleName(QStringLiteral("Override of failed checks"));
    layout.addWidget(m_nameLabel);
    layout.addWidget(m_name);
    layout.addWidget(m_overrideLabel);
    layout.addWidget(m_override);
    connect(m_name, &QLineEdit::textChanged, this, &SwitchForm::readDraft);
    connect(m_override, &QLineEdit::textChanged, this, &SwitchForm::readDraft);
}

void SwitchForm::readDraft()
{
    if (m_isFilling) return;
    model::SwitchDraft draft;
    draft.chip = m_reason->chip();
    draft.text = m_reason->text();
    draft.typedName = m_name->text();
    draft.typedOverride = m_override->text();
    m_desk.edit(draft);
}

void SwitchForm::refresh()
{
    m_isFilling = true;
    const model::SwitchDraft& draft = m_desk.draft();
    m_reason->show(draft.chip, draft.text);
    if (m_name->text() != draft.typedName) m_name->setText(draft.typedName);
    if (m_override->text() != draft.typedOverride) m_override->setText(draft.typedOverride);
    m_isFilling = false;

    const bool isOn = m_desk.target() == Mode::Adaptive;
    m_checks->setVisible(isOn);
    m_nameLabel->setVisible(isOn);
    m_name->setVisible(isOn);
    const bool isBlocked = m_desk.needsOverride();
    m_overrideLabel->setVisible(isBlocked);
    m_override->setVisible(isBlocked);
    const auto checks = m_desk.checks();
    if (checks == m_shownChecks) return;
    m_shownChecks = checks;
    while (QLayoutItem* item = m_checkList->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const auto& check : checks)
        m_checkList->addWidget(new CheckRow(m_theme, check, m_checks));
}

void SwitchForm::focusFirst()
{
    m_reason->focusText();
}

} // namespace weir::view
