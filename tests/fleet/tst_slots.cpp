// SPDX-License-Identifier: Apache-2.0
#include "agent/fleet/slots.h"

#include <QTest>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

using namespace weir;
using namespace weir::fleet;

/// What a server of one's own can do at once, and who waits for it.
class TestSlots final : public QObject
{
    Q_OBJECT

private slots:
    void soManyAtOnceAndNoMore();
    void withoutALimitThereIsAlwaysOneMore();
    void inTheOrderInWhichTheyCame();
    void usersGoBeforeBatch();
    void nobodyOvertakesWhoWaits();
    void whoLeavesGivesBackWhatItWasGiven();
    void aLargerCapacityWakesThoseWhoWait();
    void manyThreadsNeverHoldTooMany();
};

void TestSlots::soManyAtOnceAndNoMore()
{
    Slots server;
    server.setCapacity({2, 1});
    Slot first = server.tryTake();
    Slot second = server.tryTake();
    QVERIFY(first && second);
    QVERIFY(!server.tryTake());
    QVERIFY(server.hasRoom());
    const std::uint64_t place = server.enter(false, [] {});
    QVERIFY(place != 0);
    QVERIFY(!server.hasRoom());
    QCOMPARE(server.enter(false, [] {}), std::uint64_t{0});
    QVERIFY(!server.leave(place));
    first = {};
    QVERIFY(server.tryTake());
}

void TestSlots::withoutALimitThereIsAlwaysOneMore()
{
    Slots server;
    std::vector<Slot> taken;
    for (int i = 0; i < 1000; ++i) {
        taken.push_back(server.tryTake());
        QVERIFY(taken.back());
    }
    QVERIFY(server.hasRoom() && !server.isLimited());
}

void TestSlots::inTheOrderInWhichTheyCame()
{
    Slots server;
    server.setCapacity({1, 10});
    std::optional<Slot> running = server.tryTake();
    std::string order;
    std::vector<std::uint64_t> places;
    for (const char name : {'a', 'b', 'c'})
        places.push_back(server.enter(false, [&order, name] { order += name; }));
    for (const std::uint64_t place : places) {
        running.reset();
        running = server.leave(place);
        QVERIFY(*running);
    }
    QCOMPARE(order, std::string{"abc"});
    QCOMPARE(server.waiting(), 0);
}

void TestSlots::usersGoBeforeBatch()
{
    Slots server;
    server.setCapacity({1, 10});
    std::optional<Slot> running = server.tryTake();
    std::string order;
    const auto enter = [&](bool batch, char name) {
        return server.enter(batch, [&order, name] { order += name; });
    };
    const std::uint64_t batch = enter(true, 'b');
    const std::uint64_t user = enter(false, 'u');
    running.reset();
    QCOMPARE(order, std::string{"u"});
    running = server.leave(user);
    running.reset();
    QCOMPARE(order, std::string{"ub"});
    QVERIFY(server.leave(batch));
}

void TestSlots::nobodyOvertakesWhoWaits()
{
    Slots server;
    server.setCapacity({1, 2});
    std::optional<Slot> running = server.tryTake();
    const std::uint64_t waits = server.enter(true, [] {});
    running.reset();
    QVERIFY(!server.tryTake());
    Slot given = server.leave(waits);
    QVERIFY(given);
}

void TestSlots::whoLeavesGivesBackWhatItWasGiven()
{
    Slots server;
    server.setCapacity({1, 2});
    std::optional<Slot> running = server.tryTake();
    const std::uint64_t gone = server.enter(false, [] {});
    bool woken = false;
    const std::uint64_t next = server.enter(false, [&woken] { woken = true; });
    running.reset();
    QVERIFY(!woken);
    // It had been given the slot, but nobody is there any more: the next one gets it.
    static_cast<void>(server.leave(gone));
    QVERIFY(woken);
    QVERIFY(server.leave(next));
}

void TestSlots::aLargerCapacityWakesThoseWhoWait()
{
    Slots server;
    server.setCapacity({1, 5});
    const Slot running = server.tryTake();
    int woken = 0;
    for (int i = 0; i < 4; ++i)
        QVERIFY(server.enter(false, [&woken] { ++woken; }) != 0);
    server.setCapacity({3, 5});
    QCOMPARE(woken, 2);
    server.setCapacity({});
    QCOMPARE(woken, 4);
}

void TestSlots::manyThreadsNeverHoldTooMany()
{
    Slots server;
    server.setCapacity({3, 1000});
    std::atomic<int> held{0};
    std::atomic<int> most{0};
    std::atomic<int> done{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&, t] {
            for (int i = 0; i < 2000; ++i) {
                Slot slot = server.tryTake();
                std::uint64_t place = 0;
                if (!slot) {
                    const auto woken = std::make_shared<std::atomic<bool>>(false);
                    place = server.enter(t % 2 == 0, [woken] {
                        woken->store(true);
                        woken->notify_one();
                    });
                    QVERIFY(place != 0);
                    woken->wait(false);
                    slot = server.leave(place);
                    QVERIFY(slot);
                }
                const int now = held.fetch_add(1) + 1;
                for (int seen = most.load();
                     now > seen && !most.compare_exchange_weak(seen, now);) {
                }
                held.fetch_sub(1);
                ++done;
            }
        });
    }
    for (std::thread& thread : threads)
        thread.join();
    QCOMPARE(done.load(), 8000);
    QVERIFY(most.load() <= 3);
    QCOMPARE(server.waiting(), 0);
}

QTEST_APPLESS_MAIN(TestSlots)
#include "tst_slots.moc"
