// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/link/agent_link.h"
#include "app/link/sse_reader.h"
#include "tests/app/support/fake_agent.h"
#include "tests/app/support/samples.h"

#include <QSignalSpy>
#include <QTest>

using namespace weir;
using link::AgentLink;
using link::SseReader;
using test::FakeAgent;

namespace {

constexpr link::AgentLinkOptions kQuick{
    .requestTimeoutMs = 2'000, .silenceMs = 300, .backOffFirstMs = 20, .backOffLastMs = 80};

using StatusPtr = std::shared_ptr<const AgentStatus>;

StatusPtr lastStatus(const QSignalSpy& spy)
{
    return spy.last()[0].value<StatusPtr>();
}

} // namespace

class TestConsoleLink final : public QObject
{
    Q_OBJECT

private slots:

    void eventsAreCutAtAnyByte_data()
    {
        QTest::addColumn<QByteArray>("stream");
        QTest::newRow("line feeds") << QByteArray("event: snapshot\ndata: {\"a\":1}\n\n");
        QTest::newRow("both") << QByteArray("event: snapshot\r\ndata: {\"a\":1}\r\n\r\n");
        QTest::newRow("returns") << QByteArray("event: snapshot\rdata: {\"a\":1}\r\r");
        QTest::newRow("mark, comment, id")
            << QByteArray("\xEF\xBB\xBF: hello\nid: 7\nevent:snapshot\ndata:{\"a\":1}\n\n");
    }

    void eventsAreCutAtAnyByte()
    {
        QFETCH(QByteArray, stream);
        SseReader reader;
        std::vector<SseReader::Event> events;
        for (const char byte : stream) {
            const auto read = reader.read(QByteArray(1, byte));
            QVERIFY(read.has_value());
            events.insert(events.end(), read->begin(), read->end());
        }
        QCOMPARE(events.size(), std::size_t{1});
        QCOMPARE(events[0].name, QByteArray("snapshot"));
        QCOMPARE(events[0].data, QByteArray("{\"a\":1}"));
    }

    void anEndlessEventIsRefused()
    {
        SseReader reader;
        const QByteArray piece = "data: " + QByteArray(1 << 20, 'x') + "\n";
        bool isRefused = false;
        for (int i = 0; i < 8 && !isRefused; ++i)
            isRefused = !reader.read(piece).has_value();
        QVERIFY(isRefused);
    }

    void statusComesFirstThenSnapshots()
    {
        FakeAgent agent;
        AgentLink link(agent.url(), kQuick);
        QSignalSpy statuses(&link, &AgentLink::statusRead);
        QSignalSpy reached(&link, &AgentLink::reached);
        QSignalSpy streams(&agent, &FakeAgent::streamOpened);
        link.start();
        QTRY_COMPARE(streams.count(), 1);
        QCOMPARE(reached.count(), 1);
        QCOMPARE(statuses.count(), 1);
        QCOMPARE(lastStatus(statuses)->agentId, std::string("agent-1"));

        AgentStatus next = test::sampleStatus();
        next.switchVersion = 99;
        agent.setStatus(next);
        agent.push();
        QTRY_COMPARE(statuses.count(), 2);
        QCOMPARE(lastStatus(statuses)->switchVersion, 99);
    }

    void aDeadAgentIsTriedAgainWithGrowingPauses()
    {
        FakeAgent agent;
        agent.refuseWith(503);
        AgentLink link(agent.url(), kQuick);
        QSignalSpy lost(&link, &AgentLink::lost);
        QSignalSpy statuses(&link, &AgentLink::statusRead);
        link.start();
        QTRY_VERIFY(lost.count() >= 3);
        QCOMPARE(lost[0][0].toString(), QStringLiteral("HTTP status 503"));
        agent.refuseWith(0);
        QTRY_COMPARE(statuses.count(), 1);
    }

    void aRefusedConnectionSaysSo()
    {
        QUrl nowhere;
        {
            const FakeAgent gone;
            nowhere = gone.url();
        }
        AgentLink link(nowhere, kQuick);
        QSignalSpy lost(&link, &AgentLink::lost);
        link.start();
        QTRY_VERIFY(!lost.isEmpty());
        QVERIFY2(
            lost[0][0].toString().contains(QStringLiteral("refused")),
            qPrintable(lost[0][0].toString()));
    }

    void aSilentStreamIsLeftAndOpenedAnew()
    {
        FakeAgent agent;
        AgentLink link(agent.url(), kQuick);
        QSignalSpy lost(&link, &AgentLink::lost);
        QSignalSpy streams(&agent, &FakeAgent::streamOpened);
        link.start();
        QTRY_VERIFY(streams.count() >= 2);
        QVERIFY(lost[0][0].toString().contains(QStringLiteral("silent")));
    }

    void aClosedStreamIsOpenedAnew()
    {
        FakeAgent agent;
        AgentLink link(agent.url(), kQuick);
        QSignalSpy streams(&agent, &FakeAgent::streamOpened);
        link.start();
        QTRY_COMPARE(streams.count(), 1);
        agent.closeStreams();
        QTRY_COMPARE(streams.count(), 2);
    }

    void rubbishHarmsOnlyItself()
    {
        FakeAgent agent;
        AgentLink link(agent.url(), kQuick);
        QSignalSpy statuses(&link, &AgentLink::statusRead);
        QSignalSpy streams(&agent, &FakeAgent::streamOpened);
        link.start();
        QTRY_COMPARE(streams.count(), 1);
        agent.pushRaw("event: snapshot\ndata: {\"agent_id\": 7}\n\n");
        agent.pushRaw("event: snapshot\ndata: \xff\xfe not json\n\n");
        agent.pushRaw("event: other\ndata: {}\n\n");
        agent.push();
        QTRY_COMPARE(statuses.count(), 2);
    }
};

QTEST_GUILESS_MAIN(TestConsoleLink)
#include "tst_console_link.moc"
