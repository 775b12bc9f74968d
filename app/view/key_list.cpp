// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/key_list.h"

#include "app/view/pieces.h"

#include <QAction>
#include <QGridLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace weir::view {

KeyList::KeyList(const Theme& theme, const QList<QAction*>& actions, QWidget* parent)
    : QDialog(parent)
{
    setWindowTitle(QStringLiteral("Keys"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, 20, 24, 18);
    layout->setSpacing(14);
    auto* title = new Line(uiFont(15.0, QFont::Medium), theme.text, this);
    title->setText(QStringLiteral("Keys"));
    layout->addWidget(title);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(24);
    grid->setVerticalSpacing(7);
    grid->setColumnMinimumWidth(1, 280);
    int row = 0;
    for (const QAction* action : actions) {
        QStringList keys;
        for (const QKeySequence& key : action->shortcuts()) {
            keys << key.toString(QKeySequence::NativeText);
        }
        auto* shortcut = new Line(monoFont(9.5), theme.accent, this);
        shortcut->setText(keys.join(QStringLiteral(" or ")));
        auto* what = new Line(uiFont(), theme.text, this);
        what->setText(action->text());
        grid->addWidget(shortcut, row, 0);
        grid->addWidget(what, row, 1);
        ++row;
    }
    layout->addLayout(grid);
    auto* close = new QPushButton(QStringLiteral("Close"), this);
    close->setAutoDefault(false);
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    layout->addWidget(close, 0, Qt::AlignRight);
}

} // namespace weir::view
