// SPDX-License-Identifier: Apache-2.0
#include "agent/fleet/drills.h"

#include <QTest>

using namespace weir;
using namespace weir::fleet;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

namespace {

constexpr Instant kNow{hours{5}};
constexpr UtcTime kUtc = fromEpochMs(1'796'032'800'000);

/// Of route m/a, a minute long.
Drill sampleDrill(UtcTime startsAt = kUtc)
{
    Drill drill;
    drill.id = "d";
    drill.model = "m";
    drill.provider = "a";
    drill.startsAt = startsAt;
    drill.endsAt = startsAt + minutes{1};
    return drill;
}

bool acts(const Drills& drills, Instant at)
{
    return drillOn(*drills.list().get(), "m", "a", at) != nullptr;
}

} // namespace

/// When a drill begins and ends in an agent, whatever the world does in the meantime.
class TestDrills : public QObject
{
    Q_OBJECT

private slots:

    void actsFromItsStartToItsEnd()
    {
        Drills drills;
        drills.read({sampleDrill(kUtc + seconds{10})}, kNow, kUtc);
        QVERIFY(!acts(drills, kNow + milliseconds{9999}));
        QVERIFY(acts(drills, kNow + seconds{10}));
        QVERIFY(acts(drills, kNow + milliseconds{69'999}));
        QVERIFY(!acts(drills, kNow + seconds{70}));
        QVERIFY(!drillOn(*drills.list().get(), "m", "b", kNow + seconds{20}));
        QVERIFY(!drillOn(*drills.list().get(), "n", "a", kNow + seconds{20}));
    }

    /// The store is gone, so its row is never read again: the end comes all the same.
    void endsWithoutTheStore()
    {
        Drills drills;
        drills.read({sampleDrill()}, kNow, kUtc);
        QVERIFY(acts(drills, kNow + seconds{59}));
        QVERIFY(!acts(drills, kNow + minutes{1}));
        const auto list = drills.list().get();
        QCOMPARE(list->front()->endReason(kNow + seconds{59}), std::string_view{});
        QCOMPARE(list->front()->endReason(kNow + minutes{1}), std::string_view{"time"});
    }

    void aClockSetBackDoesNotProlongIt()
    {
        Drills drills;
        drills.read({sampleDrill()}, kNow, kUtc);
        drills.read({sampleDrill()}, kNow + seconds{50}, kUtc - hours{1});
        QVERIFY(acts(drills, kNow + seconds{59}));
        QVERIFY(!acts(drills, kNow + minutes{1}));
        drills.read({sampleDrill()}, kNow + minutes{2}, kUtc - hours{1});
        QVERIFY(!acts(drills, kNow + minutes{2}));
    }

    void boundedWhateverTheClocksSay_data()
    {
        QTest::addColumn<qint64>("agentAheadS");
        QTest::addColumn<qint64>("beginsS");
        QTest::addColumn<qint64>("endsS");
        QTest::newRow("same clock") << qint64{0} << qint64{0} << qint64{60};
        QTest::newRow("read late") << qint64{20} << qint64{0} << qint64{40};
        QTest::newRow("behind") << qint64{-30} << qint64{30} << qint64{90};
        QTest::newRow("a day behind") << qint64{-86'400} << qint64{3600} << qint64{3660};
        QTest::newRow("over before it was read") << qint64{61} << qint64{0} << qint64{0};
    }

    void boundedWhateverTheClocksSay()
    {
        QFETCH(qint64, agentAheadS);
        QFETCH(qint64, beginsS);
        QFETCH(qint64, endsS);
        const RunningDrill drill(sampleDrill(), kNow, kUtc + seconds{agentAheadS});
        QCOMPARE(drill.startsAt() - kNow, Duration{seconds{beginsS}});
        QCOMPARE(drill.endsAt() - kNow, Duration{seconds{endsS}});
    }

    /// A row that was not written by Weir's own store.
    void neverLongerThanAnHour()
    {
        Drill drill = sampleDrill();
        drill.endsAt = kUtc + hours{48};
        QCOMPARE(RunningDrill(drill, kNow, kUtc).endsAt() - kNow, Duration{hours{1}});
    }

    void endsAtOnceWhenItsRowSaysSo()
    {
        Drills drills;
        drills.read({sampleDrill()}, kNow, kUtc);
        const auto held = drillOn(*drills.list().get(), "m", "a", kNow);
        drills.read({}, kNow + seconds{5}, kUtc + seconds{5});
        QVERIFY(!acts(drills, kNow + seconds{5}));
        // Who is in the middle of it sees that, too.
        QVERIFY(!held->acts(kNow + seconds{5}));
        QCOMPARE(held->endReason(kNow + seconds{5}), std::string_view{});
    }

    void abortsWhenUsersFail_data()
    {
        QTest::addColumn<int>("failed");
        QTest::addColumn<int>("requests");
        QTest::addColumn<bool>("aborts");
        QTest::newRow("too few to tell") << 19 << 19 << false;
        QTest::newRow("at the limit") << 5 << 100 << false;
        QTest::newRow("above it") << 6 << 100 << true;
        QTest::newRow("all of twenty") << 20 << 20 << true;
        QTest::newRow("none") << 0 << 1000 << false;
    }

    void abortsWhenUsersFail()
    {
        QFETCH(int, failed);
        QFETCH(int, requests);
        QFETCH(bool, aborts);
        RunningDrill drill(sampleDrill(), kNow, kUtc);
        // The failures come last: what counts is the share of all.
        for (int i = 0; i < requests; ++i)
            drill.requestEnded(i >= requests - failed);
        QCOMPARE(drill.acts(kNow + seconds{1}), !aborts);
        QCOMPARE(drill.endReason(kNow + seconds{1}) == "aborted", aborts);
        QCOMPARE(drill.counts().requests, std::int64_t{requests});
        QCOMPARE(drill.counts().failures, std::int64_t{failed});
    }

    void statusOfThoseThatRun()
    {
        Drills drills;
        drills.read({sampleDrill()}, kNow, kUtc);
        const auto list = drills.list().get();
        list->front()->touched();
        list->front()->spared();
        const std::vector<DrillStatus> status = statusOf(*list, kNow + seconds{15});
        QCOMPARE(status.size(), std::size_t{1});
        QCOMPARE(status[0].leftS, 45.0);
        QCOMPARE(status[0].counts, (DrillCounts{0, 0, 1, 1}));
        QVERIFY(statusOf(*list, kNow + minutes{1}).empty());
    }
};

QTEST_APPLESS_MAIN(TestDrills)
#include "tst_drills.moc"
