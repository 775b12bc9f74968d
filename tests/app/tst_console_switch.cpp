// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/switch_desk.h"
#include "tests/app/support/samples.h"

#include <QSignalSpy>
#include <QTest>

using namespace weir;
using namespace weir::model;
using test::agentRow;
using test::sampleTime;
using test::switchRow;
using Phase = SwitchDesk::Phase;

namespace {

/// A desk in front of a fleet of one adaptive agent, with the row at v41.
struct Bench
{
    test::HandClock clock;
    Fleet fleet;
    AgentStatus status = test::sampleStatus();
    SwitchFacts facts;
    SwitchDesk desk{
        {QStringLiteral("staging"), QStringLiteral("maria"), QStringLiteral("devbox"), false},
        clock.clock()};
    std::vector<SwitchChange> changes;

    Bench()
    {
        fleet.hear({agentRow("agent-1", EffectiveMode::Adaptive, 41, sampleTime())}, sampleTime());
        facts.fleet = &fleet;
        facts.status = &status;
        facts.row = switchRow(Mode::Adaptive, 41, "jon", sampleTime() - std::chrono::hours{1});
        facts.settings = standardSettings();
        facts.settings->version = 7;
        facts.isStoreReadable = true;
        QObject::connect(&desk, &SwitchDesk::changeRequested, [this](const SwitchChange& change) {
            changes.push_back(change);
        });
        desk.showFacts(facts);
    }

    void openWith(Mode target, const QString& chip)
    {
        desk.open(target);
        SwitchDraft draft;
        draft.chip = chip;
        desk.edit(draft);
    }

    SwitchOutcome answer(SwitchOutcome::Kind kind, RoutingSwitch row = {}) const
    {
        return {kind, changes.back().requestUuid, std::move(row), "the store is locked"};
    }
};

} // namespace

class TestConsoleSwitch final : public QObject
{
    Q_OBJECT

private slots:

    void reasonIsAChipOrTenCharacters_data()
    {
        QTest::addColumn<QString>("chip");
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("isEnough");
        QTest::addColumn<QString>("reason");
        QTest::newRow("nothing") << ""
                                 << "" << false << "";
        QTest::newRow("nine") << ""
                              << "123456789" << false << "123456789";
        QTest::newRow("nine and spaces") << ""
                                         << "  123456789   " << false << "123456789";
        QTest::newRow("ten") << ""
                             << "1234567890" << true << "1234567890";
        QTest::newRow("chip") << "429 storm"
                              << "" << true << "429 storm";
        QTest::newRow("both") << "slow"
                              << "since 10:02" << true << "slow: since 10:02";
    }

    void reasonIsAChipOrTenCharacters()
    {
        QFETCH(QString, chip);
        QFETCH(QString, text);
        QFETCH(bool, isEnough);
        QFETCH(QString, reason);
        Bench bench;
        bench.desk.open(Mode::Fixed);
        SwitchDraft draft;
        draft.chip = chip;
        draft.text = text;
        bench.desk.edit(draft);
        QCOMPARE(bench.desk.canCommit(), isEnough);
        QCOMPARE(draft.reason(), reason);
    }

    void offIsWrittenAgainstTheVersionSeen()
    {
        Bench bench;
        bench.openWith(Mode::Fixed, QStringLiteral("429 storm"));
        bench.desk.commit();
        QCOMPARE(bench.desk.phase(), Phase::Writing);
        QCOMPARE(bench.changes.size(), std::size_t{1});
        QCOMPARE(bench.changes[0].expectedVersion, 41);
        QCOMPARE(bench.changes[0].target, Mode::Fixed);
        QCOMPARE(bench.changes[0].reason, std::string("429 storm"));
        QCOMPARE(bench.changes[0].by, std::string("maria"));
        QVERIFY(!bench.changes[0].requestUuid.empty());
        bench.desk.commit();
        QCOMPARE(bench.changes.size(), std::size_t{1});
    }

    void onNeedsTheNameAndCleanChecks()
    {
        Bench bench;
        bench.facts.row->mode = Mode::Fixed;
        bench.desk.showFacts(bench.facts);
        bench.openWith(Mode::Adaptive, QStringLiteral("incident over"));
        QVERIFY(!bench.desk.canCommit());
        SwitchDraft draft = bench.desk.draft();
        draft.typedName = QStringLiteral("production");
        bench.desk.edit(draft);
        QVERIFY(!bench.desk.canCommit());
        draft.typedName = QStringLiteral("staging");
        bench.desk.edit(draft);
        QVERIFY2(bench.desk.canCommit(), qPrintable(bench.desk.whyNot()));

        // An agent that lags behind the settings fails the preflight.
        bench.facts.settings->version = 8;
        bench.desk.showFacts(bench.facts);
        QVERIFY(bench.desk.needsOverride());
        QVERIFY(!bench.desk.canCommit());
        draft.typedOverride = QStringLiteral("override");
        bench.desk.edit(draft);
        QVERIFY(bench.desk.canCommit());
        bench.desk.commit();
        QCOMPARE(
            bench.changes.back().reason,
            std::string("incident over [override: Not yet on settings v8: agent-1]"));
    }

    void onIsImpossibleWhileTheStoreIsNotReadable()
    {
        Bench bench;
        bench.facts.isStoreReadable = false;
        bench.desk.showFacts(bench.facts);
        bench.openWith(Mode::Adaptive, QStringLiteral("incident over"));
        SwitchDraft draft = bench.desk.draft();
        draft.typedName = QStringLiteral("staging");
        draft.typedOverride = QStringLiteral("override");
        bench.desk.edit(draft);
        QVERIFY(!bench.desk.canCommit());
    }

    void aMissingSummaryIsAWarningAndSaysWhatWillHappen()
    {
        Bench bench;
        bench.desk.open(Mode::Adaptive);
        QCOMPARE(bench.status.summary.has_value(), false);
        bool isWarned = false;
        for (const PreflightItem& item : bench.desk.checks()) {
            isWarned |= item.verdict == PreflightItem::Verdict::Warning &&
                        item.text.contains(QStringLiteral("no summary"));
        }
        QVERIFY(isWarned);
        QVERIFY(!bench.desk.needsOverride());
    }

    void readOnlyDisablesWithAReason()
    {
        test::HandClock clock;
        SwitchDesk desk(
            {QStringLiteral("x"), QStringLiteral("v"), QStringLiteral("h"), true}, clock.clock());
        desk.open(Mode::Fixed);
        QVERIFY(!desk.canCommit());
        QVERIFY(desk.whyNot().contains(QStringLiteral("read-only")));
    }

    void draftSurvivesTenMinutes()
    {
        Bench bench;
        bench.openWith(Mode::Fixed, QStringLiteral("slow"));
        bench.desk.close();
        bench.clock.advance(std::chrono::minutes{9});
        bench.desk.open(Mode::Fixed);
        QCOMPARE(bench.desk.draft().chip, QStringLiteral("slow"));
        bench.desk.close();
        bench.clock.advance(std::chrono::minutes{11});
        bench.desk.open(Mode::Fixed);
        QCOMPARE(bench.desk.draft(), SwitchDraft{});
    }

    void notWrittenKeepsTheReasonAndTriesAgainWithTheSameUuid()
    {
        Bench bench;
        bench.openWith(Mode::Fixed, QStringLiteral("slow"));
        bench.desk.commit();
        bench.desk.settle(bench.answer(SwitchOutcome::Kind::NotWritten));
        QCOMPARE(bench.desk.phase(), Phase::NotWritten);
        QCOMPARE(bench.desk.notice(), QStringLiteral("Not written. the store is locked"));
        QCOMPARE(bench.desk.draft().chip, QStringLiteral("slow"));
        QVERIFY(bench.desk.canCommit());
        bench.desk.commit();
        QCOMPARE(bench.changes.size(), std::size_t{2});
        QCOMPARE(bench.changes[1].requestUuid, bench.changes[0].requestUuid);
    }

    void unknownOutcomeOffersNothingUntilItIsResolved()
    {
        Bench bench;
        bench.openWith(Mode::Fixed, QStringLiteral("slow"));
        bench.desk.commit();
        bench.desk.settle(bench.answer(SwitchOutcome::Kind::Unknown));
        QCOMPARE(bench.desk.phase(), Phase::Checking);
        QVERIFY(bench.desk.notice().startsWith(QStringLiteral("Outcome unknown, checking")));
        QVERIFY(!bench.desk.canCommit());
        bench.desk.settle(bench.answer(
            SwitchOutcome::Kind::Written, switchRow(Mode::Fixed, 42, "maria", bench.clock.now())));
        QCOMPARE(bench.desk.phase(), Phase::Progress);
    }

    void oppositeChangeNamesTheOtherAndWaitsASecond()
    {
        Bench bench;
        bench.openWith(Mode::Fixed, QStringLiteral("slow"));
        bench.clock.advance(std::chrono::seconds{4});
        QSignalSpy meanings(&bench.desk, &SwitchDesk::meaningChanged);
        bench.desk.showRow(switchRow(Mode::Adaptive, 42, "jon", sampleTime()));
        QCOMPARE(meanings.count(), 1);
        QCOMPARE(
            bench.desk.notice(),
            QStringLiteral("jon turned it ON 4 s ago (v42, “429 storm”). Nothing was written. "
                           "Review it and confirm again."));
        QVERIFY(!bench.desk.canCommit());
        bench.desk.commit();
        QVERIFY(bench.changes.empty());
        bench.clock.advance(std::chrono::milliseconds{1001});
        QVERIFY(bench.desk.canCommit());
        bench.desk.commit();
        QCOMPARE(bench.changes.back().expectedVersion, 42);
    }

    void sameTargetJoinsTheOthersProgress()
    {
        Bench bench;
        bench.openWith(Mode::Fixed, QStringLiteral("slow"));
        bench.desk.commit();
        bench.clock.advance(std::chrono::seconds{4});
        bench.desk.settle(bench.answer(
            SwitchOutcome::Kind::Conflict, switchRow(Mode::Fixed, 42, "jon", sampleTime())));
        QCOMPARE(bench.desk.phase(), Phase::Progress);
        QVERIFY(bench.desk.notice().startsWith(QStringLiteral("jon turned it OFF 4 s ago (v42")));
        QCOMPARE(bench.changes.size(), std::size_t{1});
    }

    void sevenAgentsAreCountedByTheirOwnWord()
    {
        Fleet fleet;
        std::vector<AgentStateRow> rows;
        for (int i = 1; i <= 7; ++i) {
            rows.push_back(
                agentRow("agent-" + std::to_string(i), EffectiveMode::Adaptive, 41, sampleTime()));
        }
        fleet.hear(rows, sampleTime());
        const RoutingSwitch row = switchRow(Mode::Fixed, 42, "maria", sampleTime());
        SwitchProgress progress = switchProgress(row, fleet, sampleTime());
        QCOMPARE(progress.applied, 0);

        const std::vector<int> delaysMs{200, 700, 900, 1400, 2200, 2600, 3100};
        for (std::size_t i = 0; i < 7; ++i) {
            const UtcTime at = sampleTime() + std::chrono::milliseconds{delaysMs[i]};
            rows[i] = agentRow(rows[i].agentId, EffectiveMode::Fixed, 42, at);
            if (i < 6) fleet.hear({rows[i]}, at + std::chrono::milliseconds{150});
        }
        progress = switchProgress(row, fleet, sampleTime() + std::chrono::milliseconds{2800});
        QCOMPARE(
            progress.headline, QStringLiteral("Written as v42. Applied by 6/7 agents · 2.8 s"));
        QCOMPARE(progress.tone, Tone::Neutral);

        progress = switchProgress(row, fleet, sampleTime() + std::chrono::seconds{8});
        QCOMPARE(progress.tone, Tone::Warning);
        QCOMPARE(progress.detail, QStringLiteral("agent-7 silent 8 s, last reported ADAPTIVE"));

        fleet.hear({rows[6]}, sampleTime() + std::chrono::milliseconds{3300});
        progress = switchProgress(row, fleet, sampleTime() + std::chrono::seconds{9});
        QCOMPARE(progress.headline, QStringLiteral("Applied by 7/7 agents in 3.1 s"));
        QVERIFY(progress.isComplete);
    }

    void acknowledgingWithoutDoingIsSaid()
    {
        Fleet fleet;
        auto row = agentRow(
            "agent-1", EffectiveMode::Failsafe, 42, sampleTime() + std::chrono::milliseconds{800});
        row.modeReason = "no_summary";
        fleet.hear({row}, sampleTime() + std::chrono::seconds{1});
        const auto progress = switchProgress(
            switchRow(Mode::Adaptive, 42, "maria", sampleTime()),
            fleet,
            sampleTime() + std::chrono::seconds{2});
        QVERIFY(!progress.isComplete);
        QCOMPARE(progress.tone, Tone::Warning);
        QCOMPARE(
            progress.headline,
            QStringLiteral("Acknowledged by 1/1 in 0.8 s, but run by 0/1 agent"));
        QCOMPARE(
            progress.detail,
            QStringLiteral("agent-1 acknowledged, but reports FIXED ORDER (no summary)"));
    }
};

QTEST_GUILESS_MAIN(TestConsoleSwitch)
#include "tst_console_switch.moc"
