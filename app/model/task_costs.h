// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/reports/task_report.h"
#include "agent/store/history_query.h"
#include "app/model/asked.h"
#include "app/model/bars.h"
#include "app/model/console.h"
#include "app/model/grid.h"

#include <QObject>

#include <optional>
#include <vector>

namespace weir::model {

/// What tasks did and cost in the last 24 hours or 7 days, in whole UTC hours or days of which the
/// last is not over: the Tasks & cost page. The table comes from the ledger, the bars from its
/// history.
class TaskCosts final : public QObject
{
    Q_OBJECT

public:
    enum class Length : std::uint8_t { Day, Week };

    explicit TaskCosts(Console& console, QObject* parent = nullptr);

    /// Reads the stretch that ends at `end`; now where there is none.
    void show(Length length, std::optional<Ms> end = std::nullopt);
    /// Reads again.
    void read();
    /// Reads again where what is shown is old.
    void refresh();

    [[nodiscard]] Length length() const { return m_length; }

    /// Nothing while the range ends now.
    [[nodiscard]] std::optional<Ms> end() const { return m_end; }

    /// What is shown, which may be older than what was asked for.
    [[nodiscard]] Span shown() const;
    [[nodiscard]] PanelState taskPanel() const;
    [[nodiscard]] PanelState costPanel() const;

    [[nodiscard]] bool isReading() const { return m_tasks.isAsking() || m_history.isAsking(); }

    [[nodiscard]] Grid& tasks() { return m_taskGrid; }

    [[nodiscard]] Grid& providers() { return m_providerGrid; }

    [[nodiscard]] const CostBars& bars() const { return m_bars; }

    /// "29 Nov 11:00Z to 30 Nov 10:15Z, …"; what the change is against.
    [[nodiscard]] QString rangeText() const;
    /// How many tasks used two providers, and what is not in the table.
    [[nodiscard]] QString noteText() const;
    /// What exploration cost, which is in the bars, and eval runs and copies, which are not.
    [[nodiscard]] QString asideText() const;

signals:
    void changed();

private:
    struct Tasks
    {
        Span span;
        std::vector<reports::TaskReport> reports;
        reports::TaskAside aside;
        reports::TaskAside explored;
    };

    struct Costs
    {
        Span span;
        Ms step = 1;
        std::vector<store::HistoryPoint> points;
    };

    [[nodiscard]] Span spanAsked() const;
    void showTasks();
    void showCosts();

    Console& m_console;
    Length m_length = Length::Day;
    std::optional<Ms> m_end;
    UtcTime m_askedAt{};
    Asked<Tasks> m_tasks;
    Asked<Costs> m_history;
    Grid m_taskGrid;
    Grid m_providerGrid;
    CostBars m_bars;
};

} // namespace weir::model
