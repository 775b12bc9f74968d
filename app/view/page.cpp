// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/page.h"

#include <QAction>
#include <QKeyEvent>

namespace weir::view {

QAction* Page::addKey(const QString& text, const QKeySequence& key, std::function<void()> run)
{
    auto* action = new QAction(text, this);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetShortcut);
    connect(action, &QAction::triggered, this, std::move(run));
    addAction(action);
    return action;
}

void Page::keyPressEvent(QKeyEvent* event)
{
    const QKeySequence pressed(event->keyCombination());
    // "+" may need Shift on a keyboard, and then is a plus all the same.
    const QKeySequence typed(event->key());
    for (QAction* action : actions()) {
        const bool isSign = event->key() == Qt::Key_Plus || event->key() == Qt::Key_Minus;
        if (!action->isEnabled() || action->shortcut() != (isSign ? typed : pressed)) continue;
        action->trigger();
        event->accept();
        return;
    }
    QWidget::keyPressEvent(event);
}

} // namespace weir::view
