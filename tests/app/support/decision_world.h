// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/view/decisions_page.h"
#include "tests/app/support/decided.h"
#include "tests/app/support/stage.h"

#include <QLineEdit>
#include <QPushButton>
#include <QTest>

#include <utility>
#include <vector>

namespace weir::test {

inline model::Place requests(const QString& key = {})
{
    return {model::Place::Page::Decisions, key, std::nullopt};
}

/// The window on the page, over a store with these rows and the summary.
struct World
{
    explicit World(
        std::vector<CallRecord> rows = {}, const view::Theme& theme = view::Theme::light())
        : stage(theme)
    {
        stage.fill();
        decided.save(stage.archive.database());
        add(std::move(rows));
    }

    void add(std::vector<CallRecord> rows) { ingest(stage.archive.database(), std::move(rows)); }

    view::DecisionsPage& go(const QString& key = {})
    {
        stage.window.go(requests(key));
        stage.settle();
        (void)stage.picture();
        return page();
    }

    view::DecisionsPage& page()
    {
        return *static_cast<view::DecisionsPage*>(stage.window.page(model::Place::Page::Decisions));
    }

    void find(const QString& words)
    {
        QLineEdit* field = page().list().query()->field();
        field->setText(words);
        QTest::keyClick(field, Qt::Key_Return);
        stage.settle();
        stage.window.refresh();
    }

    [[nodiscard]] int rows() { return page().list().table()->model()->rowCount(); }

    [[nodiscard]] QString cell(const view::GridView* table, int row, int column) const
    {
        return table->model()->index(row, column).data().toString();
    }

    Decided decided;
    Stage stage;
};

inline std::vector<CallRecord> many(const Decided& decided, int count)
{
    std::vector<CallRecord> rows;
    for (int i = 1; i <= count; ++i)
        rows.push_back(decided.record(i));
    return rows;
}

/// What the message bar under `parent` says, where one is visible.
inline QString message(const QWidget& parent)
{
    for (const auto* bar : parent.findChildren<view::MessageBar*>()) {
        if (bar->isVisible()) return bar->text();
    }
    return {};
}

inline void pressAction(const QWidget& parent)
{
    for (const auto* bar : parent.findChildren<view::MessageBar*>()) {
        if (!bar->isVisible()) continue;
        bar->findChild<QPushButton*>()->click();
        return;
    }
    QFAIL("no message to act on");
}

} // namespace weir::test
