// SPDX-License-Identifier: Apache-2.0
#include "common/routing/ladder.h"

#include <QTest>

using namespace weir;
using namespace weir::routing;

/// Which models may serve a request, best first, and when it goes from one to the next.
class TstLadder : public QObject
{
    Q_OBJECT

private slots:
    void steps_data();
    void steps();
    void stepsDown_data();
    void stepsDown();
    void sheds_data();
    void sheds();
    void passesOver();
    void triesWhatMayAnswer();
};

void TstLadder::steps_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<QStringList>("callerModels");
    QTest::addColumn<int>("lowest");
    QTest::addColumn<QString>("ladder");
    const auto row = [](const char* name,
                        const char* model,
                        const QStringList& callerModels,
                        int lowest,
                        const char* ladder) {
        QTest::newRow(name) << QString(model) << callerModels << lowest << QString(ladder);
    };
    // The task's ladder: a, b, gone, c, d, and faq for an answer. "gone" is not configured.
    row("auto", "auto", {}, 4, "a0 b1 c2 d2 faq3");
    row("nothing named", "", {}, 4, "a0 b1 c2 d2 faq3");
    row("from the named one down", "b", {}, 4, "b0 c1 d2 faq3");
    row("the last one", "d", {}, 4, "d0 faq3");
    row("one beside the ladder", "x", {}, 4, "x0");
    row("the caller's own", "x", {"b", "x", "y"}, 4, "x0 b1 y2");
    row("the caller's own below the task's", "c", {"x", "a"}, 4, "c0 d1 x2 a2 faq3");
    row("nothing worse than L1", "auto", {}, 1, "a0 b1");
    row("nothing worse than L2", "auto", {}, 2, "a0 b1 c2 d2");
    row("the best or nothing", "auto", {}, 0, "a0");
    row("L3 will do", "auto", {}, 3, "a0 b1 c2 d2 faq3");
    row("from one that is gone", "gone", {}, 4, "c0 d1 faq3");
    row("unknown", "nobody", {}, 4, "");
}

void TstLadder::steps()
{
    QFETCH(const QString, model);
    QFETCH(const QStringList, callerModels);
    TaskConfig task;
    task.models = {"a", "b", "gone", "c", "d"};
    task.answerModel = "faq";
    std::vector<std::string> wishes;
    for (const QString& each : callerModels)
        wishes.push_back(each.toStdString());
    const std::string name = model.toStdString();
    QFETCH(const int, lowest);
    const auto isKnown = [](std::string_view each) {
        return std::string_view{"abcdxyfaq"}.find(each) != std::string_view::npos && !each.empty();
    };
    QString ladder;
    for (const LadderStep& step : ladderOf(task, {name, wishes, lowest}, isKnown)) {
        if (!ladder.isEmpty()) ladder += ' ';
        ladder += QString::fromStdString(std::string{step.model}) + QString::number(step.level);
    }
    QTEST(ladder, "ladder");
}

void TstLadder::stepsDown_data()
{
    QTest::addColumn<Outcome>("failed");
    QTest::addColumn<int>("failovers");
    QTest::addColumn<int>("nextLevel");
    QTest::addColumn<bool>("goesOn");
    QTest::newRow("out of order") << Outcome::ServerError << 0 << 1 << true;
    QTest::newRow("over its limit") << Outcome::RateLimited << 1 << 2 << true;
    QTest::newRow("the caller's fault") << Outcome::BadRequest << 0 << 1 << false;
    QTest::newRow("a client that left") << Outcome::ClientCancelled << 0 << 3 << false;
    QTest::newRow("two failovers made") << Outcome::ServerError << 2 << 2 << false;
    QTest::newRow("an answer is no load") << Outcome::ServerError << 2 << 3 << true;
}

void TstLadder::stepsDown()
{
    QFETCH(const Outcome, failed);
    QFETCH(const int, failovers);
    QFETCH(const int, nextLevel);
    AttemptLog log;
    log.attempts = failovers;
    log.failovers = failovers;
    QTEST(mayStepDown(log, failed, nextLevel), "goesOn");
}

void TstLadder::sheds_data()
{
    QTest::addColumn<ReasonCode>("first");
    QTest::addColumn<EffectiveMode>("mode");
    QTest::addColumn<bool>("batch");
    QTest::addColumn<bool>("isShed");
    const auto forced = ReasonCode::ForcedOverrun;
    QTest::newRow("batch without room") << forced << EffectiveMode::Adaptive << true << true;
    QTest::newRow("interactive") << forced << EffectiveMode::Adaptive << false << false;
    QTest::newRow("room") << ReasonCode::Best << EffectiveMode::Adaptive << true << false;
    QTest::newRow("fixed order") << forced << EffectiveMode::Fixed << true << false;
}

void TstLadder::sheds()
{
    QFETCH(const ReasonCode, first);
    QFETCH(const EffectiveMode, mode);
    QFETCH(const bool, batch);
    Decision decision;
    QVERIFY(!isShed(decision, mode, batch));
    decision.candidates.push_back({0, first, Reason::LastResort});
    QTEST(weir::routing::isShed(decision, mode, batch), "isShed");
}

/// What is out or over its rate is passed over, but for the probe that finds out that it is back.
void TstLadder::passesOver()
{
    GateView gate;
    Decision decision;
    QVERIFY(!isPassedOver(decision, gate));
    decision.candidates.push_back({0, ReasonCode::ForcedOverrun, Reason::LastResort});
    QVERIFY(isPassedOver(decision, gate));
    gate.probeFree = true;
    QVERIFY(!isPassedOver(decision, gate));
    gate.probeFree = false;
    decision.candidates[0].code = ReasonCode::Best;
    QVERIFY(!isPassedOver(decision, gate));
}

void TstLadder::triesWhatMayAnswer()
{
    Decision out;
    out.eligibleMask = out.heldMask = 0b11;
    Decision full = out;
    full.heldMask = 0b01;
    QVERIFY(isBetterLastResort(full, out));
    QVERIFY(!isBetterLastResort(out, full));
    QVERIFY(!isBetterLastResort(out, out));
    QVERIFY(!isBetterLastResort(full, full));
}

QTEST_APPLESS_MAIN(TstLadder)
#include "tst_ladder.moc"
