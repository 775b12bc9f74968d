// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/view/incident_page.h"
#include "tests/app/support/incident_samples.h"

#include <QTest>

namespace weir::test {

/// A stage with incidents in its store, on their page.
class IncidentScene final
{
public:
    enum class Store { Empty, Filled };

    explicit IncidentScene(
        Store store = Store::Filled,
        bool isReadOnly = false,
        const view::Theme& theme = view::Theme::light())
        : stage(theme, isReadOnly)
    {
        stage.fill();
        if (store == Store::Filled) fillIncidents(stage);
        stage.window.show();
    }

    /// To the list, or to this incident.
    void go(const QString& key = {})
    {
        stage.window.go({model::Place::Page::Incidents, key, std::nullopt});
        stage.settle();
        stage.window.refresh();
    }

    [[nodiscard]] view::IncidentPage& page()
    {
        return *static_cast<view::IncidentPage*>(stage.window.page(model::Place::Page::Incidents));
    }

    [[nodiscard]] model::IncidentList& list() { return page().list(); }

    [[nodiscard]] model::IncidentDetail& detail() { return page().detail(); }

    /// To whoever has the focus.
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        QWidget* focus = stage.window.focusWidget();
        QTest::keyClick(focus != nullptr ? focus : &page(), key, modifiers);
        stage.settle();
    }

    Stage stage;
};

/// All cells, "|" behind each, a line a row.
[[nodiscard]] inline QString textOf(const model::Grid& grid)
{
    QString text;
    for (const auto& row : grid.rows()) {
        for (const auto& cell : row.cells)
            text += cell.text + QChar('|');
        text += QChar('\n');
    }
    return text;
}

/// Null where none is called that.
template <class Widget>
Widget* named(QWidget& parent, const char* name)
{
    for (auto* widget : parent.findChildren<Widget*>()) {
        if (widget->accessibleName() == QString::fromLatin1(name)) return widget;
    }
    return nullptr;
}

} // namespace weir::test
