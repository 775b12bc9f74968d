// SPDX-License-Identifier: Apache-2.0
#include "agent/proxy/conversations.h"
#include "agent/proxy/route_choice.h"

#include <QTest>

using namespace weir;
using namespace weir::proxy;

namespace {

constexpr std::int64_t kPinMs = 300'000;
constexpr std::int64_t kHourMs = 3'600'000;

} // namespace

class TestConversations final : public QObject
{
    Q_OBJECT

private slots:

    void aPinSlidesAndEndsWhileTheOriginStays()
    {
        Conversations known;
        QVERIFY(!known.look(1, std::nullopt, kPinMs, 0).pin);
        known.served(1, {.route = 7, .explored = true, .servedMs = 0});
        const auto soon = known.look(1, std::nullopt, kPinMs, kPinMs - 1);
        QCOMPARE(soon.pin->route, 7);
        QVERIFY(soon.pin->explored);
        known.served(1, {.route = 8, .servedMs = kPinMs - 1});
        QCOMPARE(known.look(1, std::nullopt, kPinMs, 2 * kPinMs - 2).pin->route, 8);
        const auto late = known.look(1, std::nullopt, kPinMs, 2 * kPinMs);
        QVERIFY(!late.pin);
        QCOMPARE(late.origin->route, 8);
        QVERIFY(!known.look(1, std::nullopt, kPinMs, 25 * kHourMs).origin);
        QVERIFY(!known.look(2, std::nullopt, kPinMs, 0).origin);
    }

    void withoutPinsNothingIsPinned()
    {
        Conversations known;
        known.served(1, {.route = 7, .servedMs = 0});
        QVERIFY(!known.look(1, std::nullopt, 0, 1).pin);
        QVERIFY(known.look(1, std::nullopt, 0, 1).origin);
    }

    void onlyTheFirstCallOfATaskIsTheFirst()
    {
        Conversations known;
        QVERIFY(!known.look(1, 9, kPinMs, 0).taskSeen);
        QVERIFY(known.look(2, 9, kPinMs, 1).taskSeen);
        QVERIFY(!known.look(2, 10, kPinMs, 1).taskSeen);
        QVERIFY(!known.look(2, std::nullopt, kPinMs, 1).taskSeen);
    }

    void retriesAreATenthOfSuccesses()
    {
        Conversations known;
        const routing::FailedAttempt hiccup{.outcome = Outcome::Reset};
        const routing::Outlook alone{.remainingMs = 60'000};
        int taken = 0;
        while (known.nextStep({}, hiccup, alone) == routing::NextStep::SameRoute)
            ++taken;
        QCOMPARE(taken, 10);
        for (int i = 0; i < 10; ++i)
            known.succeeded();
        QCOMPARE(known.nextStep({}, hiccup, alone), routing::NextStep::SameRoute);
        QCOMPARE(known.nextStep({}, hiccup, alone), routing::NextStep::Stop);
    }

    /// One seed a day, changing in the middle of no hour in particular.
    void theSeedHoldsForADay()
    {
        const HashKey secret{1, 2};
        const UtcTime start = fromEpochMs(1'796'032'800'000);
        int changes = 0;
        for (int minute = 0; minute < 3 * 24 * 60; ++minute) {
            const UtcTime at = start + std::chrono::minutes{minute};
            if (seedOf(secret, at) != seedOf(secret, at + std::chrono::minutes{1})) ++changes;
        }
        QCOMPARE(changes, 3);
        QVERIFY(seedOf({3, 4}, start) != seedOf(secret, start));
    }

    /// Others hear of what is new to them, not of each call.
    void whatIsNewIsToldToOthers()
    {
        Conversations known;
        static_cast<void>(known.look(1, std::nullopt, kPinMs, 0));
        known.served(1, {.route = 7, .servedMs = 0});
        QVERIFY(known.takeServed().empty());
        known.share();
        known.served(2, {.route = 7, .servedMs = 1'000});
        known.served(2, {.route = 7, .servedMs = 2'000});
        Conversations::Served told = known.takeServed();
        QCOMPARE(told.size(), 1U);
        QCOMPARE(told[0].first, 2U);
        QVERIFY(known.takeServed().empty());
        known.served(2, {.route = 7, .servedMs = 3'000});
        QVERIFY(known.takeServed().empty());
        known.served(2, {.route = 8, .servedMs = 4'000});
        QCOMPARE(known.takeServed().at(0).second.route, 8);
        known.served(2, {.route = 8, .servedMs = kPinMs / 2});
        QCOMPARE(known.takeServed().size(), 1U);
    }

    void anotherAgentsPinReplacesAnOlderOne()
    {
        Conversations known;
        known.share();
        known.heard(1, {.route = 7, .servedMs = 5'000});
        QCOMPARE(known.look(1, std::nullopt, kPinMs, 6'000).pin->route, 7);
        known.served(1, {.route = 8, .servedMs = 7'000});
        known.heard(1, {.route = 9, .servedMs = 6'500});
        QCOMPARE(known.look(1, std::nullopt, kPinMs, 8'000).pin->route, 8);
        QCOMPARE(known.look(1, std::nullopt, kPinMs, 8'000).origin->route, 8);
        // What was heard is not told back.
        static_cast<void>(known.takeServed());
        known.heard(1, {.route = 9, .servedMs = 7'500});
        QCOMPARE(known.look(1, std::nullopt, kPinMs, 8'000).pin->route, 9);
        QVERIFY(known.takeServed().empty());
    }

    void flagsSayWhyARouteServed()
    {
        Choice choice;
        choice.shadowFirst = 1;
        const auto flags = [&choice](Reason reason, std::uint8_t route, bool singleShot) {
            CallRecord record;
            record.flags = flagsOf(choice, {route, ReasonCode::Best, reason}, singleShot);
            return record;
        };
        QVERIFY(flags(Reason::Explore, 0, false).has(CallFlag::Explored));
        QVERIFY(flags(Reason::Pinned, 0, false).has(CallFlag::Pinned));
        QVERIFY(flags(Reason::Spill, 0, false).has(CallFlag::Spilled));
        QVERIFY(flags(Reason::SingleShot, 0, true).has(CallFlag::SingleShot));
        QVERIFY(flags(Reason::Fixed, 1, false).has(CallFlag::ShadowChoice));
        QCOMPARE(flags(Reason::Leader, 0, false).flags, 0);
    }
};

QTEST_APPLESS_MAIN(TestConversations)
#include "tst_conversations.moc"
