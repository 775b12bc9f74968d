// SPDX-License-Identifier: Apache-2.0
#include "tests/store/foreign_client.h"
#include "tests/store/samples.h"

#include <QTemporaryDir>
#include <QTest>

#include <chrono>
#include <thread>

using namespace weir;
using namespace weir::store;
using namespace weir::tests;

namespace {

Heartbeat sampleBeat(const std::string& agent)
{
    Heartbeat beat;
    beat.presence.agentId = agent;
    beat.presence.service = "code-review";
    beat.presence.host = "host-a";
    beat.presence.version = "0.1.0";
    beat.presence.effectiveMode = "fixed";
    beat.presence.modeReason = "switch";
    beat.presence.switchVersion = 3;
    beat.presence.settingsVersion = 4;
    beat.presence.appliedAt = kNoon - std::chrono::seconds{9};
    beat.presence.redis = "down";
    beat.presence.ledgerBacklogRows = 17;
    beat.at =
        std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
    return beat;
}

} // namespace

class TestPresence : public QObject
{
    Q_OBJECT

private slots:

    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        m_path = std::filesystem::path{m_dir->path().toStdString()} / "weir.db";
        m_store = openStore(m_path);
    }

    void cleanup() { m_store.reset(); }

    /// Whoever is silent stays on the list until somebody takes it off.
    void agentsComeAndGo()
    {
        QVERIFY(m_store->heartbeat(sampleBeat("agent-1")));
        Heartbeat beat = sampleBeat("agent-2");
        beat.presence.effectiveMode = "failsafe";
        beat.presence.summaryAgeS = 1.5;
        QVERIFY(m_store->heartbeat(beat));
        ForeignClient shell(m_path);
        QCOMPARE(
            shell.run("UPDATE agent_state SET last_seen_at_ms = last_seen_at_ms - 90000000 "
                      "WHERE agent = 'agent-1'"),
            "");
        const auto both = m_store->agents().value();
        QCOMPARE(both.size(), 2U);
        QVERIFY(both[0].lastSeenS >= 90'000.0 && both[0].lastSeenS < 90'060.0);
        QVERIFY(both[1].lastSeenS < 60.0);
        QVERIFY(both[1].clockSkewMs.has_value());
        AgentPresence expected = beat.presence;
        expected.lastSeenS = both[1].lastSeenS;
        expected.clockSkewMs = both[1].clockSkewMs;
        QVERIFY(both[1] == expected);

        QVERIFY(m_store->forgetAgent("agent-1"));
        QCOMPARE(m_store->agents().value().size(), 1U);
        QCOMPARE(m_store->forgetAgent("agent-1").error().code, std::string{"no_agent"});
        QVERIFY(m_store->heartbeat(sampleBeat("agent-1")));
        QCOMPARE(m_store->agents().value().size(), 2U);
    }

    void refusesAModeThatThereIsNot()
    {
        Heartbeat beat = sampleBeat("agent-1");
        beat.presence.effectiveMode = "confused";
        QCOMPARE(m_store->heartbeat(beat).error().code, std::string{"refused"});
        QVERIFY(m_store->agents().value().empty());
    }

    /// Times are the database's; how wrong the agent's clock is stands beside them.
    void tellsHowWrongAClockIs()
    {
        Heartbeat beat = sampleBeat("agent-1");
        beat.at += std::chrono::hours{2};
        const std::int64_t skewMs = m_store->heartbeat(beat).value();
        QVERIFY(skewMs > 7'140'000 && skewMs <= 7'200'001);
        const AgentPresence agent = m_store->agents().value().front();
        QCOMPARE(agent.clockSkewMs.value(), skewMs);
        QVERIFY(agent.lastSeenS < 60.0);
    }

    void theFleetHasOneSecret()
    {
        const std::string secret = m_store->fleetSecret().value();
        QCOMPARE(secret.size(), 64U);
        QCOMPARE(secret.find_first_not_of("0123456789abcdef"), std::string::npos);
        QCOMPARE(openStore(m_path)->fleetSecret().value(), secret);
        QTemporaryDir other;
        const auto second = openStore(other.path().toStdString() + "/weir.db");
        QVERIFY(second->fleetSecret().value() != secret);
    }

    void wakesWhoeverWaits()
    {
        // A server's first answer is that it cannot tell what happened before.
        QCOMPARE(m_store->awaitChange(std::chrono::milliseconds{0}).value(), onPostgres());
        m_store->wake();
        QVERIFY(!m_store->awaitChange(std::chrono::hours{1}).value());
        std::thread other([this] { m_store->wake(); });
        QVERIFY(!m_store->awaitChange(std::chrono::hours{1}).value());
        other.join();
        QVERIFY(!m_store->awaitChange(std::chrono::milliseconds{1}).value());
    }

private:
    std::unique_ptr<QTemporaryDir> m_dir;
    std::filesystem::path m_path;
    std::unique_ptr<Database> m_store;
};

QTEST_APPLESS_MAIN(TestPresence)
#include "tst_presence.moc"
