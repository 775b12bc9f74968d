// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/place.h"

#include <QKeySequence>
#include <QWidget>

#include <functional>
#include <vector>

class QAction;

namespace weir::view {

/// What fills the window below its header. Made when somebody first goes there.
class Page : public QWidget
{
    Q_OBJECT

public:
    using QWidget::QWidget;

    /// A key of this page alone; it works wherever the focus is in it, and stands in the list of
    /// keys.
    QAction* addKey(const QString& text, const QKeySequence& key, std::function<void()> run);

    /// Paints anew from the models: with news, and each second for what grows old. Only while the
    /// page is in front.
    virtual void refresh() = 0;
    /// The widgets that F6 goes through, in order; at least one.
    [[nodiscard]] virtual std::vector<QWidget*> panes() const = 0;

    /// It comes to the front, to show this: reads what it needs.
    virtual void enter(const model::Place& place) = 0;

    /// Where "/" goes; null where the page has nothing to filter.
    [[nodiscard]] virtual QWidget* filterField() const { return nullptr; }

    /// Esc: from a detail to the list. False where there is nothing to go back from.
    virtual bool goBack() { return false; }

    /// What a link to what is shown says.
    [[nodiscard]] virtual model::Place place() const = 0;

protected:
    /// What whoever has the focus has left alone.
    void keyPressEvent(QKeyEvent* event) override;
};

} // namespace weir::view
