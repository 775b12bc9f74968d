// SPDX-License-Identifier: Apache-2.0
#include "agent/fleet/shared_pins.h"

#include <QTest>

using namespace weir::fleet;
using namespace std::chrono_literals;

namespace {

RedisReply text(std::string value)
{
    RedisReply reply;
    reply.kind = RedisReply::Kind::Text;
    reply.text = std::move(value);
    return reply;
}

RedisReply list(std::vector<RedisReply> items)
{
    RedisReply reply;
    reply.kind = RedisReply::Kind::List;
    reply.items = std::move(items);
    return reply;
}

RedisReply timeAt(std::int64_t ms)
{
    return list({text(std::to_string(ms / 1000)), text(std::to_string(ms % 1000 * 1000))});
}

RedisReply entry(const std::string& id, const std::string& agent, const std::string& batch)
{
    return list({text(id), list({text("a"), text(agent), text("p"), text(batch)})});
}

RedisReply stream(std::vector<RedisReply> entries)
{
    return list({list({text("weir:1:pins"), list(std::move(entries))})});
}

} // namespace

class TestSharedPins final : public QObject
{
    Q_OBJECT

private slots:

    void hearsWhatOthersServedSinceItIsWarm()
    {
        SharedPins pins("me");
        QCOMPARE(pins.commands({}, 300s, 3).size(), 1U);
        QVERIFY(pins.take(std::vector{timeAt(1'000'000)}).empty());
        // Whoever starts reads the last five minutes.
        const auto asked = pins.commands({}, 300s, 3);
        QCOMPARE(asked.at(1).words.back(), std::string{"700000-0"});
        const std::vector<SharedPin> theirs{{1, 2, true, 500}, {3, 4, false, 299'900}};
        const auto heard = pins.take(std::vector{
            timeAt(1'001'000),
            stream({
                entry("1000000-0", "me", packed({{9, 9, false, 0}})),
                entry("1000500-0", "other", "junk"),
                entry("1000900-1", "other", packed(theirs)),
            })});
        // Older by the time it lay there; the second has gone cold meanwhile.
        QVERIFY(heard == (std::vector<SharedPin>{{1, 2, true, 600}}));
        QCOMPARE(pins.commands({}, 300s, 3).at(1).words.back(), std::string{"1000900-1"});
    }

    void tellsOnlyWhereThereIsSomething()
    {
        SharedPins pins("me");
        static_cast<void>(pins.commands({}, 300s, 3));
        static_cast<void>(pins.take(std::vector{timeAt(1'000'000)}));
        const std::vector<SharedPin> own{{1, 2, false, 5}};
        const auto commands = pins.commands(own, 300s, 3);
        QCOMPARE(commands.size(), 3U);
        QCOMPARE(commands.back().words.front(), std::string{"XADD"});
        QVERIFY(unpackPins(commands.back().words.back()) == own);
    }

    /// A failover to a server whose clock is behind must not make it deaf.
    void goesOnAfterAClockThatWasSetBack()
    {
        SharedPins pins("me");
        static_cast<void>(pins.commands({}, 300s, 3));
        static_cast<void>(pins.take(std::vector{timeAt(9'000'000)}));
        static_cast<void>(pins.commands({}, 300s, 3));
        static_cast<void>(pins.take(std::vector{
            timeAt(9'000'100), stream({entry("9000050-0", "other", packed({{1, 2, false, 0}}))})}));
        static_cast<void>(pins.commands({}, 300s, 3));
        static_cast<void>(pins.take(std::vector{timeAt(5'000'000), RedisReply{}}));
        QCOMPARE(pins.commands({}, 300s, 3).at(1).words.back(), std::string{"4700000-0"});
    }

    /// Everybody reads what everybody writes: who cannot keep up hears of the newest, and a large
    /// fleet's agent of some.
    void doesNotReadItselfToDeath()
    {
        SharedPins pins("me");
        static_cast<void>(pins.commands({}, 300s, 500));
        static_cast<void>(pins.take(std::vector{timeAt(1'000'000)}));
        const auto batches = [](int count, std::int64_t fromMs) {
            std::vector<RedisReply> entries;
            for (int i = 0; i < count; ++i) {
                const std::string id = std::to_string(fromMs + i) + "-0";
                entries.push_back(entry(id, "other", packed({{1, 2, false, 0}})));
            }
            return stream(entries);
        };
        const auto ask = [&] { return pins.commands({}, 300s, 500).at(1).words; };
        QCOMPARE(ask().at(2), std::string{"16"});
        // At the start it reads on through what is still warm.
        QCOMPARE(pins.take(std::vector{timeAt(1'001'000), batches(16, 800'000)}).size(), 16U);
        QCOMPARE(ask().back(), std::string{"800015-0"});
        static_cast<void>(pins.take(std::vector{timeAt(1'002'000), batches(3, 1'001'990)}));
        QCOMPARE(ask().back(), std::string{"1001992-0"});
        // Later, who has fallen behind begins anew.
        static_cast<void>(pins.take(std::vector{timeAt(1'009'000), batches(16, 1'003'000)}));
        QCOMPARE(ask().back(), std::string{"1009000-0"});
        QCOMPARE(pins.commands({}, 300s, 3).at(1).words.at(2), std::string{"100"});
    }

    void whatIsNoStreamOfPinsIsThrownAway_data()
    {
        QTest::addColumn<QString>("error");
        QTest::addColumn<bool>("isThrownAway");
        QTest::newRow("another type") << "WRONGTYPE Operation against a key" << true;
        QTest::newRow("it has come to its end")
            << "ERR The stream has exhausted the last possible ID" << true;
        QTest::newRow("no right to it") << "NOPERM no permissions" << false;
    }

    void whatIsNoStreamOfPinsIsThrownAway()
    {
        QFETCH(QString, error);
        QFETCH(bool, isThrownAway);
        SharedPins pins("me");
        static_cast<void>(pins.commands({}, 300s, 3));
        static_cast<void>(pins.take(std::vector{timeAt(1'000'000)}));
        static_cast<void>(pins.commands({{1, 2, false, 5}}, 300s, 3));
        const std::string said = error.toStdString();
        static_cast<void>(
            pins.take(std::vector{timeAt(1'000'500), stream({}), redisError(faultOf(said), said)}));
        const bool isGone = pins.commands({}, 300s, 3).at(1).words.front() == "DEL";
        QCOMPARE(isGone, isThrownAway);
        static_cast<void>(pins.take(std::vector{timeAt(1'001'000), RedisReply{}}));
        QCOMPARE(pins.commands({}, 300s, 3).at(1).words.front(), std::string{"XREAD"});
    }

    void aBatchFromTheFutureDoesNotHideTheNewOnes()
    {
        SharedPins pins("me");
        static_cast<void>(pins.commands({}, 300s, 3));
        static_cast<void>(pins.take(std::vector{timeAt(1'000'000)}));
        static_cast<void>(pins.commands({}, 300s, 3));
        static_cast<void>(pins.take(std::vector{
            timeAt(1'000'500), stream({entry("9000000-0", "x", packed({{1, 2, false, 0}}))})}));
        QCOMPARE(pins.commands({}, 300s, 3).at(1).words.front(), std::string{"DEL"});
        static_cast<void>(pins.take(std::vector{timeAt(1'001'000), RedisReply{}}));
        QCOMPARE(pins.commands({}, 300s, 3).at(1).words.back(), std::string{"701000-0"});
    }

    void damagedBatchesAreNone()
    {
        const std::string good = packed({{1, 2, true, 500}, {3, 4, false, 7}});
        for (std::size_t cut = 0; cut < good.size(); ++cut)
            QVERIFY(unpackPins(std::string_view{good}.substr(0, cut)).empty());
        for (std::size_t at = 0; at < good.size(); ++at) {
            std::string bad = good;
            bad[at] = static_cast<char>(bad[at] ^ 0x41);
            QVERIFY(unpackPins(bad).empty());
        }
    }
};

QTEST_APPLESS_MAIN(TestSharedPins)

#include "tst_shared_pins.moc"
