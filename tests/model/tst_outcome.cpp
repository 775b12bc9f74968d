// SPDX-License-Identifier: Apache-2.0
#include "common/model/call_record.h"

#include <QTest>

using namespace weir;

class TestOutcome : public QObject
{
    Q_OBJECT

private slots:

    /// Contract section 3: which classes are neutral, and which may go to another route.
    void meansWhatTheContractSays_data()
    {
        QTest::addColumn<QString>("word");
        QTest::addColumn<QString>("kind");
        QTest::addColumn<bool>("failsOver");
        const auto row = [](const char* word, const char* kind, bool failsOver) {
            QTest::newRow(word) << word << kind << failsOver;
        };
        row("ok", "success", false);
        row("length", "success", false);
        row("refused", "neutral", false);
        row("client_cancelled", "neutral", false);
        row("bad_request", "neutral", false);
        row("context_overflow", "neutral", true);
        row("model_unavailable", "failure", true);
        row("auth", "failure", true);
        row("no_credit", "failure", true);
        row("rate_limited", "failure", true);
        row("overloaded", "failure", true);
        row("server_error", "failure", true);
        row("connect_failed", "failure", true);
        row("reset", "failure", true);
        row("ttft_timeout", "failure", true);
        row("idle_timeout", "failure", true);
        row("deadline", "failure", false);
        row("stream_broken", "failure", true);
        row("malformed", "failure", true);
    }

    void meansWhatTheContractSays()
    {
        QFETCH(QString, word);
        QFETCH(QString, kind);
        QFETCH(bool, failsOver);
        const auto outcome = outcomeFromWord(word.toStdString());
        QVERIFY(outcome);
        QCOMPARE(QString::fromStdString(std::string{toWord(*outcome)}), word);
        QCOMPARE(isSuccess(*outcome), kind == "success");
        QCOMPARE(isNeutral(*outcome), kind == "neutral");
        QCOMPARE(mayFailOver(*outcome), failsOver);
    }

    void everyWordComesBack()
    {
        for (std::size_t i = 0; i < kOutcomeCount; ++i) {
            QVERIFY(outcomeFromWord(toWord(static_cast<Outcome>(i))) == static_cast<Outcome>(i));
        }
        QVERIFY(!outcomeFromWord("fine"));
        for (int i = 0; i <= static_cast<int>(Reason::Fixed); ++i) {
            QVERIFY(reasonFromWord(toWord(static_cast<Reason>(i))) == static_cast<Reason>(i));
        }
        QVERIFY(!reasonFromWord("luck"));
    }
};

QTEST_APPLESS_MAIN(TestOutcome)
#include "tst_outcome.moc"
