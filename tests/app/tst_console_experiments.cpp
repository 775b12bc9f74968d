// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view/experiments_page.h"
#include "common/model/saved_decision.h"
#include "common/model/summary_json.h"
#include "common/routing/decide.h"
#include "tests/app/support/stage.h"

#include <nlohmann/json.hpp>

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace weir;
using model::PanelState;
using model::Place;
using std::chrono::hours;
using std::chrono::minutes;
using test::Stage;
using view::ExperimentsPage;
using view::Theme;

namespace {

const std::string kSummary = "8f31000000000000";

/// Of shadow mode: the fixed order begins at baseten; adaptive agrees, or goes to fireworks for its
/// price.
SavedDecision decided(bool agrees)
{
    SavedDecision saved;
    saved.providers = {"baseten", "fireworks"};
    DecisionInput& input = saved.served.input;
    input.mode = EffectiveMode::Shadow;
    input.seed = 7;
    input.routes.resize(2);
    input.routes[1].fixedPosition = 1;
    saved.served.decision = routing::decide({}, input);
    saved.shadow = saved.served;
    saved.shadow->snapshotId = kSummary;
    if (agrees) return saved;
    saved.shadow->input.mode = EffectiveMode::Adaptive;
    saved.shadow->input.sort = SortBy::Price;
    saved.shadow->input.routes[0].listPriceNanoUsd = 900;
    saved.shadow->input.routes[1].listPriceNanoUsd = 100;
    saved.shadow->decision = routing::decide({}, saved.shadow->input);
    return saved;
}

void addDecisions(Stage& stage, int agreed, int moved, Duration age = minutes{5})
{
    std::vector<CallRecord> calls;
    for (int i = 0; i < agreed + moved; ++i) {
        CallRecord call;
        call.requestId = "req-" + std::to_string(i);
        call.taskId = call.requestId;
        call.startedAt = stage.clock.now() -
                         std::chrono::duration_cast<std::chrono::milliseconds>(age) -
                         std::chrono::seconds{i};
        call.model = "glm";
        call.taskType = "default";
        call.provider = "baseten";
        call.route = "baseten/x";
        call.last = true;
        call.decision = encode(decided(i < agreed));
        calls.push_back(call);
    }
    QVERIFY(stage.archive.database().ingest(std::move(calls), "agent-1", {1, 1, 1}));
}

/// fireworks is cheaper by $0.0040 a task and slower by 0.4 s.
void addSummary(Stage& stage)
{
    Summary summary;
    summary.id = kSummary;
    summary.computedAtMs = epochMs(stage.clock.now()) - 300'000;
    PoolSummary& pool = summary.pools.emplace_back();
    pool.model = "glm";
    pool.taskType = "default";
    for (const char* provider : {"baseten", "fireworks"}) {
        RouteFigures& route = pool.routes.emplace_back();
        route.provider = provider;
        const bool isFirst = route.provider == "baseten";
        route.costNanoUsd = isFirst ? 31'000'000 : 27'000'000;
        route.ttftUs.value = isFirst ? 800'000 : 1'200'000;
    }
    store::Database& database = stage.archive.database();
    const auto lease = database.takeLease("summary", "agent-1", hours{1});
    QVERIFY(lease && *lease);
    QVERIFY(database.insertSummary(
        {summary.id, summary.computedAtMs, 1, toJson(summary).dump()}, **lease));
}

void addCopies(Stage& stage)
{
    std::vector<MirrorComparison> all;
    const auto add = [&](int number, const std::string& task, std::int64_t score) {
        MirrorComparison one;
        one.requestId = task + std::to_string(number);
        one.at = stage.clock.now() - minutes{number};
        one.taskType = task;
        one.served = {"glm", "baseten", Outcome::Ok, true, false, 800'000, 300, 2300, 100, 1000};
        one.candidate = {
            "small", "fireworks", Outcome::Ok, true, false, score, 150, 1150, 100, 250};
        all.push_back(one);
    };
    for (int i = 0; i < 60; ++i)
        add(i, "code-review", 800'000 + i % 3 * 1000);
    for (int i = 0; i < 10; ++i)
        add(i, "summary", 790'000);
    for (int i = 0; i < 40; ++i)
        add(i, "support <b>", 300'000);
    QVERIFY(stage.archive.database().addComparisons(all));
}

void addEvals(Stage& stage)
{
    const auto run = [&](const std::string& name, const std::string& provider, int hoursAgo) {
        store::EvalRunRow row;
        row.run = name;
        row.who = "maria";
        row.host = "devbox";
        row.score.model = "glm";
        row.score.provider = provider;
        row.score.taskType = "code-review";
        row.score.scorePpm = provider == "baseten" ? 912'900 : 874'000;
        row.score.schemaValidPpm = 1'000'000;
        row.score.refusedPpm = 0;
        row.score.cases = 50;
        row.score.evalSet = "reviews";
        row.score.evalSetHash = "h";
        row.score.scoredAt = stage.clock.now() - hours{hoursAgo};
        row.startedAt = row.score.scoredAt - minutes{4};
        row.costMicroUsd = 240'000;
        row.latencyP50Ms = 2'400;
        return row;
    };
    for (const int age : {30, 3}) {
        std::vector rows{
            run("run-" + std::to_string(age), "baseten", age),
            run("run-" + std::to_string(age), "fireworks", age)};
        rows[1].tells = age == 30;
        QVERIFY(stage.archive.database().saveEvalRun(rows));
    }
}

void addAll(Stage& stage)
{
    addSummary(stage);
    addDecisions(stage, 45, 15);
    addCopies(stage);
    addEvals(stage);
}

ExperimentsPage& open(Stage& stage)
{
    stage.window.show();
    stage.window.go({Place::Page::Experiments, {}, std::nullopt});
    stage.settle();
    return *stage.window.findChild<ExperimentsPage*>();
}

QString textAt(const model::Grid& grid, int row, int column)
{
    return grid.index(row, column).data().toString();
}

} // namespace

class TestConsoleExperiments final : public QObject
{
    Q_OBJECT

private slots:

    void shadowSaysWhatWouldHaveGoneElsewhere()
    {
        Stage stage;
        addAll(stage);
        ExperimentsPage& page = open(stage);
        const auto tiles = page.experiments().tiles();
        QCOMPARE(tiles[0].value, QStringLiteral("75.0 %"));
        QCOMPARE(tiles[0].detail, QStringLiteral("45 of 60 decisions"));
        QCOMPARE(tiles[1].value, QStringLiteral("baseten → fireworks"));
        const model::Grid& grid = page.experiments().shadow();
        QCOMPARE(grid.rowCount(), 1);
        QCOMPARE(textAt(grid, 0, 0), QStringLiteral("baseten"));
        QCOMPARE(textAt(grid, 0, 1), QStringLiteral("fireworks"));
        QCOMPARE(textAt(grid, 0, 4), QStringLiteral("15"));
        QCOMPARE(textAt(grid, 0, 5), QStringLiteral("25.0 %"));
        // A quarter of $0.0040 and of 0.4 s.
        QCOMPARE(tiles[2].value, QStringLiteral("−$0.0010"));
        QVERIFY(tiles[2].detail.startsWith(QStringLiteral("95 %: −$0.001")));
        QCOMPARE(tiles[3].value, QStringLiteral("+0.10 s"));
    }

    void withoutTheSummaryNothingIsEstimated()
    {
        Stage stage;
        addDecisions(stage, 0, 15);
        ExperimentsPage& page = open(stage);
        const auto tiles = page.experiments().tiles();
        QCOMPARE(tiles[0].value, QStringLiteral("0.0 %"));
        QCOMPARE(tiles[2].value, QStringLiteral("—"));
        QCOMPARE(tiles[3].value, QStringLiteral("—"));
    }

    void fullAgreementIsSaid()
    {
        Stage stage;
        addDecisions(stage, 40, 0);
        ExperimentsPage& page = open(stage);
        QCOMPARE(page.experiments().tiles()[0].value, QStringLiteral("100.0 %"));
        QVERIFY(page.experiments().shadowPanel().text.contains(QStringLiteral("every time")));
    }

    void theRangeHoldsForShadowAndCopies()
    {
        Stage stage;
        addDecisions(stage, 3, 1, hours{50});
        ExperimentsPage& page = open(stage);
        QCOMPARE(page.experiments().shadowPanel().kind, PanelState::Kind::Empty);
        page.experiments().show(hours{7 * 24});
        stage.settle();
        QCOMPARE(page.experiments().tiles()[0].value, QStringLiteral("75.0 %"));
    }

    void copiesSuggestAndSayWhy()
    {
        Stage stage;
        addCopies(stage);
        ExperimentsPage& page = open(stage);
        const model::Grid& grid = page.experiments().mirror();
        QCOMPARE(grid.rowCount(), 3);
        constexpr int kSuggestion = 11;
        QCOMPARE(textAt(grid, 0, kSuggestion), QStringLiteral("promote to the ladder"));
        QCOMPARE(textAt(grid, 1, kSuggestion), QStringLiteral("keep comparing"));
        QCOMPARE(textAt(grid, 2, kSuggestion), QStringLiteral("leave it out"));
        QCOMPARE(textAt(grid, 0, 9), QStringLiteral("× 0.25"));
        page.mirror()->choose(grid.keyAt(1));
        stage.settle();
        QVERIFY(page.experiments()
                    .mirrorText(page.mirror()->chosen())
                    .startsWith(QStringLiteral("small for summary: keep comparing, because ")));
    }

    void evalRunsSayWhichScoreCounts()
    {
        Stage stage;
        addEvals(stage);
        ExperimentsPage& page = open(stage);
        const model::Grid& grid = page.experiments().evals();
        QCOMPARE(grid.rowCount(), 4);
        QMap<QString, QString> standing;
        for (int row = 0; row < grid.rowCount(); ++row)
            standing[textAt(grid, row, 0) + QChar(' ') + textAt(grid, row, 3)] =
                textAt(grid, row, 12);
        QCOMPARE(standing[QStringLiteral("30 Nov 07:15Z baseten")], QStringLiteral("in force"));
        QCOMPARE(
            standing[QStringLiteral("30 Nov 07:15Z fireworks")], QStringLiteral("tells nothing"));
        QCOMPARE(standing[QStringLiteral("29 Nov 04:15Z baseten")], QStringLiteral("older"));
        QCOMPARE(standing[QStringLiteral("29 Nov 04:15Z fireworks")], QStringLiteral("in force"));
        for (int row = 0; row < grid.rowCount(); ++row) {
            // Rounded down; unknown where the run tells nothing.
            const bool isFirst = textAt(grid, row, 3) == QStringLiteral("baseten");
            if (isFirst) QCOMPARE(textAt(grid, row, 4), QStringLiteral("0.912"));
            if (textAt(grid, row, 12) == QStringLiteral("tells nothing"))
                QCOMPARE(textAt(grid, row, 4), QStringLiteral("—"));
        }
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
        if (isFilled) addAll(stage);
        if (state == QStringLiteral("loading")) stage.archive.hold(true);
        const Error gone{"unreachable", "db:5432", "did not answer (3 s)"};
        if (state == QStringLiteral("error-first")) stage.archive.refuse(gone);
        ExperimentsPage& page = open(stage);
        if (state == QStringLiteral("error")) {
            stage.archive.refuse(gone);
            page.experiments().read();
            stage.settle();
        }
        stage.keep(QStringLiteral("experiments-") + QString::fromLatin1(QTest::currentDataTag()));
        const auto* bar = page.findChild<view::MessageBar*>();
        const bool isError = state.startsWith(QStringLiteral("error"));
        QCOMPARE(bar->isVisible(), isError);
        for (const QLabel* label : page.findChildren<QLabel*>())
            QCOMPARE(label->textFormat(), Qt::PlainText);
        for (const QWidget* widget : page.findChildren<QWidget*>()) {
            const bool isStop = (widget->focusPolicy() & Qt::TabFocus) != 0 && widget->isVisible();
            const bool hasText = qobject_cast<const QPushButton*>(widget) != nullptr;
            if (isStop && !hasText) QVERIFY(!widget->accessibleName().isEmpty());
        }
        if (state == QStringLiteral("empty")) {
            for (const char* command :
                 {"weirctl mode set shadow", "mirror = {", "weirctl eval run"}) {
                const QString said = page.experiments().shadowPanel().text +
                                     page.experiments().mirrorPanel().text +
                                     page.experiments().evalPanel().text;
                QVERIFY2(said.contains(QString::fromLatin1(command)), command);
            }
        }
        if (!isError) return;
        QVERIFY(bar->text().contains(QStringLiteral("db:5432")));
        stage.archive.refuse(std::nullopt);
        bar->findChild<QPushButton*>()->click();
        stage.settle();
        QVERIFY(!bar->isVisible());
    }

    void rowsLeadToTheirPages()
    {
        Stage stage;
        addAll(stage);
        ExperimentsPage& page = open(stage);
        QSignalSpy wanted(&stage.console, &model::Console::placeWanted);
        page.mirror()->choose(page.experiments().mirror().keyAt(0));
        QTest::keyClick(page.mirror(), Qt::Key_Return);
        QCOMPARE(wanted.count(), 1);
        QCOMPARE(wanted[0][0].value<Place>().key, QStringLiteral("code-review"));
        page.shadow()->choose(page.experiments().shadow().keyAt(0));
        QTest::keyClick(page.shadow(), Qt::Key_Return);
        QCOMPARE(wanted[1][0].value<Place>().key, QStringLiteral("fireworks"));
        QCOMPARE(wanted[1][0].value<Place>().page, Place::Page::Providers);
    }
};

QTEST_MAIN(TestConsoleExperiments)
#include "tst_console_experiments.moc"
