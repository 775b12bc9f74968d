// SPDX-License-Identifier: Apache-2.0
#include "tests/store/samples.h"

#include <QTemporaryDir>
#include <QTest>

using namespace weir;
using namespace weir::store;
using namespace weir::tests;

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

    void agentsComeAndGo()
    {
        Heartbeat beat;
        beat.presence = {"agent-1", "code-review", "host-a", "0.1.0", "fixed", "switch", 3, 4, 0.0};
        beat.at = kNoon;
        beat.appliedAt = kNoon - std::chrono::seconds{9};
        QVERIFY(m_store->heartbeat(beat));
        beat.presence.agentId = "agent-2";
        beat.presence.effectiveMode = "failsafe";
        beat.summaryAgeS = 1.5;
        beat.at = kNoon + std::chrono::seconds{50};
        QVERIFY(m_store->heartbeat(beat));
        const UtcTime later = kNoon + std::chrono::milliseconds{50'400};
        const auto both = m_store->agents(later, std::chrono::seconds{60}).value();
        QCOMPARE(both.size(), 2U);
        AgentPresence expected = beat.presence;
        expected.lastSeenS = 0.4;
        QVERIFY(both[1] == expected);
        QCOMPARE(both[0].lastSeenS, 50.4);
        QCOMPARE(m_store->agents(later, std::chrono::seconds{10}).value().size(), 1U);
        beat.presence.effectiveMode = "confused";
        QCOMPARE(m_store->heartbeat(beat).error().code, std::string{"refused"});
        QCOMPARE(
            ForeignClient(m_path).rows(
                "SELECT applied_at, last_seen_at, summary_age_s FROM agent_state "
                "WHERE agent = 'agent-2'"),
            "2026-11-30T09:59:51.000Z|2026-11-30T10:00:50.000Z|1.5");
    }

private:
    std::unique_ptr<QTemporaryDir> m_dir;
    std::filesystem::path m_path;
    std::unique_ptr<SqliteStore> m_store;
};

QTEST_APPLESS_MAIN(TestPresence)
#include "tst_presence.moc"
