// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/support/incident_scene.h"

#include <QAbstractButton>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>

using namespace weir;
using namespace weir::test;
using model::Place;
using Store = IncidentScene::Store;

namespace {

QStringList keysOf(const model::Grid& grid)
{
    QStringList keys;
    for (const auto& row : grid.rows())
        keys << row.key;
    return keys;
}

void pressButton(QWidget& parent, const char* words)
{
    for (auto* button : parent.findChildren<QAbstractButton*>()) {
        if (button->text().startsWith(QString::fromLatin1(words))) {
            button->click();
            return;
        }
    }
    QFAIL(words);
}

} // namespace

class TestConsoleIncidents final : public QObject
{
    Q_OBJECT

private slots:

    void openOnesComeFirst()
    {
        IncidentScene scene;
        scene.go();
        const auto& grid = scene.list().grid();
        QCOMPARE(
            keysOf(grid),
            (QStringList{
                QStringLiteral("INC-231"),
                QStringLiteral("INC-232"),
                QStringLiteral("INC-230"),
                QStringLiteral("INC-229")}));
        const auto& cells = grid.rows()[0].cells;
        QCOMPARE(cells[0].text, QStringLiteral("open · evidence 6 m"));
        QCOMPARE(cells[1].text, QStringLiteral("baseten: first tokens late"));
        QCOMPARE(cells[3].text, QStringLiteral("30 Nov 10:02:11Z"));
        QCOMPARE(cells[4].text, QStringLiteral("12 m"));
        QCOMPARE(cells[5].text, QStringLiteral("4 m"));
        QCOMPARE(cells[6].text, QStringLiteral("1,240"));
        QCOMPARE(cells[9].text, QStringLiteral("1"));
        QCOMPARE(scene.list().summary(), QStringLiteral("1 open of 4"));
    }

    void lanesTellWhoWasHowWhen()
    {
        IncidentScene scene;
        scene.go();
        const auto& lanes = scene.list().lanes();
        QStringList names;
        for (const auto& lane : lanes)
            names << lane.name;
        QCOMPARE(
            names,
            (QStringList{
                QStringLiteral("Mode"),
                QStringLiteral("baseten"),
                QStringLiteral("coreweave"),
                QStringLiteral("fireworks"),
                QStringLiteral("Fleet"),
                QStringLiteral("Changes")}));
        // Fixed before jon, adaptive until maria, fixed since.
        QCOMPARE(lanes[0].spans.size(), 3U);
        QCOMPARE(lanes[0].spans[1].text, QStringLiteral("adaptive"));
        QCOMPARE(lanes[0].marks.back().text, QStringLiteral("adaptive OFF, maria: 429 storm"));
        QCOMPARE(lanes[1].spans.back().key, QStringLiteral("INC-231"));
        QVERIFY(
            lanes[5].marks.front().text.startsWith(QStringLiteral("slow_factor 3 to 2.5, eve")));
        auto& view = scene.page().listView().lanes();
        const auto at = view.pointOf(2, lanes[2].spans.back().span.from + 60'000);
        QVERIFY(
            view.textAt(at).contains(QStringLiteral("down, 94 m")) ||
            view.textAt(at).contains(QStringLiteral("down, 1 h 34 m")));
        QTest::mouseClick(&view, Qt::LeftButton, {}, at.toPoint());
        QCOMPARE(scene.detail().id(), QStringLiteral("INC-230"));
    }

    void aQuietTimeSaysWhenTheLastOneWas()
    {
        IncidentScene scene(Store::Empty);
        scene.go();
        QCOMPARE(
            scene.list().panel().text, QStringLiteral("No incident in this range, nor before it."));
        std::vector<Incident> old{sampleIncidents().back()};
        saveIncidents(scene.stage, old);
        scene.list().setLength(24 * 3'600'000);
        scene.stage.settle();
        QCOMPARE(
            scene.list().panel().text,
            QStringLiteral("No incident in this range. Last: No new summary, the fixed order "
                           "serves (INC-229), 3 d 2 h ago."));
    }

    void theFilterIsHonest()
    {
        IncidentScene scene;
        scene.go();
        auto& list = scene.list();
        list.setFilter(QStringLiteral("open"));
        QCOMPARE(keysOf(list.grid()), QStringList{QStringLiteral("INC-231")});
        list.setFilter(QStringLiteral("COREWEAVE"));
        QCOMPARE(keysOf(list.grid()), QStringList{QStringLiteral("INC-230")});
        list.setFilter(QStringLiteral("nobody"));
        QVERIFY(list.panel().text.contains(QStringLiteral("there are 4 in this range")));
    }

    void loadingAndTroubleAreSaid()
    {
        IncidentScene scene;
        scene.stage.archive.hold(true);
        scene.go();
        QVERIFY(scene.list().panel().kind == model::PanelState::Kind::Loading);
        scene.stage.archive.refuse(Error{"unreachable", "db:5432", "no answer"});
        scene.stage.archive.hold(false);
        scene.stage.settle();
        QVERIFY(scene.page().listView().message().contains(QStringLiteral("db:5432")));
        scene.stage.archive.refuse(std::nullopt);
        pressButton(scene.page().listView(), "Retry");
        scene.stage.settle();
        QVERIFY(scene.page().listView().message().isEmpty());
        QCOMPARE(scene.list().grid().rows().size(), 4U);
        // What was read stays, with when it was read, while the store is away.
        scene.stage.archive.refuse(Error{"unreachable", "db:5432", "no answer"});
        scene.stage.wait(std::chrono::seconds{11});
        scene.stage.settle();
        scene.stage.window.refresh();
        QVERIFY(scene.page().listView().message().contains(QStringLiteral("10:15:00Z")));
        QCOMPARE(scene.list().grid().rows().size(), 4U);
    }

    void theHeaderLeadsHereFromEverywhere()
    {
        IncidentScene scene;
        scene.stage.console.tick();
        scene.stage.settle();
        scene.stage.window.refresh();
        auto* chip = named<QAbstractButton>(scene.stage.window, "1 open incident");
        QVERIFY(chip != nullptr && chip->isVisible());
        QVERIFY(named<QAbstractButton>(scene.stage.window, "Incidents, 1 open") != nullptr);
        chip->click();
        scene.stage.settle();
        QVERIFY(&scene.stage.window.page() == &scene.page());
    }

    void theStoryIsShortAndTheLogIsWhole()
    {
        IncidentScene scene;
        scene.go(QStringLiteral("INC-231"));
        const QString story = textOf(scene.detail().story());
        const QString log = textOf(scene.detail().log());
        for (const char* words :
             {"10:02:11Z|began|TTFT 4.9 to 14.2 s|",
              "leader|code-review: baseten to fireworks (slow3x)|decision 7c02",
              "fixed order|adaptive OFF, maria: 429 storm|audit ",
              "10:11:04Z|note|called Baseten support, case 5512|maria|"}) {
            QVERIFY2(story.contains(QString::fromLatin1(words)), qPrintable(story));
        }
        QVERIFY(!story.contains(QStringLiteral("rate cut")));
        QVERIFY(log.contains(QStringLiteral("rate cut|fireworks 240 to 120 rps")));
        QVERIFY(
            log.contains(QStringLiteral("settings|slow_factor 3 to 2.5, eve")) ||
            !scene.detail().known()->past.span.contains(epochMs(sampleTime()) - 20 * 60'000));
        QVERIFY(log.contains(QStringLiteral("fireworks: turns calls away (429)")));
        QVERIFY(scene.detail().log().rows().size() > scene.detail().story().rows().size());
        // What was measured in the minute.
        QVERIFY2(story.contains(QStringLiteral("n 36, p50 ")), qPrintable(story));
        QCOMPARE(scene.detail().state().word, QStringLiteral("OPEN 12 m · last evidence 6 m ago"));
        scene.detail().setFilter(QStringLiteral("rate cut"));
        QCOMPARE(scene.detail().log().rows().size(), 1U);
    }

    void chartsShowItsTimeUnderOneCrosshair()
    {
        IncidentScene scene;
        scene.go(QStringLiteral("INC-231"));
        QVERIFY(!scene.stage.picture().isNull());
        const auto span = scene.detail().known()->past.span;
        const Incident slow = sampleIncidents().front();
        QVERIFY(span.from <= slow.onsetMs - 10 * 60'000);
        QCOMPARE(span.to, epochMs(sampleTime()));
        const auto feed = scene.detail().chartFeed();
        QCOMPARE(feed.history().providers().size(), 3U);
        const auto at = epochMs(sampleTime()) - 7 * 60'000;
        QVERIFY(feed.history().valueAt(0, model::Quantity::TtftP50S, at) > 10.0);
        QVERIFY(feed.history().valueAt(2, model::Quantity::RateLimitedShare, at) > 0.1);
        const auto& charts = scene.page().detailView().charts();
        QCOMPARE(charts.size(), 4U);
        for (const auto* chart : charts) {
            QCOMPARE(chart->plot().left(), charts.front()->plot().left());
            QVERIFY(chart->plot().width() > 100.0);
        }
        // To the first one, from whichever row the focus has chosen.
        for (std::size_t i = 0; i < slow.events.size(); ++i)
            scene.press(Qt::Key_P);
        scene.press(Qt::Key_N);
        QCOMPARE(scene.detail().window().crosshair(), std::optional{slow.detectedMs});
        scene.press(Qt::Key_P);
        QCOMPARE(scene.detail().window().crosshair(), std::optional{slow.onsetMs});
        scene.press(Qt::Key_Right);
        QVERIFY(*scene.detail().window().crosshair() > slow.onsetMs);
    }

    void everyLineLeadsToItsEvidence()
    {
        IncidentScene scene;
        scene.go(QStringLiteral("INC-231"));
        QSignalSpy places(&scene.stage.console, &model::Console::placeWanted);
        int calls = 0;
        int audits = 0;
        for (const auto& line : scene.detail().lines()) {
            if (line.key.startsWith(QStringLiteral("call/"))) {
                QVERIFY(line.place->page == Place::Page::Decisions);
                QVERIFY(line.place->key.startsWith(QStringLiteral("7c02")));
                ++calls;
            }
            if (line.key.startsWith(QStringLiteral("audit/"))) {
                QVERIFY(line.place->page == Place::Page::Settings);
                ++audits;
            }
        }
        QVERIFY(calls > 0 && audits > 0);
        emit scene.page().detailView().opened(QStringLiteral("incident/INC-232"));
        QCOMPARE(places.count(), 1);
        scene.stage.settle();
        QCOMPARE(scene.detail().id(), QStringLiteral("INC-232"));
        QCOMPARE(model::toLink(scene.page().place()), QStringLiteral("weir://incidents/INC-232"));
        scene.press(Qt::Key_Escape);
        QVERIFY(!scene.detail().isOpen());
        QCOMPARE(scene.page().listView().grid().chosen(), QStringLiteral("INC-232"));
    }

    void aTurnOfTheSwitchLeadsToTheAudit()
    {
        IncidentScene scene;
        scene.go(QStringLiteral("INC-231"));
        const auto& lines = scene.detail().lines();
        const auto turn = std::ranges::find_if(lines, [](const model::CaseLine& line) {
            return line.text.startsWith(QStringLiteral("adaptive OFF"));
        });
        const QString id = turn->key.section(QChar('/'), 1);
        emit scene.page().detailView().opened(turn->key);
        scene.stage.settle();
        scene.stage.window.refresh();
        auto* table = named<view::GridView>(scene.stage.window, "Audit of settings");
        QVERIFY(table != nullptr && table->isVisible());
        QCOMPARE(table->chosen(), id);
    }

    void anIncidentThatIsNotThere()
    {
        IncidentScene scene;
        scene.go(QStringLiteral("INC-999"));
        QVERIFY(scene.detail().panel().text.startsWith(
            QStringLiteral("The store has no incident INC-999")));
        scene.press(Qt::Key_J);
        QVERIFY(scene.page().noteDialog() == nullptr);
    }

    void pictures_data()
    {
        QTest::addColumn<bool>("isDark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }

    void pictures()
    {
        QFETCH(bool, isDark);
        const view::Theme& theme = isDark ? view::Theme::dark() : view::Theme::light();
        const QString tone = isDark ? QStringLiteral("dark") : QStringLiteral("light");
        IncidentScene scene(Store::Filled, false, theme);
        scene.stage.console.tick();
        scene.go();
        const QImage first = scene.stage.keep(QStringLiteral("incidents-") + tone);
        QCOMPARE(scene.stage.picture(), first);
        scene.go(QStringLiteral("INC-231"));
        scene.press(Qt::Key_N);
        scene.press(Qt::Key_N);
        scene.stage.keep(QStringLiteral("incident-") + tone);
        scene.press(Qt::Key_J);
        keepPicture(scene.page().noteDialog()->grab().toImage(), QStringLiteral("note-") + tone);
        scene.page().noteDialog()->reject();
        scene.press(Qt::Key_X);
        keepPicture(
            scene.page().exportDialog()->grab().toImage(), QStringLiteral("export-") + tone);
        scene.page().exportDialog()->reject();
        scene.stage.archive.refuse(Error{"unreachable", "db:5432", "no answer"});
        scene.stage.wait(std::chrono::seconds{11});
        scene.stage.settle();
        scene.stage.keep(QStringLiteral("incident-error-") + tone);
        IncidentScene empty(Store::Empty, false, theme);
        empty.go();
        empty.stage.keep(QStringLiteral("incidents-empty-") + tone);
        IncidentScene loading(Store::Filled, false, theme);
        loading.stage.archive.hold(true);
        loading.go();
        loading.stage.keep(QStringLiteral("incidents-loading-") + tone);
        loading.go(QStringLiteral("INC-231"));
        loading.stage.keep(QStringLiteral("incident-loading-") + tone);
    }
};

QTEST_MAIN(TestConsoleIncidents)
#include "tst_console_incidents.moc"
