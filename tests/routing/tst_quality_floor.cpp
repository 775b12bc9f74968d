// SPDX-License-Identifier: Apache-2.0
#include "common/routing/quality_floor.h"

#include <QTest>

using namespace weir;
using namespace weir::routing;

namespace {

constexpr std::int64_t kNowMs = 1'796'032'800'000;

QualityScore scored(const std::string& provider, const std::string& taskType, std::int64_t ppm)
{
    QualityScore score;
    score.model = "glm-5.2";
    score.provider = provider;
    score.taskType = taskType;
    score.scorePpm = ppm;
    score.cases = 40;
    score.scoredAt = fromEpochMs(kNowMs);
    return score;
}

TaskConfig taskWith(double floor)
{
    TaskConfig task;
    task.name = "review";
    task.qualityFloor = floor;
    return task;
}

} // namespace

class TestQualityFloor : public QObject
{
    Q_OBJECT

private slots:

    void findsTheScoreOfTheTask()
    {
        const std::vector<QualityScore> scores{
            scored("baseten", "review", 1), scored("baseten", "search", 2)};
        QCOMPARE(scoreOf(scores, "glm-5.2", "baseten", "search")->scorePpm, std::int64_t{2});
        QVERIFY(scoreOf(scores, "glm-5.2", "baseten", "default") == nullptr);
        QVERIFY(scoreOf(scores, "glm-5.2", "fireworks", "search") == nullptr);
        QVERIFY(scoreOf(scores, "other", "baseten", "search") == nullptr);
    }

    void belowIsBelow_data()
    {
        QTest::addColumn<double>("floor");
        QTest::addColumn<qint64>("scorePpm"); // -1 = never scored
        QTest::addColumn<bool>("below");
        QTest::newRow("below") << 0.5 << qint64{499'999} << true;
        QTest::newRow("at the floor") << 0.5 << qint64{500'000} << false;
        QTest::newRow("a floor that is no binary fraction") << 0.7 << qint64{700'000} << false;
        QTest::newRow("nothing at all") << 0.001 << qint64{0} << true;
        QTest::newRow("no floor") << 0.0 << qint64{0} << false;
        QTest::newRow("perfect or nothing") << 1.0 << qint64{999'999} << true;
        QTest::newRow("never scored") << 1.0 << qint64{-1} << false;
    }

    void belowIsBelow()
    {
        QFETCH(double, floor);
        QFETCH(qint64, scorePpm);
        QFETCH(bool, below);
        const QualityScore score = scored("baseten", "review", scorePpm);
        QCOMPARE(isBelowFloor(scorePpm < 0 ? nullptr : &score, taskWith(floor)), below);
    }

    void saysWhatWhenAndHowFar_data()
    {
        QTest::addColumn<qint64>("scorePpm");
        QTest::addColumn<qint64>("ageS");
        QTest::addColumn<QString>("text");
        const auto row = [](qint64 ppm, qint64 ageS, const char* shown, const char* age) {
            QTest::newRow(shown) << ppm << ageS
                                 << QString("scored %1 for task type review (40 cases, %2 old), "
                                            "below its quality_floor of 0.75")
                                        .arg(shown, age);
        };
        row(312'499, 11'000, "0.312", "3 h");
        row(0, 59, "0.0", "59 s");
        row(749'999, 61, "0.749", "1 min");
        row(500'000, 200'000, "0.5", "2 d");
        row(40'000, -5, "0.04", "0 s");
    }

    void saysWhatWhenAndHowFar()
    {
        QFETCH(qint64, scorePpm);
        QFETCH(qint64, ageS);
        QFETCH(QString, text);
        const QualityScore score = scored("baseten", "review", scorePpm);
        const std::string said = describeBelowFloor(score, taskWith(0.75), kNowMs + ageS * 1000);
        QCOMPARE(QString::fromStdString(said), text);
    }
};

QTEST_APPLESS_MAIN(TestQualityFloor)
#include "tst_quality_floor.moc"
