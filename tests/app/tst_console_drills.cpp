// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/support/provider_samples.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>

using namespace weir;
using namespace weir::test;
using view::Theme;

using model::Deed;

/// What a person does on the providers page: routes off and on, drills.
class TestConsoleDrills final : public QObject
{
    Q_OBJECT

private slots:

    void switchesARouteOffAndOn()
    {
        Stage stage;
        saveHistory(stage);
        stage.fill(knownStatus());
        auto& page = goToProviders(stage);
        page.openSwitch();
        stage.settle();
        QPointer<view::DeedDialog> dialog = page.dialog();
        QString said = textsOf(*dialog);
        QVERIFY(said.contains(QStringLiteral("Moves 11.6 req/s, 93.0 % of glm-5.2")));
        QVERIFY(said.contains(
            QStringLiteral("To fireworks: serves 0.90 req/s of 12.0, room for 11.1")));
        QVERIFY(said.contains(QStringLiteral("Together they have room for it: 15.1 req/s")));
        writeReason(*dialog, "too short");
        QVERIFY(!isCommitEnabled(*dialog));
        commit(stage, *dialog);
        QVERIFY(!routeRow(stage, "baseten"));
        writeReason(*dialog, "maintenance of theirs");
        QVERIFY(isCommitEnabled(*dialog));
        QTest::keyClick(named<QPlainTextEdit>(*dialog, "Reason"), Qt::Key_Return);
        stage.settle();
        QVERIFY(!routeRow(stage, "baseten"));
        writeReason(*dialog, "maintenance of theirs");
        commit(stage, *dialog);
        commit(stage, *dialog);
        const auto row = routeRow(stage, "baseten");
        QVERIFY(row && !row->enabled);
        QCOMPARE(row->version, std::int64_t{1});
        QCOMPARE(row->updatedBy, std::string{"maria"});
        QCOMPARE(row->reason, std::string{"maintenance of theirs"});
        QVERIFY(textsOf(*dialog).contains(QStringLiteral("Waiting for agent-1")));
        stage.keep(QStringLiteral("providers-switched"));
        keepDialog(*dialog, "providers-dialog-written");
        AgentStatus applied = knownStatus();
        applied.models[0].routes[0].enabled = false;
        stage.second(applied);
        QVERIFY(textsOf(*dialog).contains(QStringLiteral("agent-1 has applied it")));
        QTest::keyClick(dialog, Qt::Key_Escape);
        stage.settle();
        stage.window.refresh();
        QVERIFY(textsOf(page).contains(
            QStringLiteral("switched off by maria 1 s ago: “maintenance of theirs”")));
        page.openSwitch();
        stage.settle();
        writeReason(*page.dialog(), "maintenance over");
        commit(stage, *page.dialog());
        QVERIFY(routeRow(stage, "baseten")->enabled);
    }

    void escWritesNothing()
    {
        Stage stage;
        stage.fill(knownStatus());
        const auto before = stage.archive.database().audit(10)->size();
        auto& page = goToProviders(stage);
        page.openSwitch();
        stage.settle();
        writeReason(*page.dialog(), "maintenance of theirs");
        QTest::keyClick(page.dialog(), Qt::Key_Escape);
        stage.settle();
        QVERIFY(!routeRow(stage, "baseten"));
        QCOMPARE(stage.archive.database().audit(10)->size(), before);
    }

    void meetsAnotherOperator()
    {
        Stage stage;
        stage.fill(knownStatus());
        auto& page = goToProviders(stage);
        page.openSwitch();
        stage.settle();
        writeReason(*page.dialog(), "maintenance of theirs");
        store::RouteChange change;
        change.route.model = "glm-5.2";
        change.route.provider = "baseten";
        change.route.scoreBias = 0.9;
        change.by = {"jon", "desk", "a bias for a while", "uuid-jon", stage.clock.now()};
        QVERIFY(stage.archive.database().writeRoute(change));
        commit(stage, *page.dialog());
        QVERIFY(routeRow(stage, "baseten")->enabled);
        QVERIFY(textsOf(*page.dialog()).contains(QStringLiteral("Nothing was written. jon")));
        QCOMPARE(page.dialog()->deed().phase(), Deed::Phase::NotWritten);
        commit(stage, *page.dialog());
        const auto row = routeRow(stage, "baseten");
        QVERIFY(!row->enabled);
        QCOMPARE(row->scoreBias, 0.9);
    }

    void asksTwiceBeforeNothingServes()
    {
        Stage stage;
        AgentStatus status = knownStatus();
        status.models[0].routes.resize(1);
        stage.fill(status);
        auto& page = goToProviders(stage);
        page.openSwitch();
        stage.settle();
        writeReason(*page.dialog(), "maintenance of theirs");
        QVERIFY(textsOf(*page.dialog()).contains(QStringLiteral("nothing would serve glm-5.2")));
        QVERIFY(!isCommitEnabled(*page.dialog()));
        named<QLineEdit>(*page.dialog(), "Override")->setText(QStringLiteral("override"));
        commit(stage, *page.dialog());
        const auto row = routeRow(stage, "baseten");
        QVERIFY(row && !row->enabled);
        QVERIFY(row->reason.find("[override: ") != std::string::npos);
    }

    void startsADrillOnce()
    {
        Stage stage;
        saveHistory(stage);
        stage.fill(knownStatus());
        auto& page = goToProviders(stage);
        page.openDrill();
        stage.settle();
        QPointer<view::DeedDialog> dialog = page.dialog();
        QCOMPARE(named<QSpinBox>(*dialog, "Length")->value(), 10);
        QCOMPARE(named<QSpinBox>(*dialog, "Length")->maximum(), 60);
        QVERIFY(!named<QDoubleSpinBox>(*dialog, "Share")->isEnabled());
        keepDialog(*dialog, "providers-dialog-drill");
        named<QComboBox>(*dialog, "What")->setCurrentIndex(1);
        named<QDoubleSpinBox>(*dialog, "Share")->setValue(50.0);
        QVERIFY(textsOf(*dialog).contains(QStringLiteral("Moves 5.80 req/s, 46.5 % of glm-5.2")));
        QVERIFY(!isCommitEnabled(*dialog));
        writeReason(*dialog, "monthly drill");
        // The answer is lost on its way: the same name again writes it once.
        stage.archive.refuse(Error{"unreachable", "db:5432", "no answer in 3 s"});
        commit(stage, *dialog);
        QVERIFY(textsOf(*dialog).contains(QStringLiteral("Not confirmed. ")));
        stage.archive.refuse(std::nullopt);
        commit(stage, *dialog);
        commit(stage, *dialog);
        const auto drills = drillsIn(stage);
        QCOMPARE(drills.size(), std::size_t{2});
        const Drill& drill = drills[0].drill;
        QCOMPARE(drill.kind, DrillKind::RateLimit);
        QCOMPARE(drill.sharePpm, std::int64_t{500'000});
        QCOMPARE(drill.delayMs, std::int64_t{0});
        QCOMPARE(drill.endsAt - drill.startsAt, std::chrono::minutes{10});
        QCOMPARE(drill.abortFailurePpm, std::int64_t{50'000});
        QCOMPARE(drill.startedBy, std::string{"maria"});
        QVERIFY(textsOf(*dialog).contains(QStringLiteral("It runs until 10:25:00Z")));
    }

    void blocksADrill_data()
    {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("said");
        QTest::newRow("incident") << "incident"
                                  << "an incident is open: rate limit burst of glm-5.2/baseten";
        QTest::newRow("capacity") << "capacity"
                                  << "a full failover needs 2.7 times";
        QTest::newRow("running") << "running"
                                 << "Another drill of this model runs until 10:20:00Z";
        QTest::newRow("silent") << "silent"
                                << "No agent is heard";
        QTest::newRow("last") << "last"
                              << "last enabled route";
        QTest::newRow("store") << "store"
                               << "Open incidents cannot be read";
    }

    void blocksADrill()
    {
        QFETCH(QString, what);
        QFETCH(QString, said);
        Stage stage;
        AgentStatus status = knownStatus(what == QStringLiteral("capacity") ? 2.7 : 0.6);
        if (what == QStringLiteral("last")) status.models[0].routes.resize(1);
        stage.fill(status);
        if (what == QStringLiteral("incident")) saveIncident(stage, std::nullopt);
        if (what == QStringLiteral("running"))
            saveDrill(stage, drillAt(stage.clock.now(), "drill-1"));
        if (what == QStringLiteral("silent")) stage.clock.advance(std::chrono::seconds{20});
        auto& page = goToProviders(stage);
        if (what == QStringLiteral("store")) {
            stage.archive.refuse(Error{"unreachable", "db:5432", "no answer in 3 s"});
        }
        page.openDrill();
        stage.settle();
        writeReason(*page.dialog(), "monthly drill");
        stage.settle();
        QVERIFY2(textsOf(*page.dialog()).contains(said), qPrintable(textsOf(*page.dialog())));
        QVERIFY(!isCommitEnabled(*page.dialog()));
        keepDialog(*page.dialog(), "providers-dialog-" + what.toLatin1());
        commit(stage, *page.dialog());
        QCOMPARE(drillsIn(stage).size(), std::size_t{what == QStringLiteral("running") ? 1U : 0U});
    }

    void saysWhatNobodyKnows()
    {
        Stage stage;
        AgentStatus status = knownStatus();
        status.models[0].failover[0].ratio.reset();
        status.models[0].failover[0].unknown = {"fireworks"};
        stage.fill(status);
        auto& page = goToProviders(stage);
        page.openDrill();
        stage.settle();
        QVERIFY(
            textsOf(*page.dialog())
                .contains(QStringLiteral(
                    "Nobody knows whether the others bear it: no limit is known of fireworks")));
        writeReason(*page.dialog(), "monthly drill");
        QVERIFY(isCommitEnabled(*page.dialog()));
    }

    void aBandCountsDownOnEveryPage()
    {
        Stage stage;
        stage.fill(knownStatus());
        stage.window.show();
        auto* band = stage.window.findChild<view::DrillBand*>();
        QVERIFY(band != nullptr && band->isHidden());
        const Drill drill = drillAt(stage.clock.now(), "drill-12345678");
        saveDrill(stage, drill);
        stage.second(withDrill(knownStatus(), drill));
        stage.window.refresh();
        QVERIFY(band->isVisible());
        QVERIFY2(
            band->text().contains(
                QStringLiteral("Drill of glm-5.2: 30.0 % of the requests on baseten get a 429 · "
                               "4 m 59 s left · 12 of 812 requests failed")),
            qPrintable(band->text()));
        stage.keep(QStringLiteral("providers-band-live"));
        goToProviders(stage);
        QVERIFY(band->isVisible());
        // Without any news the time goes on, and is over by itself.
        stage.wait(std::chrono::seconds{289});
        stage.settle();
        QVERIFY(band->text().contains(QStringLiteral("10 s left")));
        stage.wait(std::chrono::seconds{11});
        stage.settle();
        QVERIFY(band->isHidden());
    }

    void theStoreTellsOfADrillToo()
    {
        Stage stage;
        saveDrill(stage, drillAt(stage.clock.now(), "drill-12345678"));
        stage.window.show();
        stage.window.refresh();
        stage.settle();
        auto* band = stage.window.findChild<view::DrillBand*>();
        QVERIFY(band->isVisible());
        QVERIFY(band->text().contains(QStringLiteral("5 m 0 s left")));
    }

    void endsADrillNow()
    {
        Stage stage;
        const Drill drill = drillAt(stage.clock.now(), "drill-12345678");
        saveDrill(stage, drill);
        stage.fill(withDrill(knownStatus(), drill));
        stage.window.show();
        stage.window.refresh();
        stage.settle();
        auto* band = stage.window.findChild<view::DrillBand*>();
        auto* end = band->findChild<QPushButton*>();
        QVERIFY(end->isEnabled());
        end->click();
        stage.settle();
        QPointer<view::DeedDialog> dialog = stage.window.drillEndDialog();
        writeReason(*dialog, "users notice it");
        keepDialog(*dialog, "providers-dialog-end");
        stage.clock.advance(std::chrono::seconds{7});
        commit(stage, *dialog);
        QCOMPARE(dialog->deed().notice(), QString());
        QCOMPARE(dialog->deed().whyNot(), QStringLiteral("Already written."));
        const auto row = drillsIn(stage)[0];
        QCOMPARE(row.drill.endReason, std::string{"stopped"});
        QCOMPARE(row.endedBy, std::string{"maria"});
        QCOMPARE(row.endText, std::string{"users notice it"});
        stage.window.refresh();
        stage.settle();
        QVERIFY(band->text().contains(QStringLiteral("ending")));
        QVERIFY(!end->isEnabled());
    }

    void aReaderOnlyReads()
    {
        Stage stage(Theme::light(), true);
        saveHistory(stage);
        stage.fill(knownStatus());
        auto& page = goToProviders(stage);
        for (const char* name : {"Switch off", "Start a drill"}) {
            const auto* button = named<QPushButton>(page, name);
            QVERIFY2(!button->isEnabled(), name);
            QVERIFY(button->toolTip().contains(QStringLiteral("read-only")));
        }
        page.openSwitch();
        stage.settle();
        writeReason(*page.dialog(), "maintenance of theirs");
        commit(stage, *page.dialog());
        QVERIFY(!routeRow(stage, "baseten"));
        QVERIFY(textsOf(*page.dialog()).contains(QStringLiteral("started read-only")));
    }

    void aRoleThatMayNotIsTold()
    {
        Stage stage;
        stage.fill(knownStatus());
        auto& page = goToProviders(stage);
        page.openSwitch();
        stage.settle();
        writeReason(*page.dialog(), "maintenance of theirs");
        stage.archive.refuse(Error{"forbidden", "db:5432", "the role weir_viewer may not write"});
        commit(stage, *page.dialog());
        const QString said = textsOf(*page.dialog());
        QVERIFY(said.contains(QStringLiteral("Not written. ")));
        QVERIFY(said.contains(QStringLiteral("may not write")));
        QVERIFY(said.contains(QStringLiteral("Retry")));
    }
};

QTEST_MAIN(TestConsoleDrills)
#include "tst_console_drills.moc"
