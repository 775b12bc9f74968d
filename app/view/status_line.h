// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/console.h"
#include "app/view/pieces.h"
#include "app/view/theme.h"

#include <QWidget>

namespace weir::view {

/// One door to the world: a sign, its name, and how fast it answers or what is wrong.
class ReachLabel final : public QWidget
{
    Q_OBJECT

public:
    ReachLabel(const Theme& theme, QString caption, QWidget* parent = nullptr);

    void show(const model::Reach& reach);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
    QString m_caption;
    model::Reach::State m_state = model::Reach::State::Waiting;
    Line* m_text;
};

/// The bottom line: the store, the agents' HTTP, the time in UTC.
class StatusLine final : public QWidget
{
    Q_OBJECT

public:
    StatusLine(const Theme& theme, model::Console& console, QWidget* parent = nullptr);

    void refresh();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
    model::Console& m_console;
    ReachLabel* m_store;
    ReachLabel* m_agent;
    Line* m_clock;
};

} // namespace weir::view
