// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/decision_rows.h"
#include "tests/app/support/decision_world.h"

#include <QApplication>
#include <QClipboard>
#include <QDoubleSpinBox>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>

#include <set>

using namespace weir;
using model::Place;
using test::many;
using test::message;
using test::pressAction;
using test::requests;
using test::World;
using view::DecisionsPage;

namespace {

/// The leader's bucket is empty.
void overRate(DecisionInput& input)
{
    input.routes[0].gate.admitPpm = {0, 0, 0, 0};
}

} // namespace

class TestConsoleDecision final : public QObject
{
    Q_OBJECT

private slots:

    void whyItWentThere()
    {
        World world;
        CallRecord spilled = world.decided.record(1, overRate);
        world.add({spilled});
        DecisionsPage& page = world.go();
        QTest::keyClick(page.list().table(), Qt::Key_Down);
        QTest::keyClick(page.list().table(), Qt::Key_Return);
        world.stage.settle();
        view::DecisionView& detail = page.detail();
        QVERIFY(detail.isVisible());
        QCOMPARE(detail.verdictText(), QStringLiteral("replay: reproduced"));
        QString headline;
        for (const auto* label : detail.findChildren<QLabel*>()) {
            if (label->text().startsWith(QStringLiteral("Went to "))) headline = label->text();
        }
        QVERIFY2(
            headline.contains("(spill) and not baseten, the leader: over its rate of 120.00/s"),
            qPrintable(headline));
        const view::GridView* ladder = detail.ladder();
        QCOMPARE(ladder->model()->rowCount(), 3);
        QCOMPARE(world.cell(ladder, 0, 0), QStringLiteral("1"));
        QCOMPARE(world.cell(ladder, 0, 1), QString::fromStdString(spilled.provider));
        QCOMPARE(world.cell(ladder, 0, 8), QStringLiteral("ok in 5.30 s"));
        // Esc goes back to the list, and the row is still chosen.
        QTest::keyClick(detail.ladder(), Qt::Key_Escape);
        QVERIFY(page.list().isVisible());
        QCOMPARE(model::requestOf(page.list().table()->chosen()), QStringLiteral("req-1"));
    }

    void aPastedIdLandsHere()
    {
        World world;
        world.add({world.decided.record(1), world.decided.record(2)});
        DecisionsPage& page = world.go(QStringLiteral("req-2"));
        QVERIFY(page.detail().isVisible());
        QCOMPARE(model::toLink(page.place()), QStringLiteral("weir://decisions/req-2"));
        world.go(QStringLiteral("nobody"));
        QVERIFY(message(page.detail())
                    .startsWith(QStringLiteral("The ledger has no attempt of request nobody")));
        CallRecord shed = world.decided.record(3);
        shed.attempt = 0;
        shed.unserved = Unserved::Shed;
        world.add({shed});
        world.go(QStringLiteral("req-3"));
        QCOMPARE(
            message(page.detail()),
            QStringLiteral("Request req-3 was batch work and was shed: no provider had room."));
        // Words of a query lead to the list.
        world.go(QStringLiteral("provider=baseten"));
        QVERIFY(page.list().isVisible());
        QCOMPARE(page.list().query()->field()->text(), QStringLiteral("provider=baseten"));
    }

    void everyAttemptOfTheRequest()
    {
        World world;
        CallRecord first = world.decided.record(1);
        first.outcome = Outcome::RateLimited;
        first.httpStatus = 429;
        first.ttftMs.reset();
        first.costMicroUsd.reset();
        first.durationMs = 200;
        first.last = false;
        CallRecord second = world.decided.record(1);
        second.attempt = 2;
        second.decision.clear();
        second.startedAt += std::chrono::milliseconds{200};
        second.provider = "fireworks";
        second.reason = Reason::Failover;
        world.add({first, second});
        DecisionsPage& page = world.go(QStringLiteral("req-1"));
        const view::GridView* attempts = page.detail().attempts();
        QCOMPARE(attempts->model()->rowCount(), 2);
        QCOMPARE(world.cell(attempts, 0, 5), QStringLiteral("rate_limited"));
        QCOMPARE(world.cell(attempts, 0, 6), QStringLiteral("429"));
        QCOMPARE(world.cell(attempts, 0, 7), QStringLiteral("—"));
        QCOMPARE(world.cell(attempts, 0, 12), QStringLiteral("—"));
        QCOMPARE(
            world.cell(page.detail().ladder(), 0, 8), QStringLiteral("rate_limited in 0.20 s"));
        QCOMPARE(world.cell(page.detail().ladder(), 1, 8), QStringLiteral("ok in 5.30 s"));
        QCOMPARE(world.cell(page.detail().ladder(), 2, 8), QStringLiteral("not tried"));
    }

    void neverAGuess_data()
    {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("verdict");
        QTest::newRow("gone") << QStringLiteral("gone")
                              << QStringLiteral("cannot be replayed: summary 8f31 not found");
        QTest::newRow("none") << QStringLiteral("none")
                              << QStringLiteral("cannot be replayed: the ledger keeps no decision");
        QTest::newRow("junk") << QStringLiteral("junk")
                              << QStringLiteral("cannot be replayed: the saved decision cannot be");
        QTest::newRow("wrong") << QStringLiteral("wrong") << QStringLiteral("comes out otherwise");
        QTest::newRow("column") << QStringLiteral("column")
                                << QStringLiteral("reproduced, but the ledger's columns differ");
    }

    void neverAGuess()
    {
        QFETCH(QString, what);
        QFETCH(QString, verdict);
        World world;
        CallRecord record = world.decided.record(1);
        SavedDecision saved = decodeSavedDecision(record.decision).value();
        if (what == QStringLiteral("gone")) saved.served.snapshotId = record.snapshotId = "8f31";
        if (what == QStringLiteral("wrong")) {
            std::swap(saved.served.decision.candidates[0], saved.served.decision.candidates[1]);
        }
        record.decision = encode(saved);
        if (what == QStringLiteral("none")) record.decision.clear();
        if (what == QStringLiteral("junk")) record.decision = "no decision at all";
        if (what == QStringLiteral("column")) record.settingsVersion = 9;
        world.add({record});
        DecisionsPage& page = world.go(QStringLiteral("req-1"));
        QVERIFY2(
            page.detail().verdictText().startsWith(QStringLiteral("replay: ") + verdict),
            qPrintable(page.detail().verdictText()));
        const bool isKnown = what == QStringLiteral("wrong") || what == QStringLiteral("column");
        QCOMPARE(page.detail().ladder()->model()->rowCount(), isKnown ? 3 : 0);
        (void)world.stage.keep(QStringLiteral("decision-") + what);
    }

    void whatIfReranksAndChangesNothing()
    {
        World world;
        world.add({world.decided.record(1)});
        DecisionsPage& page = world.go(QStringLiteral("req-1"));
        view::DecisionView& detail = page.detail();
        QVERIFY(!detail.hypothesis()->isVisible());
        QTest::keyClick(detail.ladder(), Qt::Key_W);
        world.stage.settle();
        QVERIFY(detail.hypothesis()->isVisible());
        // Under its own settings it is the decision itself.
        for (int row = 0; row < 3; ++row) {
            QCOMPARE(world.cell(detail.hypothesis(), row, 2), world.cell(detail.ladder(), row, 1));
        }
        QCOMPARE(world.cell(detail.hypothesis(), 0, 2), QStringLiteral("baseten"));
        detail.whatIf()->costWeight()->setValue(0.1);
        QCOMPARE(world.cell(detail.hypothesis(), 0, 2), QStringLiteral("coreweave"));
        QCOMPARE(world.cell(detail.hypothesis(), 0, 1), QStringLiteral("3"));
        QCOMPARE(world.cell(detail.ladder(), 0, 1), QStringLiteral("baseten"));
        QCOMPARE(detail.verdictText(), QStringLiteral("replay: reproduced"));
        world.stage.settle();
        (void)world.stage.keep(QStringLiteral("decision-what-if"));
        QTest::keyClick(detail.ladder(), Qt::Key_Escape);
        QVERIFY(!detail.hypothesis()->isVisible());
        QVERIFY(detail.isVisible());
    }

    void copiesAsJson()
    {
        World world;
        CallRecord record = world.decided.record(1);
        record.seed = ~0ULL;
        world.add({record});
        DecisionsPage& page = world.go(QStringLiteral("req-1"));
        world.stage.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&world.stage.window));
        page.detail().ladder()->setFocus();
        QTest::keySequence(page.detail().ladder(), QKeySequence(QKeySequence::Copy));
        const QString text = QApplication::clipboard()->text();
        const QJsonObject json = QJsonDocument::fromJson(text.toUtf8()).object();
        QCOMPARE(json.value("replay").toString(), page.detail().verdictText().mid(8));
        QCOMPARE(json.value("decision").toString().toStdString(), record.decision);
        const QJsonArray attempts = json.value("attempts").toArray();
        QCOMPARE(attempts[0].toObject().value("request_id").toString(), QStringLiteral("req-1"));
        // Numbers of 64 bits stay whole.
        QVERIFY(text.contains(QStringLiteral("18446744073709551615")));
        QCOMPARE(json.value("explanation").toObject().value("routes").toArray().size(), 3);
    }

    void namesLeadOn()
    {
        World world;
        world.add({world.decided.record(1)});
        DecisionsPage& page = world.go(QStringLiteral("req-1"));
        QSignalSpy places(&world.stage.console, &model::Console::placeWanted);
        QTest::keyClick(page.detail().ladder(), Qt::Key_Down);
        QTest::keyClick(page.detail().ladder(), Qt::Key_Return);
        QCOMPARE(places.size(), 1);
        const auto place = places[0][0].value<Place>();
        QCOMPARE(place.page, Place::Page::Providers);
        QVERIFY(!place.key.isEmpty());
    }

    void aThousandComeOutAsTheyWere()
    {
        World world;
        constexpr int kCount = 1000;
        std::vector<CallRecord> rows;
        for (int i = 1; i <= kCount; ++i)
            rows.push_back(world.decided.anyRecord(i));
        world.add(rows);
        model::DecisionDetail detail(world.stage.console);
        std::set<std::string> winners;
        for (const CallRecord& row : rows) {
            detail.open(QString::fromStdString(row.requestId));
            QCoreApplication::processEvents();
            QVERIFY2(detail.verdict().isReproduced, row.requestId.c_str());
            const auto& ladder = detail.ladder().rows();
            QCOMPARE(ladder.front().key.toStdString(), row.provider);
            winners.insert(row.provider);
        }
        QCOMPARE(winners.size(), 3U);
    }

    void strangeTextStaysText()
    {
        World world;
        CallRecord strange = world.decided.record(1);
        strange.requestId = "<img src=x>#1";
        strange.taskType = "<b>bold</b>";
        strange.conversation = "a b\"c";
        world.add({strange});
        DecisionsPage& page = world.go();
        QCOMPARE(world.cell(page.list().table(), 0, 1), QStringLiteral("<img src=x>#1"));
        QTest::keyClick(page.list().table(), Qt::Key_Down);
        QTest::keyClick(page.list().table(), Qt::Key_Return);
        world.stage.settle();
        QCOMPARE(page.detail().verdictText(), QStringLiteral("replay: reproduced"));
        for (const auto* label : page.detail().findChildren<QLabel*>())
            QVERIFY(label->textFormat() == Qt::PlainText || label->text().isEmpty());
    }

    void trouble()
    {
        World world;
        world.add(many(world.decided, 5));
        DecisionsPage& page = world.go();
        world.stage.archive.refuse(Error{"unreachable", "db:5432", "did not answer (3 s)"});
        world.find(QStringLiteral("provider=baseten"));
        QVERIFY(message(page.list()).startsWith(QStringLiteral("db:5432: did not answer (3 s)")));
        QCOMPARE(world.rows(), 5);
        (void)world.stage.keep(QStringLiteral("decisions-error"));
        world.stage.archive.refuse(std::nullopt);
        pressAction(page.list());
        world.stage.settle();
        world.stage.window.refresh();
        QCOMPARE(message(page.list()), QString());

        world.stage.archive.hold(true);
        world.stage.window.go(requests(QStringLiteral("req-1")));
        world.stage.settle();
        QCOMPARE(page.detail().ladder()->model()->rowCount(), 0);
        QVERIFY(!page.detail().attempts()->model()->rowCount());
        (void)world.stage.keep(QStringLiteral("decision-loading"));
        world.stage.archive.hold(false);
        world.stage.settle();
        world.stage.window.refresh();
        QCOMPARE(page.detail().ladder()->model()->rowCount(), 3);
    }
};

QTEST_MAIN(TestConsoleDecision)
#include "tst_console_decision.moc"
