// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/settings_merge_view.h"

#include "app/model/format.h"
#include "app/view/pieces.h"

#include <QButtonGroup>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace weir::view {
namespace {

using Choice = model::MergeRow::Choice;

/// Choices apart: they are set by the model.
bool isSameRows(std::vector<model::MergeRow> a, std::vector<model::MergeRow> b)
{
    for (auto* rows : {&a, &b}) {
        for (model::MergeRow& row : *rows)
            row.choice = Choice::None;
    }
    return a == b;
}

} // namespace

SettingsMergeView::SettingsMergeView(const Theme& theme, model::SettingsDesk& desk, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_desk(desk)
    , m_news(makeParagraph(uiFont(11.0, QFont::Medium), theme.text, this))
    , m_table(nullptr)
    , m_room(new QWidget)
    , m_whyNot(makeParagraph(uiFont(), theme.muted, this))
    , m_take(new QPushButton(QStringLiteral("Take these values"), this))
    , m_discard(new QPushButton(QStringLiteral("Discard my draft"), this))
{
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->viewport()->setAutoFillBackground(false);
    new QVBoxLayout(m_room);
    scroll->setWidget(m_room);
    // After it was set: the area would fill it.
    m_room->setAutoFillBackground(false);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_take);
    buttons->addWidget(m_discard);
    buttons->addWidget(m_whyNot, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 12, 14, 12);
    layout->setSpacing(10);
    layout->addWidget(m_news);
    layout->addWidget(scroll, 1);
    layout->addLayout(buttons);
    for (QPushButton* button : {m_take, m_discard}) {
        button->setAutoDefault(false);
        button->setAccessibleName(button->text());
    }
    connect(m_take, &QPushButton::clicked, &desk, &model::SettingsDesk::finishMerge);
    connect(m_discard, &QPushButton::clicked, &desk, &model::SettingsDesk::discard);
}

QRadioButton*
SettingsMergeView::makeChoice(const model::MergeRow& row, Choice choice, QWidget* parent)
{
    const bool isTheirs = choice == Choice::Theirs;
    const QString value = model::plain(isTheirs ? row.theirs : row.yours);
    const bool isChanged = (isTheirs ? row.theirs : row.yours) != row.base;
    auto* button = new QRadioButton(parent);
    button->setText(isChanged ? value : value + QStringLiteral("  (unchanged)"));
    button->setAccessibleName(
        model::plain(row.key) +
        (isTheirs ? QStringLiteral(": theirs, ") : QStringLiteral(": yours, ")) + value);
    connect(button, &QRadioButton::clicked, this, [this, key = row.key, choice] {
        m_desk.choose(key, choice);
    });
    return button;
}

void SettingsMergeView::makeRows()
{
    m_shown = m_desk.editor().mergeRows();
    m_rows.clear();
    delete m_table;
    m_table = new QWidget(m_room);
    auto* grid = new QGridLayout(m_table);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(24);
    grid->setVerticalSpacing(10);
    const auto add = [&](const QString& text, bool isHead, int row, int column) {
        const QFont font = isHead ? uiFont(9.0, QFont::Medium) : uiFont();
        auto* line = new Line(font, isHead ? m_theme.muted : m_theme.text, m_table);
        line->setText(text);
        grid->addWidget(line, row, column);
    };
    const auto version = [](std::int64_t number) {
        return QStringLiteral(" (settings v%1)").arg(number);
    };
    const Decisions& newest = m_desk.newest();
    add(QStringLiteral("Setting"), true, 0, 0);
    add(QStringLiteral("Base") + version(m_desk.editor().draft().base.settings.version),
        true,
        0,
        1);
    add(QStringLiteral("Theirs") + version(newest.settings.version), true, 0, 2);
    add(QStringLiteral("Yours"), true, 0, 3);
    add(QString(), true, 0, 4);
    int place = 1;
    for (const model::MergeRow& row : m_shown) {
        add(model::plain(row.key), false, place, 0);
        add(model::plain(row.base), false, place, 1);
        Row made;
        made.key = row.key;
        made.theirs = makeChoice(row, Choice::Theirs, m_table);
        made.yours = makeChoice(row, Choice::Yours, m_table);
        auto* group = new QButtonGroup(m_table);
        group->addButton(made.theirs);
        group->addButton(made.yours);
        grid->addWidget(made.theirs, place, 2);
        grid->addWidget(made.yours, place, 3);
        add(row.isBothChanged() ? QStringLiteral("both changed it") : QString(), true, place, 4);
        m_rows.push_back(made);
        ++place;
    }
    grid->setRowStretch(place, 1);
    grid->setColumnStretch(4, 1);
    m_room->layout()->addWidget(m_table);
    m_table->show();
}

void SettingsMergeView::refresh()
{
    if (!isSameRows(m_shown, m_desk.editor().mergeRows())) makeRows();
    const auto& rows = m_desk.editor().mergeRows();
    for (std::size_t i = 0; i < m_rows.size() && i < rows.size(); ++i) {
        m_rows[i].theirs->setChecked(rows[i].choice == Choice::Theirs);
        m_rows[i].yours->setChecked(rows[i].choice == Choice::Yours);
    }
    m_news->setText(m_desk.news());
    const QString whyNot = m_desk.whyNoMerge();
    m_whyNot->setText(
        whyNot.isEmpty() ? QStringLiteral("Nothing is saved yet: the preview runs anew first.")
                         : whyNot);
    m_take->setEnabled(whyNot.isEmpty());
}

QWidget* SettingsMergeView::first() const
{
    return m_rows.empty() ? nullptr : m_rows.front().theirs;
}

} // namespace weir::view
