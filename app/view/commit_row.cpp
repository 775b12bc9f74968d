// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/commit_row.h"

#include <QDialog>
#include <QHBoxLayout>
#include <QPushButton>
#include <QShortcut>
#include <QVBoxLayout>

namespace weir::view {

void addCommitRow(
    QDialog& dialog,
    QVBoxLayout& layout,
    QPushButton& cancel,
    QPushButton& commit,
    const std::function<void()>& write)
{
    auto* row = new QHBoxLayout;
    row->addStretch(1);
    row->addWidget(&cancel);
    row->addWidget(&commit);
    layout.addLayout(row);
    // With a default button, Return in any field would press it.
    cancel.setAutoDefault(false);
    commit.setAutoDefault(false);
    QObject::connect(&cancel, &QPushButton::clicked, &dialog, &QDialog::reject);
    QObject::connect(&commit, &QPushButton::clicked, &dialog, write);
    for (const int key : {Qt::Key_Return, Qt::Key_Enter}) {
        auto* shortcut = new QShortcut(QKeySequence(static_cast<int>(Qt::CTRL) | key), &dialog);
        QObject::connect(shortcut, &QShortcut::activated, &dialog, write);
    }
}

} // namespace weir::view
