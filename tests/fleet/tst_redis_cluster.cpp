// SPDX-License-Identifier: Apache-2.0
#include "tests/fleet/scratch_redis.h"

#include <QTest>

#include <algorithm>
#include <string>
#include <vector>

using namespace weir;
using namespace weir::fleet;
using namespace weir::fleet::test;

/// A client that is told the address of one server of a Redis Cluster finds the others.
class TestRedisCluster final : public QObject
{
    Q_OBJECT

private slots:
    void findsItsKeysInACluster();
    void followsASlotThatIsMovedAway();
    void goesOnWithTheRestOfACluster();
};

void TestRedisCluster::findsItsKeysInACluster()
{
    const ScratchCluster cluster;
    Redis redis(cluster.servers[0]->address());
    const RedisScript& script =
        redis.script("redis.call('SET', KEYS[1], ARGV[1]) return redis.call('GET', KEYS[1])");
    std::vector<RedisCommand> commands;
    for (int i = 0; i < 30; ++i) {
        const std::string key = "weir:1:{provider" + std::to_string(i) + "}:gate";
        commands.push_back({{key, std::to_string(i)}, key, &script, 1});
    }
    for (int turn = 0; turn < 2; ++turn) {
        const std::vector<RedisReply> replies = redis.ask(commands);
        for (std::size_t i = 0; i < replies.size(); ++i)
            QCOMPARE(replies[i].text, std::to_string(i));
    }
    QVERIFY(!redis.trouble());
    // Found once, a key is asked for where it is.
    const auto moved = [&] {
        const std::string stats = cluster.servers[0]->say({"INFO", "errorstats"}).text;
        return stats.substr(stats.find("errorstat_MOVED"));
    };
    const std::string before = moved();
    static_cast<void>(redis.ask(commands));
    QCOMPARE(moved(), before);
}

void TestRedisCluster::followsASlotThatIsMovedAway()
{
    const ScratchCluster cluster;
    Redis redis(cluster.servers[0]->address());
    const std::string key = "{p}x";
    QCOMPARE(redis.ask({{"SET", key, "1"}, key}).text, std::string{"OK"});
    const std::string slot =
        std::to_string(cluster.servers[0]->say({"CLUSTER", "KEYSLOT", key}).number);
    const auto idOf = [](const ScratchRedis& server) {
        return server.say({"CLUSTER", "MYID"}).text;
    };
    std::size_t from = 0;
    while (cluster.servers[from]->say({"GET", key}).isError())
        ++from;
    const ScratchRedis& source = *cluster.servers[from];
    const ScratchRedis& target = *cluster.servers[(from + 1) % 3];
    target.say({"CLUSTER", "SETSLOT", slot, "IMPORTING", idOf(source)});
    source.say({"CLUSTER", "SETSLOT", slot, "MIGRATING", idOf(target)});
    source.say({"MIGRATE", "127.0.0.1", std::to_string(target.port()), key, "0", "5000"});
    // On its way: the old place says to ask at the new one, this time.
    QCOMPARE(redis.ask({{"INCR", key}, key}).number, 2);
    for (const auto& server : cluster.servers)
        server->say({"CLUSTER", "SETSLOT", slot, "NODE", idOf(target)});
    QCOMPARE(redis.ask({{"INCR", key}, key}).number, 3);
    QVERIFY(!redis.trouble());
}

void TestRedisCluster::goesOnWithTheRestOfACluster()
{
    ScratchCluster cluster;
    for (const auto& server : cluster.servers)
        server->say({"CONFIG", "SET", "cluster-require-full-coverage", "no"});
    Redis redis(cluster.servers[0]->address());
    std::vector<RedisCommand> commands;
    for (int i = 0; i < 12; ++i) {
        const std::string key = "{" + std::to_string(i) + "}";
        commands.push_back({{"SET", key, "v"}, key});
    }
    for (const RedisReply& reply : redis.ask(commands))
        QVERIFY(!reply.isError());
    cluster.servers[0]->kill();
    const std::vector<RedisReply> first = redis.ask(commands);
    const auto failed = std::ranges::count_if(first, &RedisReply::isError);
    QVERIFY(failed > 0 && failed < 12);
    QCOMPARE(std::ranges::count_if(redis.ask(commands), &RedisReply::isError), failed);
}

QTEST_GUILESS_MAIN(TestRedisCluster)
#include "tst_redis_cluster.moc"
