// SPDX-License-Identifier: Apache-2.0
#include "tests/store/samples.h"

#include <QTemporaryDir>
#include <QTest>

using namespace weir;
using namespace weir::store;
using namespace weir::tests;

namespace {

EvalRunRow sampleRun(const std::string& run, const std::string& provider, std::int64_t scorePpm)
{
    EvalRunRow row;
    row.run = run;
    row.score.model = "glm-5.2";
    row.score.provider = provider;
    row.score.taskType = "search";
    row.score.scorePpm = scorePpm;
    row.score.schemaValidPpm = 900'000;
    row.score.cases = 10;
    row.score.unanswered = 1;
    row.score.evalSet = "search.jsonl";
    row.score.evalSetHash = "0123456789abcdef";
    row.score.scoredAt = kNoon;
    row.grader = "judge";
    row.who = "ada";
    row.host = "host";
    row.startedAt = kNoon - std::chrono::minutes{2};
    row.cut = 3;
    row.inputTokens = 1000;
    row.costMicroUsd = 42;
    row.latencyP50Ms = 640;
    return row;
}

std::int64_t scoreOf(const Decisions& decisions, const std::string& provider)
{
    for (const QualityScore& score : decisions.scores) {
        if (score.provider == provider) return score.scorePpm;
    }
    return -1;
}

} // namespace

class TestQualityStore : public QObject
{
    Q_OBJECT

private slots:

    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        m_store = openStore(std::filesystem::path{m_dir->path().toStdString()} / "weir.db");
    }

    void cleanup() { m_store.reset(); }

    void keepsARunAndItsScores()
    {
        const std::vector<EvalRunRow> rows{
            sampleRun("one", "baseten", 1'000'000), sampleRun("one", "fireworks", 0)};
        QVERIFY(m_store->saveEvalRun(rows));
        QVERIFY(m_store->evalRuns("one", 10).value() == rows);
        QVERIFY(m_store->evalRuns("other", 10).value().empty());
        const std::vector<QualityScore> scores = m_store->qualityScores().value();
        QCOMPARE(scores.size(), std::size_t{2});
        QVERIFY(scores[0] == rows[0].score);
    }

    void everyPollBringsTheNewestScores()
    {
        QVERIFY(m_store->readDecisions().value().scores.empty());
        EvalRunRow row = sampleRun("one", "baseten", 1'000'000);
        QVERIFY(m_store->saveEvalRun({&row, 1}));
        QCOMPARE(scoreOf(m_store->readDecisions().value(), "baseten"), std::int64_t{1'000'000});
        row = sampleRun("two", "baseten", 500'000);
        row.score.scoredAt += std::chrono::minutes{1};
        QVERIFY(m_store->saveEvalRun({&row, 1}));
        QCOMPARE(scoreOf(m_store->readDecisions().value(), "baseten"), std::int64_t{500'000});
        // A run that ended before is history alone, whenever it is stored.
        row = sampleRun("three", "baseten", 0);
        QVERIFY(m_store->saveEvalRun({&row, 1}));
        QCOMPARE(scoreOf(m_store->readDecisions().value(), "baseten"), std::int64_t{500'000});
        QCOMPARE(m_store->evalRuns("", 2).value().size(), std::size_t{2});
    }

    void aRunThatTellsTooLittleIsHistoryAlone()
    {
        EvalRunRow row = sampleRun("one", "baseten", 0);
        row.tells = false;
        QVERIFY(m_store->saveEvalRun({&row, 1}));
        QVERIFY(m_store->qualityScores().value().empty());
        QVERIFY(!m_store->evalRuns("one", 1).value().front().tells);
    }

    void allOfARunOrNothing()
    {
        const std::vector<EvalRunRow> rows{
            sampleRun("one", "baseten", 1'000'000), sampleRun("one", "fireworks", 1'000'001)};
        QCOMPARE(m_store->saveEvalRun(rows).error().code, std::string{"refused"});
        QVERIFY(m_store->evalRuns("", 10).value().empty());
        QVERIFY(m_store->qualityScores().value().empty());
    }

private:
    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<Database> m_store;
};

QTEST_APPLESS_MAIN(TestQualityStore)
#include "tst_quality_store.moc"
