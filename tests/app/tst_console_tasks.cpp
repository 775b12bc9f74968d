// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/format.h"
#include "app/model/task_rows.h"
#include "app/view/tasks_page.h"
#include "tests/app/support/stage.h"

#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <span>

using namespace weir;
using model::GridCell;
using model::PanelState;
using model::Place;
using std::chrono::hours;
using std::chrono::minutes;
using test::Stage;
using view::TasksPage;
using view::Theme;

namespace {

CallRecord call(const std::string& type, const std::string& task, int number, UtcTime at)
{
    CallRecord record;
    record.requestId = type + task + '-' + std::to_string(number);
    record.agentId = "agent-1";
    record.taskId = type + task;
    record.taskType = type;
    record.model = "m";
    record.provider = "baseten";
    record.route = "baseten/m@us";
    record.startedAt = at;
    record.durationMs = 3000;
    record.ttftMs = 800 + number % 7 * 40;
    record.outcome = Outcome::Ok;
    record.costMicroUsd = 10'000;
    record.last = true;
    return record;
}

/// Two types of tasks over a week: reviews at two providers, with a failover, and a few summaries.
std::vector<CallRecord> sampleCalls(UtcTime now)
{
    std::vector<CallRecord> calls;
    for (int i = 0; i < 14 * 24; ++i) {
        const UtcTime at = now - hours{i} - minutes{7};
        // Dearer in the last day than in the one before.
        for (int n = 0; n < 3; ++n) {
            CallRecord one = call("code-review", std::to_string(i * 2 + n % 2), i * 3 + n, at);
            one.provider = n == 2 ? "fireworks" : "baseten";
            one.costMicroUsd = (i < 24 ? 12'000 : 10'000) + i % 9 * 700;
            calls.push_back(one);
        }
        if (i % 5 != 0) continue;
        CallRecord one = call("summary", std::to_string(i), i, at);
        one.provider = "coreweave";
        one.costMicroUsd = 4'000;
        calls.push_back(one);
        one = call("extract <b>", std::to_string(i), i, at);
        one.costMicroUsd.reset();
        calls.push_back(one);
    }
    CallRecord failed = call("code-review", "f", 9000, now - minutes{90});
    failed.outcome = Outcome::RateLimited;
    failed.last = false;
    failed.ttftMs.reset();
    failed.costMicroUsd = 0;
    calls.push_back(failed);
    CallRecord second = failed;
    second.attempt = 2;
    second.provider = "fireworks";
    second.route = "fireworks/m@us";
    second.outcome = Outcome::Ok;
    second.ttftMs = 900;
    second.costMicroUsd = 11'000;
    second.last = true;
    second.flags = static_cast<std::uint16_t>(CallFlag::Explored);
    calls.push_back(second);
    CallRecord shed = call("code-review", "s", 9001, now - minutes{80});
    shed.attempt = 0;
    shed.unserved = Unserved::Shed;
    calls.push_back(shed);
    CallRecord eval = call("code-review", "e", 9002, now - minutes{70});
    eval.flags = static_cast<std::uint16_t>(CallFlag::Eval);
    eval.costMicroUsd = 55'000;
    calls.push_back(eval);
    return calls;
}

void ingest(Stage& stage, std::vector<CallRecord> calls)
{
    const auto done = stage.archive.database().ingest(std::move(calls), "agent-1", {1, 1, 1});
    QVERIFY2(done.has_value(), done ? "" : done.error().text().c_str());
}

TasksPage& open(Stage& stage, const Place& place = {Place::Page::Tasks, {}, std::nullopt})
{
    stage.window.show();
    stage.window.go(place);
    stage.settle();
    return *stage.window.findChild<TasksPage*>();
}

QString cell(TasksPage& page, const QString& type, int column)
{
    const model::Grid& grid = page.costs().tasks();
    const int row = grid.rowOf(type);
    return row < 0 ? QStringLiteral("no row") : grid.index(row, column).data().toString();
}

QString messageOf(TasksPage& page)
{
    const auto* bar = page.findChild<view::MessageBar*>();
    return bar->isVisible() ? bar->text() : QString();
}

enum Column { Type, Tasks, Calls, Cost, Change, P50, P95, Failovers, Shed, Success };

const QString kReview = QStringLiteral("code-review");

} // namespace

class TestConsoleTasks final : public QObject
{
    Q_OBJECT

private slots:

    void eachTypeOfTaskHasItsFigures()
    {
        Stage stage;
        ingest(stage, sampleCalls(stage.clock.now()));
        TasksPage& page = open(stage);
        // From 11:00Z of the day before on: 24 hours with two tasks each, and the failover's.
        QCOMPARE(cell(page, kReview, Tasks), QStringLiteral("49"));
        QCOMPARE(cell(page, kReview, Calls), QStringLiteral("1.49"));
        QVERIFY(cell(page, kReview, Cost).startsWith(QStringLiteral("$0.02")));
        QVERIFY(cell(page, kReview, Change).startsWith(QChar('+')));
        QVERIFY(cell(page, kReview, P50).endsWith(QStringLiteral(" s")));
        QCOMPARE(cell(page, kReview, Failovers), QStringLiteral("1.4 %"));
        QCOMPARE(cell(page, kReview, Shed), QStringLiteral("1"));
        QVERIFY(
            cell(page, kReview, Success).contains(QStringLiteral("baseten 98.0 % · fireworks")));
        stage.keep(QStringLiteral("tasks-live-light"));
    }

    void fewTasksAreGreyAndCounted()
    {
        Stage stage;
        ingest(stage, sampleCalls(stage.clock.now()));
        TasksPage& page = open(stage);
        QCOMPARE(cell(page, QStringLiteral("summary"), Cost), QStringLiteral("$0.0040 n=5"));
        const model::Grid& grid = page.costs().tasks();
        const auto faint = [&grid](const QString& type) {
            return grid.index(grid.rowOf(type), Cost)
                .data(model::Grid::CellRole)
                .value<GridCell>()
                .isFaint;
        };
        QVERIFY(faint(QStringLiteral("summary")));
        QVERIFY(!faint(kReview));
    }

    void tasksAtTwoProvidersAreCounted()
    {
        Stage stage;
        const UtcTime now = stage.clock.now();
        CallRecord first = call("a", "1", 1, now - minutes{30});
        CallRecord second = call("a", "1", 2, now - minutes{20});
        second.provider = "fireworks";
        ingest(stage, {first, second, call("a", "2", 3, now - minutes{10})});
        TasksPage& page = open(stage);
        QCOMPARE(
            page.costs().noteText(),
            QStringLiteral("1 of 2 tasks (50.0 %) used more than one provider."));
    }

    void whatHasNoKnownCostIsNotFree()
    {
        Stage stage;
        const UtcTime now = stage.clock.now();
        CallRecord one = call("a", "1", 1, now - minutes{30});
        one.costMicroUsd.reset();
        ingest(stage, {one});
        TasksPage& page = open(stage);
        QVERIFY(
            page.costs().noteText().endsWith(QStringLiteral("1 attempt without a known cost.")));
        QCOMPARE(cell(page, QStringLiteral("a"), Cost), QStringLiteral("—"));
        QCOMPARE(page.costs().providers().index(0, 1).data().toString(), QStringLiteral("—"));
        QVERIFY(page.chart()->text().contains(QStringLiteral("Together —")));
    }

    void barsAddUpToTheProviders()
    {
        Stage stage;
        ingest(stage, sampleCalls(stage.clock.now()));
        TasksPage& page = open(stage);
        const model::CostBars& bars = page.costs().bars();
        QCOMPARE(bars.bars.size(), std::size_t{24});
        QCOMPARE(bars.bars.back().from, epochMs(stage.clock.now()) - 15 * 60'000);
        QVERIFY(bars.bars.back().isPartial);
        QVERIFY(!bars.bars.front().isPartial);
        QCOMPARE(bars.bars.back().attempts, std::int64_t{5});
        QCOMPARE(
            page.costs().asideText(),
            QStringLiteral("In the bars: exploration, $0.0110 in 1 attempt. "
                           "Besides: eval runs and copies, $0.0550 in 1 attempt."));
        QCOMPARE(page.chart()->text(), QStringLiteral("Together ") + model::money(bars.total()));
    }

    void providersHaveTheColoursOfTheLiveCharts()
    {
        Stage stage;
        stage.fill();
        CallRecord one = call("a", "1", 1, stage.clock.now() - minutes{30});
        one.provider = "fireworks";
        CallRecord other = call("a", "2", 2, stage.clock.now() - minutes{30});
        other.provider = "aaa";
        ingest(stage, {one, other});
        TasksPage& page = open(stage);
        const auto& live = stage.console.models().history().providers();
        const auto& here = page.costs().bars().providers;
        QCOMPARE(here.size(), live.size() + 1);
        QVERIFY(std::ranges::equal(live, std::span{here}.first(live.size())));
        QCOMPARE(here.back(), std::string{"aaa"});
    }

    void aBarIsChosenByTheKeyboard()
    {
        Stage stage;
        ingest(stage, sampleCalls(stage.clock.now()));
        TasksPage& page = open(stage);
        page.chart()->setFocus();
        QTest::keyClick(page.chart(), Qt::Key_Left);
        QCOMPARE(page.chart()->chosen(), std::optional<std::size_t>{23});
        QVERIFY(
            page.chart()->text().startsWith(QStringLiteral("30 Nov 10:00Z to 11:00Z, so far: $")));
        QTest::keyClick(page.chart(), Qt::Key_Left);
        QCOMPARE(page.chart()->chosen(), std::optional<std::size_t>{22});
        QVERIFY(!stage.console.window().crosshair().has_value());
        stage.keep(QStringLiteral("tasks-bar-light"));
        QTest::keyClick(page.chart(), Qt::Key_Escape);
        QVERIFY(!page.chart()->chosen().has_value());
    }

    void aWeekIsInDays()
    {
        Stage stage;
        ingest(stage, sampleCalls(stage.clock.now()));
        TasksPage& page = open(stage);
        auto* range = page.findChild<QComboBox*>();
        range->setFocus();
        QTest::keyClick(range, Qt::Key_Down);
        stage.settle();
        const model::CostBars& bars = page.costs().bars();
        QCOMPARE(bars.bars.size(), std::size_t{7});
        QCOMPARE(bars.timeText(bars.bars.back()), QStringLiteral("30 Nov, so far"));
        QVERIFY(
            page.costs().rangeText().startsWith(QStringLiteral("24 Nov 00:00Z to 30 Nov 10:15Z")));
        stage.keep(QStringLiteral("tasks-week-light"));
    }

    void aLinkKeepsItsTimeAndItsRow()
    {
        Stage stage;
        ingest(stage, sampleCalls(stage.clock.now()));
        const model::Ms now = epochMs(stage.clock.now());
        const model::Span past{now - 50 * 3'600'000, now - 26 * 3'600'000};
        TasksPage& page = open(stage, {Place::Page::Tasks, kReview, past});
        QCOMPARE(page.costs().shown().to, past.to);
        QCOMPARE(page.place().key, kReview);
        QCOMPARE(page.place().range->to, past.to);
        QVERIFY(!page.costs().bars().bars.empty());
        open(stage);
        QCOMPARE(page.costs().shown().to, now);
    }

    void whatIsShownIsReadAgainByItself()
    {
        Stage stage;
        TasksPage& page = open(stage);
        QCOMPARE(page.costs().taskPanel().kind, PanelState::Kind::Empty);
        ingest(stage, sampleCalls(stage.clock.now()));
        stage.wait(std::chrono::seconds{30});
        stage.settle();
        QCOMPARE(page.costs().taskPanel().kind, PanelState::Kind::Empty);
        stage.wait(std::chrono::seconds{31});
        stage.settle();
        QCOMPARE(page.costs().taskPanel().kind, PanelState::Kind::Live);
    }

    void statesAreDrawn_data()
    {
        QTest::addColumn<QString>("state");
        QTest::addColumn<bool>("isDark");
        for (const char* state : {"loading", "live", "empty", "error-first", "error"}) {
            for (const bool isDark : {false, true}) {
                QTest::addRow("%s-%s", state, isDark ? "dark" : "light")
                    << QString::fromLatin1(state) << isDark;
            }
        }
    }

    void statesAreDrawn()
    {
        QFETCH(QString, state);
        QFETCH(bool, isDark);
        Stage stage(isDark ? Theme::dark() : Theme::light());
        stage.fill();
        const bool isFilled = state == QStringLiteral("live") || state == QStringLiteral("error");
        if (isFilled) ingest(stage, sampleCalls(stage.clock.now()));
        if (state == QStringLiteral("loading")) stage.archive.hold(true);
        const Error gone{"unreachable", "db:5432", "did not answer (3 s)"};
        if (state == QStringLiteral("error-first")) stage.archive.refuse(gone);
        TasksPage& page = open(stage);
        if (state == QStringLiteral("error")) {
            stage.archive.refuse(gone);
            page.costs().read();
            stage.settle();
        }
        stage.keep(QStringLiteral("tasks-") + QString::fromLatin1(QTest::currentDataTag()));
        const bool isError = state.startsWith(QStringLiteral("error"));
        QCOMPARE(messageOf(page).contains(QStringLiteral("db:5432")), isError);
        QCOMPARE(page.findChildren<QPushButton*>().first()->isVisible(), isError);
        QCOMPARE(page.costs().tasks().rowCount() > 0, isFilled);
        for (const QLabel* label : page.findChildren<QLabel*>())
            QCOMPARE(label->textFormat(), Qt::PlainText);
        if (!isError) return;
        stage.archive.refuse(std::nullopt);
        page.findChildren<QPushButton*>().first()->click();
        stage.settle();
        QVERIFY(messageOf(page).isEmpty());
    }

    void everyTabStopHasAName()
    {
        Stage stage;
        ingest(stage, sampleCalls(stage.clock.now()));
        TasksPage& page = open(stage);
        for (const QWidget* widget : page.findChildren<QWidget*>()) {
            const bool isStop = (widget->focusPolicy() & Qt::TabFocus) != 0 && widget->isVisible();
            if (isStop) QVERIFY(!widget->accessibleName().isEmpty());
        }
        QVERIFY(page.chart()->accessibleDescription().startsWith(QStringLiteral("Together $")));
    }

    void theTableIsSavedWholeOrNotAtAll()
    {
        Stage stage;
        ingest(stage, sampleCalls(stage.clock.now()));
        TasksPage& page = open(stage);
        const QString path = stage.folder.filePath(QStringLiteral("out.csv"));
        page.findChildren<QPushButton*>().last()->click();
        auto* dialog = page.findChild<QFileDialog*>();
        QVERIFY(dialog != nullptr);
        emit dialog->fileSelected(path);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(file.readAll());
        QVERIFY(text.startsWith(QStringLiteral("Task type,Tasks,Calls/task,Cost/task,")));
        QVERIFY(text.contains(QStringLiteral("code-review,49,1.49,")));
        QVERIFY(text.contains(QStringLiteral("\"'+")) || text.contains(QStringLiteral(",'+")));
        page.saveTo(stage.folder.filePath(QStringLiteral("none/out.csv")));
        QStringList said;
        for (const auto* line : page.findChildren<view::Line*>())
            said << line->text();
        QVERIFY(said.join(QChar('\n')).contains(QStringLiteral("out.csv cannot be written: ")));
    }

    void aRowLeadsToItsDecisions()
    {
        Stage stage;
        ingest(stage, sampleCalls(stage.clock.now()));
        TasksPage& page = open(stage);
        QSignalSpy wanted(&stage.console, &model::Console::placeWanted);
        page.table()->choose(kReview);
        QTest::keyClick(page.table(), Qt::Key_Return);
        QCOMPARE(wanted.count(), 1);
        const auto place = wanted[0][0].value<Place>();
        QCOMPARE(place.page, Place::Page::Decisions);
        QCOMPARE(place.key, QStringLiteral("type=code-review"));
    }
};

QTEST_MAIN(TestConsoleTasks)
#include "tst_console_tasks.moc"
