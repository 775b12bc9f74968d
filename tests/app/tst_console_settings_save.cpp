// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/support/settings_scene.h"

#include <QFile>
#include <QPushButton>
#include <QTest>

using namespace weir;
using namespace weir::test;
using model::SettingsDesk;
using Choice = model::MergeRow::Choice;
using Phase = SettingsDesk::Phase;
using State = model::SettingsPreview::State;

class TestConsoleSettingsSave final : public QObject
{
    Q_OBJECT

private slots:

    void aSaveIsOneVersionAndOneAuditRow()
    {
        Stage stage;
        fillDay(stage);
        view::SettingsPage& page = openSettings(stage);
        (void)stage.picture();
        SettingsDesk& desk = page.desk();
        const std::size_t before = auditCount(stage);
        desk.edit("exploration_share", "0.02");
        stage.settle();
        desk.setReason(QStringLiteral("too short"));
        QCOMPARE(desk.whyNot(), QStringLiteral("Write a reason of 10 characters or more."));
        desk.save();
        stage.settle();
        QCOMPARE(auditCount(stage), before);
        desk.setReason(goodReason());
        QVERIFY(buttonIn(page, "Save settings").isEnabled());
        QTest::keyClick(page.form().editor("slow_factor"), Qt::Key_Return, Qt::ControlModifier);
        stage.settle();
        QCOMPARE(desk.phase(), Phase::Written);
        QCOMPARE(auditCount(stage), before + 1);
        const RoutingSettings settings = storedSettings(stage);
        QCOMPARE(settings.version, 2);
        QCOMPARE(settings.number("exploration_share"), 0.02);
        QCOMPARE(settings.updatedBy, std::string("maria"));
        QCOMPARE(settings.reason, goodReason().toStdString());
        QVERIFY(desk.editor().draft().isEmpty());

        // Counted from what the agents say.
        QCOMPARE(desk.progress()->applied, 1);
        AgentStateRow late = agentRow("agent-2", EffectiveMode::Adaptive, 41, stage.clock.now());
        late.settingsVersion = 1;
        stage.console.showAgents({late});
        QCOMPARE(desk.progress()->applied, 1);
        QCOMPARE(desk.progress()->known, 2);
        stage.keep(QStringLiteral("settings-progress-light"));
        stage.clock.advance(std::chrono::seconds{2});
        late.settingsVersion = 2;
        late.seenAt = late.appliedAt = stage.clock.now();
        stage.console.showAgents({late});
        QVERIFY(desk.progress()->isComplete);
        QVERIFY2(
            desk.progress()->headline.startsWith(QStringLiteral("Applied by 2/2 agents in 2")),
            qPrintable(desk.progress()->headline));
    }

    void routesAreSavedWithTheirOwnVersions()
    {
        Stage stage;
        fillDay(stage);
        SettingsDesk& desk = openSettings(stage).desk();
        const std::string key = reports::routeKey({"glm-5.2", "coreweave"}, "enabled");
        desk.edit(key, "false");
        desk.edit("slow_factor", "4");
        desk.setReason(goodReason());
        stage.settle();
        QCOMPARE(desk.whyNot(), QString());
        desk.save();
        stage.settle();
        QCOMPARE(desk.phase(), Phase::Written);
        const auto decisions = stage.archive.database().readDecisions();
        QCOMPARE(decisions->routes.size(), 1U);
        QVERIFY(!decisions->routes[0].enabled);
        QCOMPARE(decisions->settings.number("slow_factor"), 4.0);
        QVERIFY2(
            desk.notice().contains(QStringLiteral("route glm-5.2/coreweave v1")),
            qPrintable(desk.notice()));
    }

    void anotherSaveShowsABannerAndThreeColumns()
    {
        Stage stage;
        fillDay(stage);
        view::SettingsPage& page = openSettings(stage);
        SettingsDesk& desk = page.desk();
        desk.edit("slow_factor", "4");
        desk.edit("pin_seconds", "60");
        desk.setReason(goodReason());
        stage.settle();
        QCOMPARE(desk.news(), QString());
        saveAs(stage, "jon", {"slow_factor=5", "switch_margin=0.1"});
        stage.clock.advance(std::chrono::seconds{40});
        RoutingSettings seen = storedSettings(stage);
        stage.console.showSettings(seen);
        stage.window.refresh();
        stage.settle();
        QVERIFY2(
            desk.news().startsWith(QStringLiteral("jon saved the settings v2 40 s ago")),
            qPrintable(desk.news()));
        stage.keep(QStringLiteral("settings-news-light"));
        QVERIFY(!desk.whyNot().isEmpty());
        desk.merge();
        checkMerge(stage, page);
    }

    void aSaveThatComesSecondShowsThreeColumns()
    {
        Stage stage;
        fillDay(stage);
        view::SettingsPage& page = openSettings(stage);
        SettingsDesk& desk = page.desk();
        desk.edit("slow_factor", "4");
        desk.edit("pin_seconds", "60");
        desk.setReason(goodReason());
        stage.settle();
        QCOMPARE(desk.whyNot(), QString());
        // Nobody has heard of it when the button is pressed.
        saveAs(stage, "jon", {"slow_factor=5", "switch_margin=0.1"});
        const std::size_t before = auditCount(stage);
        desk.save();
        stage.settle();
        QCOMPARE(auditCount(stage), before);
        QCOMPARE(storedSettings(stage).version, 2);
        checkMerge(stage, page);
    }

    void anUnknownOutcomeIsFoundOut_data()
    {
        QTest::addColumn<bool>("isWritten");
        QTest::addColumn<int>("failures");
        QTest::newRow("committed, answer lost") << true << 1;
        QTest::newRow("never committed") << false << 1;
        QTest::newRow("committed, away for longer") << true << 2;
    }

    void anUnknownOutcomeIsFoundOut()
    {
        QFETCH(bool, isWritten);
        QFETCH(int, failures);
        Stage stage;
        fillDay(stage);
        int calls = 0;
        const auto breaking = [&](store::Database& database, const model::SaveOrder& order) {
            if (++calls > failures) return model::saveSettings(database, order);
            if (isWritten && calls == 1) (void)model::saveSettings(database, order);
            model::SaveReport report;
            report.error = Error{"unreachable", "db", "the connection was lost"};
            report.isUnknown = true;
            return report;
        };
        SettingsDesk desk(stage.console, breaking);
        desk.read();
        stage.settle();
        desk.edit("slow_factor", "4");
        desk.setReason(goodReason());
        stage.settle();
        QCOMPARE(desk.whyNot(), QString());
        desk.save();
        stage.settle();
        if (failures > 1) {
            QCOMPARE(desk.phase(), Phase::Unknown);
            QVERIFY(desk.notice().startsWith(QStringLiteral("Not known yet")));
            QVERIFY(!desk.whyNot().isEmpty());
            desk.edit("slow_factor", "5");
            QCOMPARE(desk.editor().value("slow_factor"), std::string("4"));
            desk.goOn();
            stage.settle();
        }
        QCOMPARE(desk.phase(), Phase::Written);
        QCOMPARE(storedSettings(stage).version, 2);
        QCOMPARE(storedSettings(stage).number("slow_factor"), 4.0);
        const bool isSaid = desk.notice().contains(QStringLiteral("had been saved already"));
        QCOMPARE(isSaid, isWritten);
    }

    void aDraftSurvivesARestart()
    {
        Stage stage;
        fillDay(stage);
        const auto desk = [&] {
            auto made = std::make_unique<SettingsDesk>(stage.console);
            made->read();
            stage.settle();
            return made;
        };
        auto first = desk();
        first->edit("slow_factor", "4");
        first->setReason(goodReason());
        first.reset();
        saveAs(stage, "jon", {"pin_seconds=30"});
        auto second = desk();
        QCOMPARE(second->editor().value("slow_factor"), std::string("4"));
        QCOMPARE(second->editor().draft().reason, goodReason());
        QVERIFY(second->news().startsWith(QStringLiteral("jon saved the settings v2")));
        second->merge();
        QCOMPARE(second->editor().mergeRows().size(), 2U);
        QCOMPARE(second->whyNoMerge(), QString());
        second->finishMerge();
        QCOMPARE(second->editor().value("pin_seconds"), std::string("30"));
        second->discard();
        second.reset();
        QVERIFY(desk()->editor().draft().isEmpty());
    }

    void anEndInTheMiddleOfASaveIsFoundOutAfterwards()
    {
        Stage stage;
        fillDay(stage);
        {
            SettingsDesk desk(stage.console);
            desk.read();
            stage.settle();
            desk.edit("slow_factor", "4");
            desk.setReason(goodReason());
            stage.settle();
            stage.archive.hold(true);
            desk.save();
            QCOMPARE(desk.phase(), Phase::Writing);
        }
        stage.archive.hold(false);
        stage.settle();
        SettingsDesk again(stage.console);
        again.read();
        stage.settle();
        QCOMPARE(again.phase(), Phase::Unknown);
        again.goOn();
        stage.settle();
        QCOMPARE(again.phase(), Phase::Written);
        QCOMPARE(storedSettings(stage).version, 2);
        QCOMPARE(storedSettings(stage).number("slow_factor"), 4.0);
    }

    void aSpoiltDraftIsSaidAndHarmless()
    {
        Stage stage;
        fillDay(stage);
        QFile file(stage.folder.filePath(QStringLiteral("settings-draft-production.json")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"settings\": 7");
        file.close();
        SettingsDesk& desk = openSettings(stage).desk();
        QVERIFY2(
            desk.notice().contains(QStringLiteral("cannot be read")), qPrintable(desk.notice()));
        QVERIFY(desk.isEditable());
    }

private:
    /// Of jon's slow_factor=5 and switch_margin=0.1 and one's own slow_factor=4 and pin_seconds=60.
    void checkMerge(Stage& stage, view::SettingsPage& page)
    {
        SettingsDesk& desk = page.desk();
        QCOMPARE(desk.phase(), Phase::Merging);
        const auto choiceOf = [&desk](const char* key) {
            for (const model::MergeRow& row : desk.editor().mergeRows()) {
                if (row.key == key) return row.choice;
            }
            qFatal("no row %s", key);
        };
        QCOMPARE(desk.editor().mergeRows().size(), 3U);
        QCOMPARE(choiceOf("switch_margin"), Choice::Theirs);
        QCOMPARE(choiceOf("pin_seconds"), Choice::Yours);
        QCOMPARE(choiceOf("slow_factor"), Choice::None);
        QVERIFY(desk.whyNoMerge().contains(QStringLiteral("1 value")));
        stage.keep(QStringLiteral("settings-merge-light"));
        QVERIFY(!buttonIn(page, "Take these").isEnabled());
        desk.finishMerge();
        QCOMPARE(desk.phase(), Phase::Merging);
        desk.choose("slow_factor", Choice::Yours);
        QVERIFY(buttonIn(page, "Take these").isEnabled());
        buttonIn(page, "Take these").click();
        QCOMPARE(desk.phase(), Phase::Editing);
        QCOMPARE(desk.preview().state(), State::Running);
        stage.settle();
        QCOMPARE(desk.whyNot(), QString());
        desk.save();
        stage.settle();
        QCOMPARE(desk.phase(), Phase::Written);
        const RoutingSettings settings = storedSettings(stage);
        QCOMPARE(settings.version, 3);
        QCOMPARE(settings.number("slow_factor"), 4.0);
        QCOMPARE(settings.number("switch_margin"), 0.1);
        QCOMPARE(settings.number("pin_seconds"), 60.0);
    }
};

QTEST_MAIN(TestConsoleSettingsSave)
#include "tst_console_settings_save.moc"
