// SPDX-License-Identifier: Apache-2.0
#include "tests/store/foreign_client.h"
#include "tests/store/samples.h"

#include <QTemporaryDir>
#include <QTest>

using namespace weir;
using namespace weir::store;
using namespace weir::tests;

namespace {

MirrorComparison sample(int number)
{
    MirrorComparison comparison;
    comparison.requestId = "request-" + std::to_string(number);
    comparison.at = kNoon + std::chrono::minutes{number};
    comparison.taskType = number % 2 == 0 ? "review" : "summary";
    comparison.served = {
        "big", "baseten", Outcome::Length, true, false, 812'345, 310, 4200, 517, 1234};
    comparison.candidate = {
        "small", "fireworks", Outcome::Refused, false, true, 100'000, 120, 900, 33, 12};
    return comparison;
}

} // namespace

class TestMirrorStore : public QObject
{
    Q_OBJECT

private slots:

    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        m_path = (m_dir->path() + "/weir.db").toStdString();
        m_store = openStore(m_path);
    }

    void keepsAllOfAComparison()
    {
        MirrorComparison bare = sample(2);
        bare.served = {};
        bare.candidate = {};
        bare.candidate.outcome = Outcome::TtftTimeout;
        const std::vector all{bare, sample(1)};
        QVERIFY(m_store->addComparisons(all).has_value());
        const auto found = m_store->comparisons({});
        QVERIFY(found.has_value());
        QVERIFY(*found == all);
    }

    void aRequestCountsOnce()
    {
        MirrorComparison changed = sample(1);
        changed.candidate.model = "other";
        QVERIFY(m_store->addComparisons(std::vector{sample(1)}).has_value());
        QVERIFY(m_store->addComparisons(std::vector{changed, sample(2)}).has_value());
        const auto found = m_store->comparisons({}).value();
        QCOMPARE(found.size(), 2U);
        QVERIFY(found[1] == sample(1));
    }

    void findsByTimeAndTask()
    {
        for (int i = 0; i < 6; ++i)
            QVERIFY(m_store->addComparisons(std::vector{sample(i)}).has_value());
        MirrorQuery query;
        query.sinceMs = epochMs(kNoon + std::chrono::minutes{3});
        QCOMPARE(m_store->comparisons(query).value().size(), 3U);
        query.taskType = "review";
        const auto found = m_store->comparisons(query).value();
        QCOMPARE(found.size(), 1U);
        QVERIFY(found[0] == sample(4));
    }

    /// Whoever writes with another hand is held to the same.
    void refusesWhatMakesNoSense_data()
    {
        QTest::addColumn<QString>("change");
        QTest::newRow("one grade of two") << "served_score_ppm = NULL";
        QTest::newRow("more than all") << "served_score_ppm = 1000001";
        QTest::newRow("neither kept nor broken") << "candidate_schema_valid = 2";
        QTest::newRow("perhaps refused") << "served_refused = 7";
    }

    void refusesWhatMakesNoSense()
    {
        QFETCH(QString, change);
        QVERIFY(m_store->addComparisons(std::vector{sample(1)}).has_value());
        ForeignClient shell(m_path);
        QVERIFY(shell.run("UPDATE mirror_comparison SET " + change).contains("constraint"));
    }

private:
    std::unique_ptr<QTemporaryDir> m_dir;
    std::filesystem::path m_path;
    std::unique_ptr<Database> m_store;
};

QTEST_APPLESS_MAIN(TestMirrorStore)
#include "tst_mirror_store.moc"
