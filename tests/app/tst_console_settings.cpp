// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/support/settings_scene.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>

using namespace weir;
using namespace weir::test;
using model::SettingsDesk;
using Phase = SettingsDesk::Phase;
using State = model::SettingsPreview::State;

class TestConsoleSettings final : public QObject
{
    Q_OBJECT

private slots:

    void everySettingStandsThereWithItsValue()
    {
        Stage stage;
        fillDay(stage);
        saveAs(stage, "jon", {"slow_factor=4"});
        view::SettingsPage& page = openSettings(stage);
        (void)stage.picture();
        for (const SettingSpec& spec : settingSpecs()) {
            auto* text = qobject_cast<QLineEdit*>(page.form().editor(std::string{spec.key}));
            QVERIFY(text != nullptr);
            QVERIFY(!text->accessibleName().isEmpty());
            const double value = spec.key == "slow_factor" ? 4.0 : spec.standard;
            QCOMPARE(text->text().toDouble(), value);
        }
        for (const char* field : {"enabled", "score_bias", "fixed_position"}) {
            QVERIFY(page.form().editor(reports::routeKey({"glm-5.2", "coreweave"}, field)));
        }
        const QString text = textOf(page);
        QVERIFY2(text.contains(QStringLiteral("1.5 to 20")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("jon ")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("v2, saved by jon")), qPrintable(text));
        stage.keep(QStringLiteral("settings-light"));
    }

    void aDraftIsCheckedAsWeirctlChecksIt_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("fault");
        const auto row = [](const char* key, const char* value, const char* fault) {
            QTest::newRow(key) << key << value << fault;
        };
        row("slow_factor", "900", "between 1.5 and 20");
        row("exploration_share", "0", "between 0.01 and 0.15");
        row("pin_seconds", "soon", "must be a number");
        row("route.glm-5.2.baseten.score_bias", "3", "between 0.5 and 1.5");
        row("route.glm-5.2.baseten.fixed_position", "1.5", "whole number");
    }

    void aDraftIsCheckedAsWeirctlChecksIt()
    {
        QFETCH(QString, key);
        QFETCH(QString, value);
        QFETCH(QString, fault);
        Stage stage;
        fillDay(stage);
        view::SettingsPage& page = openSettings(stage);
        (void)stage.picture();
        auto* text = qobject_cast<QLineEdit*>(page.form().editor(key.toStdString()));
        QVERIFY(text != nullptr);
        text->setFocus();
        text->selectAll();
        QTest::keyClicks(text, value);
        stage.settle();
        QVERIFY2(textOf(page).contains(fault), qPrintable(textOf(page)));
        QVERIFY(!buttonIn(page, "Save settings").isEnabled());
        QVERIFY2(page.desk().whyNot().contains(fault), qPrintable(page.desk().whyNot()));
        if (key == QStringLiteral("slow_factor"))
            stage.keep(QStringLiteral("settings-fault-light"));
    }

    void oneWeightSaysWhatTheOtherIs()
    {
        Stage stage;
        fillDay(stage);
        SettingsDesk& desk = openSettings(stage).desk();
        desk.edit("cost_weight", "0.15");
        QCOMPARE(desk.editor().value("speed_weight"), std::string("0.85"));
        desk.edit("cost_weight", "0.7");
        QVERIFY(desk.editor().draft().edits.empty());
    }

    void thePreviewDecidesTheDayAgain()
    {
        Stage stage;
        fillDay(stage);
        view::SettingsPage& page = openSettings(stage);
        (void)stage.picture();
        SettingsDesk& desk = page.desk();
        desk.setReason(goodReason());
        desk.edit("switch_margin", "0.06");
        stage.settle();
        // Nothing that was decided turns on it, so nothing may differ.
        QCOMPARE(desk.preview().headline(), QStringLiteral("0 of 400 decisions differ (0.0 %)"));
        QCOMPARE(desk.whyNot(), QString());

        desk.edit("switch_margin", "0.05");
        desk.edit("cost_weight", "0.2");
        QCOMPARE(desk.preview().state(), State::Running);
        QCOMPARE(desk.whyNot(), QStringLiteral("The preview is still being computed."));
        stage.settle();
        QCOMPARE(desk.preview().state(), State::Done);
        const auto& replayed = desk.preview().replayed();
        QCOMPARE(replayed.decisions, kDecisions);
        QCOMPARE(replayed.mismatches, 0);
        QCOMPARE(replayed.unreadable, 0);
        QCOMPARE(replayed.plansChanged, 1);
        QVERIFY(replayed.first.at("baseten").was > kDecisions * 8 / 10);
        QVERIFY(replayed.first.at("fireworks").wouldBe > kDecisions * 8 / 10);
        QVERIFY(replayed.costNanoUsd.wouldBe > replayed.costNanoUsd.was);
        QVERIFY(replayed.ttftUs.wouldBe < replayed.ttftUs.was);
        QCOMPARE(desk.whyNot(), QString());
        const QString text = textOf(page);
        QVERIFY2(text.contains(QStringLiteral("of 400 decisions differ (")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("another in 1 of 1 plans")), qPrintable(text));
        stage.keep(QStringLiteral("settings-preview-light"));
    }

    void thePreviewGoesInSlicesAndANewDraftTakesItsPlace()
    {
        Stage stage;
        stage.fill();
        saveDay(stage.archive.database(), stage.clock.now(), 2500);
        SettingsDesk& desk = openSettings(stage).desk();
        desk.edit("cost_weight", "0.2");
        QCoreApplication::processEvents();
        QCOMPARE(desk.preview().replayed().decisions, 1000);
        QCOMPARE(desk.preview().state(), State::Running);
        desk.edit("cost_weight", "0.7");
        QCOMPARE(desk.preview().state(), State::Nothing);
        desk.edit("slow_factor", "5");
        stage.settle();
        QCOMPARE(desk.preview().state(), State::Done);
        QCOMPARE(desk.preview().replayed().decisions, 2500);
        QCOMPARE(desk.preview().replayed().changed, 0);
    }

    void anOverloadedRouteOrNoneAtAllBarsTheSave()
    {
        Stage stage;
        fillDay(stage, 9'000);
        SettingsDesk& desk = openSettings(stage).desk();
        desk.setReason(goodReason());
        desk.edit("cost_weight", "0.2");
        stage.settle();
        // The planner itself leaves the rest to others, so this alone is no reason to refuse.
        QCOMPARE(desk.whyNot(), QString());
        QCOMPARE(desk.preview().rows().back().key, QStringLiteral("fireworks"));
        QCOMPARE(desk.preview().rows().back().cells[4].text, QStringLiteral("86.0 %"));
        desk.discard();
        desk.setReason(goodReason());
        for (const char* provider : {"baseten", "fireworks", "coreweave"})
            desk.edit(reports::routeKey({"glm-5.2", provider}, "enabled"), "false");
        stage.settle();
        QVERIFY2(desk.whyNot().contains(QStringLiteral("no route")), qPrintable(desk.whyNot()));
        desk.edit(reports::routeKey({"glm-5.2", "fireworks"}, "enabled"), "true");
        stage.settle();
        QCOMPARE(desk.preview().replayed().first.at("fireworks").wouldBe, kDecisions);
        QVERIFY2(
            desk.whyNot().contains(QStringLiteral("known to bear")), qPrintable(desk.whyNot()));
        stage.keep(QStringLiteral("settings-bars-light"));
    }

    void theAuditShowsWhatChangedAndTakesItBack()
    {
        Stage stage;
        fillDay(stage);
        saveAs(stage, "jon", {"slow_factor=5", "switch_margin=0.1"});
        saveAs(stage, "ann", {"route.glm-5.2.baseten.enabled=false"});
        view::SettingsPage& page = openSettings(stage, QStringLiteral("audit"));
        (void)stage.picture();
        page.audit().filterField()->setText(QStringLiteral("jon v2"));
        const model::Grid& grid = *qobject_cast<model::Grid*>(page.audit().table()->model());
        QCOMPARE(grid.rowCount(), 1);
        QCOMPARE(
            grid.rows()[0].cells[4].text,
            QStringLiteral("slow_factor: 3 → 5, switch_margin: 0.05 → 0.1"));
        QVERIFY(page.audit().csv().contains(QStringLiteral("storm in the east")));
        page.audit().filterField()->clear();
        stage.keep(QStringLiteral("settings-audit-light"));
        for (const model::GridRow& row : grid.rows()) {
            if (row.cells[1].text.startsWith(QStringLiteral("jon"))) {
                page.audit().table()->choose(row.key);
            }
        }
        stage.keep(QStringLiteral("settings-audit-chosen-light"));
        buttonIn(page.audit(), "Revert").click();
        SettingsDesk& desk = page.desk();
        stage.settle();
        QCOMPARE(desk.editor().value("slow_factor"), std::string("3"));
        QCOMPARE(desk.editor().value("switch_margin"), std::string("0.05"));
        QCOMPARE(desk.editor().draft().reason, QStringLiteral("Revert of v2: storm in the east"));
        QCOMPARE(desk.whyNot(), QString());
        desk.save();
        stage.settle();
        QCOMPARE(storedSettings(stage).version, 3);
        QCOMPARE(storedSettings(stage).number("slow_factor"), 3.0);

        for (const AuditEntry& entry : desk.audit()) {
            if (entry.who != "ann") continue;
            QVERIFY(desk.revert(entry));
        }
        QCOMPARE(
            desk.editor().value(reports::routeKey({"glm-5.2", "baseten"}, "enabled")),
            std::string("true"));
    }

    void whoMayNotSeesWhy()
    {
        Stage stage(view::Theme::light(), true);
        fillDay(stage);
        view::SettingsPage& page = openSettings(stage);
        (void)stage.picture();
        page.desk().edit("slow_factor", "4");
        QVERIFY(page.desk().editor().draft().isEmpty());
        QVERIFY(!buttonIn(page, "Save settings").isEnabled());
        QVERIFY(textOf(page).contains(QStringLiteral("started read-only")));
        stage.keep(QStringLiteral("settings-read-only-light"));

        Stage other;
        fillDay(other);
        const auto refusing = [](store::Database&, const model::SaveOrder&) {
            model::SaveReport report;
            report.error = Error{"forbidden", "db", "permission denied"};
            return report;
        };
        SettingsDesk desk(other.console, refusing);
        desk.read();
        other.settle();
        desk.edit("slow_factor", "4");
        desk.setReason(goodReason());
        other.settle();
        desk.save();
        other.settle();
        QCOMPARE(desk.phase(), Phase::NotWritten);
        QVERIFY2(
            desk.notice().contains(QStringLiteral("weir_engineer")), qPrintable(desk.notice()));
        QVERIFY(desk.whyNot().contains(QStringLiteral("weir_engineer")));
        QCOMPARE(desk.editor().value("slow_factor"), std::string("4"));
    }

    void everyStateHasItsPicture()
    {
        Stage stage(view::Theme::dark());
        fillDay(stage);
        stage.archive.hold(true);
        view::SettingsPage& page = openSettings(stage);
        stage.keep(QStringLiteral("settings-loading-dark"));
        stage.archive.refuse(Error{"unreachable", "db:5432", "does not answer"});
        stage.archive.hold(false);
        stage.settle();
        (void)stage.picture();
        QVERIFY(textOf(page).contains(QStringLiteral("does not answer")));
        stage.keep(QStringLiteral("settings-error-dark"));
        stage.archive.refuse(std::nullopt);
        buttonIn(page, "Retry").click();
        stage.settle();
        QVERIFY(page.desk().isRead());
        stage.keep(QStringLiteral("settings-dark"));
        page.desk().edit("cost_weight", "0.2");
        page.desk().edit(reports::routeKey({"glm-5.2", "coreweave"}, "enabled"), "false");
        stage.settle();
        stage.keep(QStringLiteral("settings-preview-dark"));
        for (const QWidget* widget : page.findChildren<QWidget*>()) {
            const bool isStop = (widget->focusPolicy() & Qt::TabFocus) != 0 &&
                                widget->isVisible() && widget->focusProxy() == nullptr;
            if (isStop) {
                QVERIFY2(!widget->accessibleName().isEmpty(), widget->metaObject()->className());
            }
        }
    }
};

QTEST_MAIN(TestConsoleSettings)
#include "tst_console_settings.moc"
