// SPDX-License-Identifier: Apache-2.0
#include "agent/fleet/control_watch.h"

#include <QTest>

using namespace weir;
using std::chrono::milliseconds;
using std::chrono::seconds;
using weir::fleet::ControlWatch;
using weir::fleet::SummaryAge;

namespace {

constexpr seconds kGrace{15};

Instant at(Duration sinceStart)
{
    return Instant{sinceStart};
}

UtcTime utc(int secondsSinceStart)
{
    return fromEpochMs(1'796'032'800'000) + seconds{secondsSinceStart};
}

Result<Decisions> good(Mode mode, std::int64_t version = 1)
{
    Decisions decisions;
    decisions.routingSwitch.mode = mode;
    decisions.routingSwitch.version = version;
    decisions.settings = standardSettings();
    return decisions;
}

Result<Decisions> bad(const char* code)
{
    return fail(code, "", "for the test");
}

QString modeOf(const Control& control)
{
    const std::string text{toWord(control.effectiveMode)};
    return QString::fromStdString(text + " " + control.modeReason);
}

} // namespace

class TestControlWatch : public QObject
{
    Q_OBJECT

private slots:

    void isFailsafeUntilTheFirstGoodRead()
    {
        ControlWatch watch(kGrace);
        QCOMPARE(modeOf(watch.control()), "failsafe settings_unreadable");
        QVERIFY(!watch.onTick(at(seconds{1})));
        QVERIFY(!watch.onRead(bad("store"), at(seconds{1}), utc(1)));
        const auto control = watch.onRead(good(Mode::Fixed), at(seconds{2}), utc(2));
        QVERIFY(control);
        QCOMPARE(modeOf(*control), "fixed switch");
        QVERIFY(control->storeReachable);
        QCOMPARE(control->appliedAt, utc(2));
        QCOMPARE(control->decisions->routingSwitch.version, 1);
    }

    void publishesOnlyWhatIsNew()
    {
        ControlWatch watch(kGrace);
        QVERIFY(watch.onRead(good(Mode::Fixed, 1), at(seconds{0}), utc(0)));
        QVERIFY(!watch.onRead(good(Mode::Fixed, 1), at(seconds{2}), utc(2)));
        const auto control = watch.onRead(good(Mode::Fixed, 2), at(seconds{4}), utc(4));
        QVERIFY(control);
        QCOMPARE(control->appliedAt, utc(4));
        auto tuned = good(Mode::Fixed, 2);
        tuned->settings.numbers["pin_seconds"] = 60;
        QVERIFY(watch.onRead(tuned, at(seconds{6}), utc(6)));
        tuned->routes.emplace_back().enabled = false;
        QVERIFY(watch.onRead(tuned, at(seconds{8}), utc(8)));
        QCOMPARE(watch.control().appliedAt, utc(8));
    }

    /// Silence is forgiven for the grace time, counted from the last good read.
    void silenceBecomesFailsafeAfterTheGraceTime()
    {
        ControlWatch watch(kGrace);
        QVERIFY(watch.onRead(good(Mode::Fixed), at(seconds{10}), utc(10)));
        const auto down = watch.onRead(bad("busy"), at(seconds{12}), utc(12));
        QVERIFY(down);
        QCOMPARE(modeOf(*down), "fixed switch");
        QVERIFY(!down->storeReachable);
        QVERIFY(!watch.onRead(bad("store"), at(seconds{24}), utc(24)));
        QVERIFY(!watch.onTick(at(seconds{25})));
        const auto lost = watch.onTick(at(seconds{25} + milliseconds{1}));
        QVERIFY(lost);
        QCOMPARE(modeOf(*lost), "failsafe settings_unreadable");
        // What was last read is still shown, and when it was applied.
        QCOMPARE(lost->decisions->routingSwitch.version, 1);
        QCOMPARE(lost->appliedAt, utc(10));
        QVERIFY(!watch.onTick(at(seconds{60})));
        const auto back = watch.onRead(good(Mode::Fixed), at(seconds{61}), utc(61));
        QVERIFY(back);
        QCOMPARE(modeOf(*back), "fixed switch");
        QVERIFY(back->storeReachable);
        QCOMPARE(back->appliedAt, utc(10));
    }

    void aReadThatHangsIsSilenceToo()
    {
        ControlWatch watch(kGrace);
        QVERIFY(watch.onRead(good(Mode::Fixed), at(seconds{0}), utc(0)));
        QVERIFY(!watch.onTick(at(seconds{15})));
        QCOMPARE(modeOf(*watch.onTick(at(seconds{16}))), "failsafe settings_unreadable");
    }

    void senselessRowsAreBelievedAtOnce_data()
    {
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("mode");
        QTest::newRow("switch") << "switch_missing"
                                << "failsafe switch_missing";
        QTest::newRow("settings") << "settings_missing"
                                  << "failsafe settings_unreadable";
        QTest::newRow("nonsense") << "bad_row"
                                  << "failsafe settings_unreadable";
    }

    void senselessRowsAreBelievedAtOnce()
    {
        QFETCH(QString, code);
        QFETCH(QString, mode);
        ControlWatch watch(kGrace);
        QVERIFY(watch.onRead(good(Mode::Fixed), at(seconds{0}), utc(0)));
        const auto control = watch.onRead(bad(qPrintable(code)), at(seconds{2}), utc(2));
        QVERIFY(control);
        QCOMPARE(modeOf(*control), mode);
        QVERIFY(control->storeReachable);
        // Silence after that does not bring the old decisions back.
        QVERIFY(watch.onRead(bad("busy"), at(seconds{3}), utc(3)));
        QCOMPARE(modeOf(watch.control()), mode);
        QCOMPARE(modeOf(*watch.onRead(good(Mode::Fixed), at(seconds{4}), utc(4))), "fixed switch");
    }

    void withoutASummaryNothingAdapts_data()
    {
        QTest::addColumn<int>("mode");
        QTest::newRow("adaptive") << static_cast<int>(Mode::Adaptive);
        QTest::newRow("shadow") << static_cast<int>(Mode::Shadow);
    }

    void adaptsWhileTheSummaryIsFresh_data() { withoutASummaryNothingAdapts_data(); }

    void adaptsWhileTheSummaryIsFresh()
    {
        QFETCH(int, mode);
        const Mode asked = static_cast<Mode>(mode);
        const QString own = asked == Mode::Adaptive ? "adaptive switch" : "shadow switch";
        ControlWatch watch(kGrace);
        watch.setSummary(SummaryAge::Fresh);
        QCOMPARE(modeOf(*watch.onRead(good(asked), at(seconds{0}), utc(0))), own);
        watch.setSummary(SummaryAge::Old);
        QCOMPARE(modeOf(*watch.onTick(at(seconds{1}))), "failsafe summary_old");
        QVERIFY(!watch.onTick(at(seconds{2})));
        watch.setSummary(SummaryAge::Fresh);
        QCOMPARE(modeOf(*watch.onTick(at(seconds{3}))), own);
        // An old summary is no reason to leave the fixed order.
        watch.setSummary(SummaryAge::Old);
        QCOMPARE(
            modeOf(*watch.onRead(good(Mode::Fixed, 2), at(seconds{4}), utc(4))), "fixed switch");
    }

    void withoutASummaryNothingAdapts()
    {
        QFETCH(int, mode);
        ControlWatch watch(kGrace);
        const auto control = watch.onRead(good(static_cast<Mode>(mode)), at(seconds{0}), utc(0));
        QVERIFY(control);
        QCOMPARE(modeOf(*control), "failsafe no_summary");
        QCOMPARE(
            modeOf(*watch.onRead(good(Mode::Fixed, 2), at(seconds{2}), utc(2))), "fixed switch");
    }
};

QTEST_APPLESS_MAIN(TestControlWatch)
#include "tst_control_watch.moc"
