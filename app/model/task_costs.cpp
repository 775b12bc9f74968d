// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/task_costs.h"

#include "app/model/format.h"
#include "app/model/provider_order.h"
#include "app/model/task_rows.h"

namespace weir::model {
namespace {

constexpr Ms kHour = 3'600'000;
constexpr Ms kDay = 24 * kHour;
/// A week of ledger takes a while to read.
constexpr std::chrono::minutes kOldDay{1};
constexpr std::chrono::minutes kOldWeek{10};

Ms stepOf(TaskCosts::Length length)
{
    return length == TaskCosts::Length::Day ? kHour : kDay;
}

std::int64_t tasksIn(std::span<const reports::TaskReport> reports)
{
    std::int64_t sum = 0;
    for (const reports::TaskReport& report : reports)
        sum += report.tasks;
    return sum;
}

QString costText(const reports::TaskAside& aside)
{
    if (aside.attempts == 0) return QStringLiteral("no attempt");
    const bool isKnown = aside.attempts > aside.costUnknown;
    return money(isKnown ? std::optional{aside.costMicroUsd} : std::nullopt) +
           QStringLiteral(" in ") + counted(aside.attempts, QStringLiteral("attempt"));
}

} // namespace

TaskCosts::TaskCosts(Console& console, QObject* parent)
    : QObject(parent)
    , m_console(console)
    , m_tasks(console.archive(), console.clock(), [this] { showTasks(); })
    , m_history(console.archive(), console.clock(), [this] { showCosts(); })
    , m_taskGrid(taskColumns())
    , m_providerGrid(providerColumns())
{
}

Span TaskCosts::spanAsked() const
{
    const Ms step = stepOf(m_length);
    const Ms to = m_end.value_or(epochMs(m_console.now()));
    const Ms steps = m_length == Length::Day ? 24 : 7;
    // The step that holds the last moment is one of them.
    return {(to - 1) / step * step - (steps - 1) * step, to};
}

void TaskCosts::show(Length length, std::optional<Ms> end)
{
    m_length = length;
    m_end = end;
    read();
}

void TaskCosts::read()
{
    m_askedAt = m_console.now();
    const Span span = spanAsked();
    const Ms step = stepOf(m_length);
    // The history first: it is made of sums and quick to read.
    m_history.ask([span, step](store::Database& database) -> Result<Costs> {
        const store::HistoryQuery query{
            {},
            fromEpochMs(span.from),
            fromEpochMs(span.to),
            std::chrono::duration_cast<std::chrono::seconds>(std::chrono::milliseconds{step})};
        auto points = database.history(query);
        if (!points) return tl::unexpected(points.error());
        return Costs{span, step, std::move(*points)};
    });
    m_tasks.ask([span](store::Database& database) -> Result<Tasks> {
        const Result<reports::TaskTally> tally = reports::tallyTasks(database, span.from, span.to);
        if (!tally) return tl::unexpected(tally.error());
        return Tasks{span, tally->reports(), tally->aside(), tally->explored()};
    });
    emit changed();
}

void TaskCosts::refresh()
{
    const auto old = m_length == Length::Day ? kOldDay : kOldWeek;
    const bool isOld = m_console.now() - m_askedAt >= old;
    if (!m_end && isOld && !isReading() && m_tasks.hasArchive()) read();
}

void TaskCosts::showTasks()
{
    if (const Tasks* tasks = m_tasks.value()) m_taskGrid.apply(taskRows(tasks->reports));
    emit changed();
}

void TaskCosts::showCosts()
{
    if (const Costs* costs = m_history.value()) {
        std::set<std::string> providers;
        for (const store::HistoryPoint& point : costs->points)
            providers.insert(point.provider);
        m_bars =
            costBars(costs->span, costs->step, costs->points, providerOrder(m_console, providers));
        m_providerGrid.apply(providerRows(m_bars, costs->points));
    }
    emit changed();
}

Span TaskCosts::shown() const
{
    return m_tasks.value() != nullptr ? m_tasks.value()->span : spanAsked();
}

PanelState TaskCosts::taskPanel() const
{
    PanelState state = m_tasks.panel();
    if (state.kind == PanelState::Kind::Live && m_taskGrid.rowCount() == 0) {
        state.kind = PanelState::Kind::Empty;
        state.text = QStringLiteral("No request in that time. Callers name a task's type with the "
                                    "header X-Weir-Task-Type; without it, it is \"default\".");
    }
    return state;
}

PanelState TaskCosts::costPanel() const
{
    PanelState state = m_history.panel();
    if (state.kind == PanelState::Kind::Live && m_providerGrid.rowCount() == 0) {
        state.kind = PanelState::Kind::Empty;
        state.text = QStringLiteral("No attempt in that time: nothing was spent.");
    }
    return state;
}

QString TaskCosts::rangeText() const
{
    const Span span = shown();
    const QString before = momentText(2 * span.from - span.to);
    QString text = QStringLiteral("%1 to %2; the change is against %3 to %1")
                       .arg(momentText(span.from), momentText(span.to), before);
    if (isReading()) text += QStringLiteral(" · reading…");
    return text;
}

QString TaskCosts::noteText() const
{
    const Tasks* tasks = m_tasks.value();
    if (tasks == nullptr || tasks->reports.empty()) return {};
    const std::int64_t all = tasksIn(tasks->reports);
    std::int64_t mixed = 0;
    std::int64_t unknownCost = 0;
    for (const reports::TaskReport& report : tasks->reports) {
        mixed += report.mixedTasks;
        unknownCost += report.costUnknown;
    }
    std::optional<double> share;
    if (all > 0) share = static_cast<double>(mixed) / static_cast<double>(all);
    QString text = QStringLiteral("%1 of %2 (%3) used more than one provider")
                       .arg(mixed)
                       .arg(counted(all, QStringLiteral("task")), percent(share));
    text += QChar('.');
    if (unknownCost > 0) {
        text += QStringLiteral(" %1 without a known cost.")
                    .arg(counted(unknownCost, QStringLiteral("attempt")));
    }
    return text;
}

QString TaskCosts::asideText() const
{
    const Tasks* tasks = m_tasks.value();
    if (tasks == nullptr) return {};
    return QStringLiteral("In the bars: exploration, %1. Besides: eval runs and copies, %2.")
        .arg(costText(tasks->explored), costText(tasks->aside));
}

} // namespace weir::model
