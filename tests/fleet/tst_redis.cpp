// SPDX-License-Identifier: Apache-2.0
#include "agent/net/clock.h"
#include "tests/fleet/scratch_redis.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <QTest>

#include <set>

using namespace std::chrono_literals;
using namespace weir;
using namespace weir::fleet;
using namespace weir::fleet::test;

namespace {

/// What a client promises of a call that fails: connecting and being answered take 100 ms each, and
/// a busy machine some more.
constexpr auto kLongest = 400ms;

RedisCommand get(const char* key)
{
    return {{"GET", key}, key};
}

RedisCommand set(const char* key, const std::string& value)
{
    return {{"SET", key, value}, key};
}

RedisCommand call(const RedisScript& script, std::string key, std::string argument)
{
    return {{key, std::move(argument)}, key, &script, 1};
}

/// A listener whose queue is full: nobody answers who wants to connect, as behind a firewall that
/// drops everything.
class BlackHole final
{
public:
    BlackHole()
        : m_listener(::socket(AF_INET, SOCK_STREAM, 0))
    {
        m_address.sin_family = AF_INET;
        m_address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof m_address;
        auto* const any = reinterpret_cast<sockaddr*>(&m_address);
        QVERIFY(::bind(m_listener, any, size) == 0 && ::listen(m_listener, 0) == 0);
        QVERIFY(::getsockname(m_listener, any, &size) == 0);
        for (int& waiting : m_waiting) {
            waiting = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
            static_cast<void>(::connect(waiting, any, size));
        }
    }

    ~BlackHole()
    {
        ::close(m_listener);
        for (const int waiting : m_waiting)
            ::close(waiting);
    }

    [[nodiscard]] RedisAddress address() const
    {
        RedisAddress address;
        address.host = "127.0.0.1";
        address.port = ntohs(m_address.sin_port);
        return address;
    }

private:
    int m_listener;
    sockaddr_in m_address{};
    std::array<int, 8> m_waiting{};
};

bool answers(Redis& redis)
{
    return !redis.ask(get("any")).isError();
}

} // namespace

class TestRedis final : public QObject
{
    Q_OBJECT

private slots:
    void tellsValuesMissesAndErrorsApart();
    void findsItByName();
    void callsScriptsBySum();
    void authenticates_data();
    void authenticates();
    void saysWhatIsWrong_data();
    void saysWhatIsWrong();
    void nothingWaitsLongerThanItsLimit_data();
    void nothingWaitsLongerThanItsLimit();
    void anAnswerThatCameTooLateIsNotTakenForAnother();
    void isDownAfterASecondOfFailuresAndBackByItself();
    void whileItIsDownNothingIsAsked();
    void readsItsDataInFirst();
};

/// B108.
void TestRedis::tellsValuesMissesAndErrorsApart()
{
    ScratchRedis server;
    Redis redis(server.address());
    QVERIFY(redis.ask(get("none")).isMiss());
    const std::string binary("a\0\r\n\xff", 5);
    const std::vector<RedisReply> replies = redis.ask(std::vector<RedisCommand>{
        set("key", binary),
        get("key"),
        {{"INCR", "count"}, "count"},
        {{"LPUSH", "key", "x"}, "key"},
        {{"HGETALL", "none"}, "none"},
        {{"MGET", "key", "none"}, "key"}});
    QCOMPARE(replies.size(), 6U);
    QCOMPARE(replies[0].text, std::string{"OK"});
    QCOMPARE(replies[1].text, binary);
    QCOMPARE(replies[2].number, 1);
    QVERIFY(replies[3].isError());
    QCOMPARE(replies[3].fault, RedisFault::Other);
    QVERIFY(replies[4].isList() && replies[4].items.empty());
    QVERIFY(replies[5].items.at(0).isText() && replies[5].items.at(1).isMiss());
    // A mistake of ours is no outage.
    QVERIFY(!redis.trouble());
}

void TestRedis::findsItByName()
{
    ScratchRedis server;
    RedisAddress address = server.address();
    // Two addresses on most machines, and nobody listens at one of them.
    address.host = "localhost";
    Redis redis(address);
    redis.awaitName(5s);
    QVERIFY(answers(redis));
    QVERIFY(!redis.trouble());
}

void TestRedis::callsScriptsBySum()
{
    ScratchRedis server;
    Redis redis(server.address());
    const RedisScript& script = redis.script("return {KEYS[1], ARGV[1]}");
    const auto answer = [&] { return redis.ask(call(script, "k", "v")); };
    QCOMPARE(answer().items.at(1).text, std::string{"v"});
    QCOMPARE(script.sum.size(), 40U);
    // Forgotten, by an administrator or by a failover.
    server.say({"SCRIPT", "FLUSH"});
    QCOMPARE(answer().items.at(0).text, std::string{"k"});
    const RedisReply stats = server.say({"INFO", "commandstats"});
    QVERIFY(stats.text.find("cmdstat_eval:calls=1,") != std::string::npos);
    QCOMPARE(answer().items.size(), 2U);
    QVERIFY(
        server.say({"INFO", "commandstats"}).text.find("cmdstat_eval:calls=1,") !=
        std::string::npos);
}

void TestRedis::authenticates_data()
{
    QTest::addColumn<QString>("user");
    QTest::addColumn<QString>("password");
    QTest::addColumn<bool>("enters");
    QTest::newRow("nobody") << ""
                            << "" << false;
    QTest::newRow("the password") << ""
                                  << "s3 cret" << true;
    QTest::newRow("another") << ""
                             << "s3" << false;
    QTest::newRow("a user") << "weir"
                            << "p@ss" << true;
    QTest::newRow("a user's wrong password") << "weir"
                                             << "s3 cret" << false;
    QTest::newRow("a user who may not read") << "blind"
                                             << "p@ss" << false;
}

void TestRedis::authenticates()
{
    QFETCH(QString, user);
    QFETCH(QString, password);
    QFETCH(bool, enters);
    ScratchRedis server(
        QString("--user weir on >p@ss ~* +@all --user blind on >p@ss ~* +ping").split(' ') +
        QStringList{"--requirepass", "s3 cret"});
    RedisAddress address = server.address();
    address.user = user.toStdString();
    address.password = Secret(password.toStdString());
    address.database = 3;
    Redis redis(address);
    const RedisReply reply = redis.ask(get("any"));
    QCOMPARE(reply.isMiss(), enters);
    if (enters) return;
    QCOMPARE(reply.fault, RedisFault::NoAuth);
    QVERIFY(redis.trouble());
    QVERIFY(redis.trouble()->detail.find("s3") == std::string::npos);
    QVERIFY(redis.trouble()->detail.find("p@ss") == std::string::npos);
}

void TestRedis::saysWhatIsWrong_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QString>("word");
    QTest::newRow("a replica") << QStringList{"--replicaof", "127.0.0.1", "1"} << "readonly";
    QTest::newRow("full") << QStringList{"--maxmemory", "1kb"} << "oom";
    QTest::newRow("a password is needed") << QStringList{"--requirepass", "x"} << "noauth";
    QTest::newRow("a cluster without slots") << QStringList{"--cluster-enabled", "yes"} << "moved";
}

/// B107.
void TestRedis::saysWhatIsWrong()
{
    QFETCH(QStringList, options);
    QFETCH(QString, word);
    if (options.contains("--cluster-enabled"))
        options << "--cluster-port" << QString::number(freePort());
    ScratchRedis server(options);
    Redis redis(server.address());
    const RedisScript& script = redis.script("return redis.call('SET', KEYS[1], ARGV[1])");
    for (const RedisReply& reply :
         {redis.ask(set("key", "v")), redis.ask(call(script, "k", "v"))}) {
        QVERIFY(reply.isError());
        QCOMPARE(QString::fromStdString(std::string{toWord(reply.fault)}), word);
    }
    QVERIFY(redis.trouble());
    QCOMPARE(QString::fromStdString(std::string{toWord(redis.trouble()->fault)}), word);
}

void TestRedis::nothingWaitsLongerThanItsLimit_data()
{
    QTest::addColumn<QString>("what");
    for (const char* what : {"refused", "frozen", "black hole", "no such name"})
        QTest::newRow(what) << what;
}

void TestRedis::nothingWaitsLongerThanItsLimit()
{
    QFETCH(QString, what);
    ScratchRedis server;
    const BlackHole hole;
    RedisAddress address = what == "black hole" ? hole.address() : server.address();
    if (what == "refused") server.kill();
    if (what == "frozen") server.freeze();
    if (what == "no such name") address.host = "no-such-host.invalid";
    Redis redis(address);
    const Instant start = net::monotonicNow();
    const RedisReply reply = redis.ask(get("any"));
    QVERIFY(net::monotonicNow() - start < kLongest);
    QCOMPARE(reply.fault, RedisFault::Unreachable);
    QVERIFY(!reply.text.empty());
    // Known to be away, it costs nothing until it is tried again.
    const Instant again = net::monotonicNow();
    for (int i = 0; i < 1000; ++i)
        QVERIFY(redis.ask(get("any")).isError());
    QVERIFY(net::monotonicNow() - again < kLongest);
    server.thaw();
}

/// B121.
void TestRedis::anAnswerThatCameTooLateIsNotTakenForAnother()
{
    ScratchRedis server;
    Redis redis(server.address());
    QVERIFY(redis.ask(set("a", "of a")).isText());
    QVERIFY(redis.ask(set("b", "of b")).isText());
    server.freeze();
    QVERIFY(redis.ask(get("a")).isError());
    server.thaw();
    QTRY_VERIFY_WITH_TIMEOUT(answers(redis), 5000);
    QCOMPARE(redis.ask(get("b")).text, std::string{"of b"});
}

void TestRedis::isDownAfterASecondOfFailuresAndBackByItself()
{
    ScratchRedis server;
    Redis redis(server.address());
    QVERIFY(redis.ask(get("any")).isMiss());
    server.kill();
    const Instant start = net::monotonicNow();
    QVERIFY(redis.ask(get("any")).isError());
    QVERIFY(!redis.trouble());
    QTRY_VERIFY_WITH_TIMEOUT(!answers(redis) && redis.trouble(), 2000);
    QVERIFY(net::monotonicNow() - start >= 1s);
    server.start();
    QTRY_VERIFY_WITH_TIMEOUT(answers(redis), 3000);
    QVERIFY(!redis.trouble());
}

void TestRedis::whileItIsDownNothingIsAsked()
{
    ScratchRedis server;
    server.kill();
    Redis redis(server.address());
    const Instant start = net::monotonicNow();
    std::set<std::string> details;
    while (net::monotonicNow() - start < 500ms)
        details.insert(redis.ask(get("any")).text);
    QCOMPARE(details.size(), 1U);
    QCOMPARE(redis.trouble()->fault, RedisFault::Unreachable);
}

void TestRedis::readsItsDataInFirst()
{
    ScratchRedis server;
    for (int i = 0; i < 400; ++i)
        server.say({"SET", "key" + std::to_string(i), std::string(2000, 'x')});
    server.say({"SAVE"});
    server.kill();
    server.start({"--key-load-delay", "2000", "--loading-process-events-interval-bytes", "1024"});
    Redis redis(server.address());
    const RedisReply reply = redis.ask(get("key1"));
    QCOMPARE(reply.fault, RedisFault::Loading);
    QCOMPARE(redis.trouble()->fault, RedisFault::Loading);
    QTRY_VERIFY_WITH_TIMEOUT(answers(redis), 10000);
    QCOMPARE(redis.ask(get("key1")).text.size(), 2000U);
}

QTEST_GUILESS_MAIN(TestRedis)
#include "tst_redis.moc"
