// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/support/decision_world.h"

#include <QApplication>
#include <QDoubleSpinBox>
#include <QScrollBar>
#include <QTabBar>

#include <set>

using namespace weir;
using test::many;
using test::message;
using test::pressAction;
using test::World;
using view::DecisionsPage;

namespace {

constexpr auto kSecond = std::chrono::seconds{1};

/// The leader's bucket is empty.
void overRate(DecisionInput& input)
{
    input.routes[0].gate.admitPpm = {0, 0, 0, 0};
}

} // namespace

class TestConsoleDecisions final : public QObject
{
    Q_OBJECT

private slots:

    void wordsBecomeFilters_data()
    {
        QTest::addColumn<QString>("words");
        QTest::addColumn<QString>("trouble");
        const auto row = [](const char* words, const char* trouble) {
            QTest::newRow(words) << QString::fromUtf8(words) << QString::fromUtf8(trouble);
        };
        row("", "");
        row("req-1", "");
        row("outcome=failed provider=baseten", "");
        row("reason=single-shot since=2h", "");
        row("task=\"my own task\"", "");
        row("from=10:00 to=10:15:30Z", "");
        row("from=2026-11-30T10:00:00.250Z", "");
        row("provder=baseten", "there is no filter provder; did you mean provider?");
        row("colour=red", "there is no filter colour; there are id, task");
        row("outcome=broken", "no such outcome; there are failed, ok, length");
        row("outcome=rate_limitd", "no such outcome; did you mean rate_limited?");
        row("reason=luck", "no such reason");
        row("provider=", "needs a value behind the =");
        row("provider=a provider=b", "provider stands there twice");
        row("since=soon", "no length of time; try 90s, 15m, 2h, 7d");
        row("from=yesterday", "no time; try 10:15");
        row("since=1h from=10:00", "since= says that already");
        row("from=10:00 to=09:00", "the range ends before it begins");
        row("task=\"half", "a quotation mark is open");
    }

    void wordsBecomeFilters()
    {
        QFETCH(QString, words);
        QFETCH(QString, trouble);
        const auto query = model::decisionQuery(words, test::sampleTime());
        const QString told = query ? QString() : QString::fromStdString(query.error().detail);
        if (trouble.isEmpty())
            QCOMPARE(told, QString());
        else
            QVERIFY2(told.startsWith(trouble), qPrintable(told));
    }

    void filtersAreWhatWasTyped()
    {
        const auto query = model::decisionQuery(
            QStringLiteral("outcome=failed provider=baseten reason=spill since=2h task=\"a b\""),
            test::sampleTime());
        QVERIFY(query);
        QVERIFY(query->filter.failed);
        QVERIFY(!query->filter.outcome);
        QCOMPARE(query->filter.provider, std::string("baseten"));
        QCOMPARE(*query->filter.reason, Reason::Spill);
        QCOMPARE(*query->filter.from, test::sampleTime() - std::chrono::hours{2});
        QCOMPARE(query->filter.taskId, std::string("a b"));
        // And back again.
        const QString text = model::joined(query->words);
        QCOMPARE(
            text,
            QStringLiteral("outcome=failed provider=baseten reason=spill since=2h task=\"a b\""));
    }

    void wordsAreCompleted()
    {
        const model::QueryNames names{
            {QStringLiteral("glm-5.2")}, {QStringLiteral("baseten"), QStringLiteral("b2")}, {}};
        const auto offers = [&names](const char* word) {
            return model::completions(QString::fromLatin1(word), names).join(QChar(' '));
        };
        QCOMPARE(offers("out"), QStringLiteral("outcome="));
        QCOMPARE(offers("provider=b"), QStringLiteral("provider=baseten provider=b2"));
        QCOMPARE(offers("outcome=ra"), QStringLiteral("outcome=rate_limited"));
        QCOMPARE(offers("outcome=fail"), QStringLiteral("outcome=failed"));
        QCOMPARE(offers("zz"), QString());

        World world;
        QLineEdit* field = world.go().list().query()->field();
        field->setFocus();
        QTest::keyClicks(field, QStringLiteral("provider=bas"));
        QTest::keyClick(field, Qt::Key_Down);
        QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Down);
        QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Return);
        QTRY_COMPARE(field->text(), QStringLiteral("provider=baseten"));
    }

    void pagesFollowEachOther()
    {
        World world;
        world.add(many(world.decided, 450));
        DecisionsPage& page = world.go();
        QCOMPARE(world.rows(), 200);
        QScrollBar* bar = page.list().table()->verticalScrollBar();
        for (const int expected : {400, 450, 450}) {
            bar->setValue(bar->maximum());
            world.stage.settle();
            QCOMPARE(world.rows(), expected);
        }
        std::set<QString> keys;
        for (int i = 0; i < world.rows(); ++i)
            keys.insert(world.cell(page.list().table(), i, 1));
        QCOMPARE(keys.size(), 450U);
        QCOMPARE(world.cell(page.list().table(), 0, 1), QStringLiteral("req-1"));
        QCOMPARE(world.cell(page.list().table(), 449, 1), QStringLiteral("req-450"));
    }

    void newOnesComeInUntilPaused()
    {
        World world;
        world.add(many(world.decided, 300));
        DecisionsPage& page = world.go();
        CallRecord late = world.decided.record(5);
        late.requestId = "late";
        late.startedAt += std::chrono::milliseconds{500};
        world.add({late});
        world.stage.wait(kSecond);
        world.stage.settle();
        QCOMPARE(world.rows(), 200);
        world.stage.wait(4 * kSecond);
        world.stage.settle();
        // It began before others that were there, and stands where it belongs.
        QCOMPARE(world.cell(page.list().table(), 4, 1), QStringLiteral("late"));
        QCOMPARE(world.rows(), 201);

        QTest::keyClick(page.list().table(), Qt::Key_Space);
        world.stage.settle();
        const int before = world.rows();
        CallRecord later = world.decided.record(2);
        later.requestId = "later";
        world.add({later});
        world.stage.wait(10 * kSecond);
        world.stage.settle();
        QCOMPARE(world.rows(), before);
        QTest::keyClick(page.list().table(), Qt::Key_Space);
        world.stage.settle();
        QVERIFY(
            world.cell(page.list().table(), 1, 1) == QStringLiteral("later") ||
            world.cell(page.list().table(), 2, 1) == QStringLiteral("later"));
    }

    void theFilterThatRemovesAllIsNamed()
    {
        World world;
        world.add(many(world.decided, 30));
        DecisionsPage& page = world.go();
        world.find(QStringLiteral("provider=baseten outcome=failed"));
        QCOMPARE(world.rows(), 0);
        QCOMPARE(
            message(page.list()),
            QStringLiteral("No attempt matches; 30 in range, filter outcome=failed removes all"));
        (void)world.stage.keep(QStringLiteral("decisions-nothing"));
        pressAction(page.list());
        world.stage.settle();
        QCOMPARE(page.list().query()->field()->text(), QStringLiteral("provider=baseten"));
        QVERIFY(world.rows() > 0);

        world.find(QStringLiteral("outcome=failed reason=override"));
        QVERIFY(message(page.list()).endsWith(QStringLiteral("the filters together remove all")));
        world.find(QStringLiteral("from=09:00 to=09:01"));
        QVERIFY(message(page.list()).startsWith(QStringLiteral("No attempt in this stretch")));
    }

    void badWordsAreToldAndChangeNothing()
    {
        World world;
        world.add(many(world.decided, 3));
        DecisionsPage& page = world.go();
        world.find(QStringLiteral("provder=baseten"));
        QCOMPARE(world.rows(), 3);
        bool isTold = false;
        for (const auto* line : page.list().query()->findChildren<view::Line*>())
            isTold =
                isTold || (line->isVisible() && line->text().contains("did you mean provider"));
        QVERIFY(isTold);
    }

    void reasonsMinuteByMinute()
    {
        using store::ReasonCount;
        const std::vector<ReasonCount> rows{
            {60'000, Reason::Leader, 5}, {60'000, Reason::Spill, 2}, {180'000, Reason::Leader, 1}};
        const model::Stacks bars = model::reasonBars(rows, {60'000, 240'000}, 60'000);
        QCOMPARE(bars.columns.join(u' '), QStringLiteral("00:01Z 00:02Z 00:03Z"));
        QCOMPARE(bars.series.size(), 2U);
        QCOMPARE(bars.sumOf(0), 7.0);
        QCOMPARE(bars.sumOf(1), 0.0);
        QCOMPARE(bars.text, QStringLiteral("Requests by reason: leader 6, spill 2"));
    }

    void theWorstMinuteOfTheHourIsNamed()
    {
        std::vector<store::HistoryPoint> points;
        for (int hour = 0; hour < 3; ++hour) {
            for (int minute = 0; minute < 60; ++minute) {
                store::HistoryPoint point;
                point.at = fromEpochMs((hour * 60 + minute) * 60'000LL);
                point.sums.outcomes[static_cast<std::size_t>(Outcome::Ok)] = 10;
                // What the caller did wrong is no failure.
                point.sums.outcomes[static_cast<std::size_t>(Outcome::BadRequest)] = 9;
                if (minute == 2) {
                    point.sums.outcomes[static_cast<std::size_t>(Outcome::RateLimited)] = 6;
                }
                points.push_back(point);
            }
        }
        const model::Stacks bars = model::hourProfile(points);
        QCOMPARE(bars.text, QStringLiteral("Most failures in minute :02 of the hour, 24.0 %"));
        QCOMPARE(bars.sumOf(2), 75.0);
    }

    void theSecondTabLooksBack()
    {
        World world;
        DecisionsPage& page = world.go();
        page.tabs()->setCurrentIndex(1);
        world.stage.settle();
        QVERIFY(page.trends().isVisible());
        QCOMPARE(
            page.trends().reasons()->accessibleDescription(),
            QStringLiteral("No request in this time range"));
        (void)world.stage.keep(QStringLiteral("decisions-trends-empty"));
        std::vector<CallRecord> rows;
        for (int i = 1; i < 800; ++i) {
            CallRecord row = world.decided.anyRecord(i);
            if (i % 300 < 40 && i % 3 == 0) row.outcome = Outcome::RateLimited;
            rows.push_back(row);
        }
        world.add(rows);
        page.tabs()->setCurrentIndex(0);
        page.tabs()->setCurrentIndex(1);
        world.stage.settle();
        QVERIFY(page.trends().reasons()->accessibleDescription().contains("leader "));
        QVERIFY(page.trends().profile()->accessibleDescription().startsWith("Most failures in"));
        (void)world.stage.keep(QStringLiteral("decisions-trends"));
        world.stage.archive.refuse(Error{"unreachable", "db:5432", "did not answer (3 s)"});
        world.stage.console.window().setLength(3'600'000);
        world.stage.settle();
        QVERIFY(message(page.trends()).startsWith(QStringLiteral("db:5432")));
    }

    void everyTabStopHasAName()
    {
        World world;
        world.add(many(world.decided, 5));
        for (const QString& key : {QString(), QStringLiteral("req-1")}) {
            DecisionsPage& page = world.go(key);
            if (!key.isEmpty()) QTest::keyClick(page.detail().ladder(), Qt::Key_W);
            (void)world.stage.picture();
            for (const QWidget* widget : page.findChildren<QWidget*>()) {
                const bool isStop = (widget->focusPolicy() & Qt::TabFocus) != 0 &&
                                    widget->isVisible() && widget->focusProxy() == nullptr;
                if (!isStop) continue;
                const auto* button = qobject_cast<const QAbstractButton*>(widget);
                const bool isNamed = !widget->accessibleName().isEmpty() ||
                                     (button != nullptr && !button->text().isEmpty());
                QVERIFY2(isNamed, widget->metaObject()->className());
            }
        }
    }

    /// For people to look at.
    void looks_data()
    {
        QTest::addColumn<bool>("isDark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }

    void looks()
    {
        QFETCH(bool, isDark);
        const QString suffix = isDark ? QStringLiteral("-dark") : QStringLiteral("-light");
        World world({}, isDark ? view::Theme::dark() : view::Theme::light());
        std::vector<CallRecord> rows;
        for (int i = 1; i <= 60; ++i) {
            CallRecord row = world.decided.anyRecord(i);
            row.requestId = "7c02d1b4-90ab-4c5e-9f10-0000000000" + std::to_string(10 + i);
            if (i % 9 == 0) row.outcome = Outcome::RateLimited;
            if (i % 18 == 0) row.last = false;
            if (i % 13 == 0) row.outcome = Outcome::ClientCancelled;
            rows.push_back(row);
        }
        CallRecord first = world.decided.record(100, overRate);
        first.outcome = Outcome::ServerError;
        first.ttftMs.reset();
        first.durationMs = 800;
        first.last = false;
        CallRecord second = world.decided.record(100);
        second.attempt = 2;
        second.decision.clear();
        second.startedAt += std::chrono::milliseconds{900};
        second.provider = "coreweave";
        second.reason = Reason::Failover;
        rows.push_back(first);
        rows.push_back(second);
        world.add(rows);
        DecisionsPage& page = world.go();
        QVERIFY(world.rows() > 50);
        (void)world.stage.keep(QStringLiteral("decisions") + suffix);
        page.list().query()->field()->setFocus();
        world.go(QStringLiteral("req-100"));
        (void)world.stage.keep(QStringLiteral("decision") + suffix);
        QTest::keyClick(page.detail().ladder(), Qt::Key_W);
        page.detail().whatIf()->costWeight()->setValue(0.3);
        world.stage.settle();
        (void)world.stage.keep(QStringLiteral("decision-if") + suffix);
    }
};

QTEST_MAIN(TestConsoleDecisions)
#include "tst_console_decisions.moc"
