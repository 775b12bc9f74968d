// SPDX-License-Identifier: Apache-2.0
#include "agent/fleet/shared_summary.h"

#include <QTest>

using namespace weir;
using namespace weir::fleet;

namespace {

RedisReply text(std::string value)
{
    RedisReply reply;
    reply.kind = RedisReply::Kind::Text;
    reply.text = std::move(value);
    return reply;
}

RedisReply number(std::int64_t value)
{
    RedisReply reply;
    reply.kind = RedisReply::Kind::Number;
    reply.number = value;
    return reply;
}

RedisReply pair(std::string first, std::string second)
{
    RedisReply reply;
    reply.kind = RedisReply::Kind::List;
    reply.items = {text(std::move(first)), text(std::move(second))};
    return reply;
}

bool sends(const std::vector<RedisCommand>& commands)
{
    return commands.front().script != nullptr;
}

} // namespace

/// The newest summary, between an agent and a Redis whose answers the test gives.
class TestSharedSummary final : public QObject
{
    Q_OBJECT

private slots:
    void anothersIsFetchedOnce();
    void whatIsMadeWhileRedisIsAskedIsSent();
    void theOwnIsNeverHeardOf();
    void whatIsNoSummaryIsReplaced_data();
    void whatIsNoSummaryIsReplaced();

private:
    RedisScript m_script;
};

void TestSharedSummary::anothersIsFetchedOnce()
{
    SharedSummary shared(m_script);
    QCOMPARE(shared.commands().back().words.front(), std::string{"HGET"});
    QVERIFY(!shared.take(std::vector{text("theirs")}));
    QCOMPARE(shared.commands().back().words.front(), std::string{"HMGET"});
    QCOMPARE(shared.take(std::vector{pair("theirs", "{}")}).value_or(""), std::string{"{}"});
    QCOMPARE(shared.commands().back().words.front(), std::string{"HGET"});
    QVERIFY(!shared.take(std::vector{text("theirs")}));
    QCOMPARE(shared.commands().back().words.front(), std::string{"HGET"});
}

void TestSharedSummary::whatIsMadeWhileRedisIsAskedIsSent()
{
    SharedSummary shared(m_script);
    shared.publish("one", 1, "{1}", 1);
    QVERIFY(sends(shared.commands()));
    shared.publish("two", 2, "{2}", 1);
    QVERIFY(!shared.take(std::vector{number(1), text("one")}));
    const auto commands = shared.commands();
    QVERIFY(sends(commands));
    QCOMPARE(commands.front().words.at(1), std::string{"two"});
    QVERIFY(!shared.take(std::vector{number(1), text("two")}));
    QVERIFY(!sends(shared.commands()));
}

void TestSharedSummary::theOwnIsNeverHeardOf()
{
    SharedSummary shared(m_script);
    shared.publish("one", 1, "{1}", 1);
    static_cast<void>(shared.commands());
    static_cast<void>(shared.take(std::vector{number(1), text("one")}));
    // Made while the answer was under way that names the one before.
    static_cast<void>(shared.commands());
    shared.publish("two", 2, "{2}", 1);
    QVERIFY(!shared.take(std::vector{text("one")}));
    static_cast<void>(shared.commands());
    QVERIFY(!shared.take(std::vector{number(1), text("two")}));
    // Or while another one's was fetched, which it replaced.
    static_cast<void>(shared.commands());
    static_cast<void>(shared.take(std::vector{text("theirs")}));
    shared.publish("three", 3, "{3}", 1);
    static_cast<void>(shared.commands());
    QVERIFY(!shared.take(std::vector{number(1), pair("three", "{3}")}));
}

void TestSharedSummary::whatIsNoSummaryIsReplaced_data()
{
    QTest::addColumn<QString>("error");
    QTest::addColumn<bool>("isReplaced");
    QTest::newRow("gone") << "" << true;
    QTest::newRow("another type") << "WRONGTYPE Operation against a key" << true;
    QTest::newRow("no right to it") << "NOPERM no permissions" << false;
}

void TestSharedSummary::whatIsNoSummaryIsReplaced()
{
    QFETCH(QString, error);
    QFETCH(bool, isReplaced);
    SharedSummary shared(m_script);
    shared.publish("one", 1, "{1}", 1);
    static_cast<void>(shared.commands());
    static_cast<void>(shared.take(std::vector{number(1), text("one")}));
    QVERIFY(!sends(shared.commands()));
    const std::string said = error.toStdString();
    const RedisReply reply = said.empty() ? RedisReply{} : redisError(faultOf(said), said);
    static_cast<void>(shared.take(std::vector{reply}));
    QCOMPARE(sends(shared.commands()), isReplaced);
}

QTEST_GUILESS_MAIN(TestSharedSummary)
#include "tst_shared_summary.moc"
