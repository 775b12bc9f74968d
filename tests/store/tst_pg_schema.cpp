// SPDX-License-Identifier: Apache-2.0
#include "agent/store/pg_store.h"
#include "agent/store/sql_ledger.h"
#include "tests/store/foreign_client.h"
#include "tests/store/samples.h"

#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <thread>

using namespace weir;
using namespace weir::store;
using namespace weir::tests;

/// The fleet's store on its Postgres: who brings the schema, who may write, and what several agents
/// at a time see of each other.
class TestPgSchema : public QObject
{
    Q_OBJECT

private slots:

    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        m_path = std::filesystem::path{m_dir->path().toStdString()} / "weir.db";
        m_url = postgresUrl(m_path);
    }

    void theFirstAgentMakesEverything()
    {
        const auto store = openStore(m_path);
        const Decisions decisions = store->readDecisions().value();
        QVERIFY(decisions.routingSwitch.mode == Mode::Fixed);
        QCOMPARE(decisions.routingSwitch.version, 1);
        QCOMPARE(decisions.routingSwitch.updatedHost, std::string{"host-a"});
        QCOMPARE(decisions.settings.numbers, standardSettings().numbers);
        const std::string secret = store->fleetSecret().value();
        QCOMPARE(secret.size(), 64U);
        const auto again = openStore(m_path);
        QCOMPARE(again->audit(100).value().size(), 2U);
        QCOMPARE(again->fleetSecret().value(), secret);
        QCOMPARE(
            ForeignClient(m_path).rows("SELECT count(*), max(version) FROM schema_version"),
            "13|13");
    }

    /// Twenty agents start on an empty database at once.
    void onlyOneOfManyMakesIt()
    {
        std::mutex mutex;
        std::set<std::string> secrets;
        std::vector<std::thread> agents;
        for (int i = 0; i < 20; ++i) {
            agents.emplace_back([&] {
                const auto store = openPostgres({.url = m_url, .host = "h"});
                Result<std::string> secret = (*store)->fleetSecret();
                while (!secret)
                    secret = (*store)->fleetSecret();
                const std::scoped_lock lock(mutex);
                secrets.insert(*secret);
            });
        }
        for (std::thread& agent : agents)
            agent.join();
        QCOMPARE(secrets.size(), 1U);
        QCOMPARE(
            ForeignClient(m_path).rows("SELECT (SELECT count(*) FROM schema_version), "
                                       "(SELECT count(*) FROM settings_audit)"),
            "13|2");
    }

    /// The store of a newer program is not touched, and an agent that runs finds out when it
    /// connects again.
    void aNewerSchemaIsLeftAlone()
    {
        static_cast<void>(openStore(m_path));
        ForeignClient(m_path).run("INSERT INTO schema_version VALUES (99, 'later', now(), 0)");
        const auto store = openPostgres({.url = m_url, .host = "h"});
        const Error error = (*store)->readDecisions().error();
        QCOMPARE(error.code, std::string{"store_newer"});
        QVERIFY(error.where.starts_with("postgresql://"));
        QVERIFY(error.detail.find("99") != std::string::npos);
        ForeignClient(m_path).run("DELETE FROM schema_version WHERE version = 99");
        QTRY_VERIFY((*store)->readDecisions());
    }

    void toolsNeitherCreateNorUpgrade()
    {
        const auto tool = openPostgres({.url = m_url, .mode = OpenMode::Existing, .host = "h"});
        QCOMPARE((*tool)->readDecisions().error().code, std::string{"store_older"});
        QCOMPARE(ForeignClient(m_path).rows("SELECT to_regclass('routing_switch') IS NULL"), "t");
    }

    /// An agent's role may write rows and no schema: it waits, and says what is to be done.
    void aRoleWithoutRightsWaitsForTheOwner()
    {
        ForeignClient shell(m_path);
        shell.run("CREATE ROLE plain LOGIN");
        std::string asAgent = m_url;
        asAgent.replace(asAgent.find("postgres@"), 9, "plain@");
        const auto agent = openPostgres({.url = asAgent, .host = "h"});
        const Error waits = (*agent)->readDecisions().error();
        QCOMPARE(waits.code, std::string{"store_older"});
        QVERIFY(waits.detail.find("weirctl store migrate") != std::string::npos);
        const Upgraded upgraded = upgradePostgres({.url = m_url, .host = "h"}).value();
        QCOMPARE(upgraded.from, 0);
        QCOMPARE(upgraded.to, 13);
        QCOMPARE(upgraded.rolesTrouble, std::string{});
        QCOMPARE(shell.run("GRANT weir_agent TO plain"), "");
        QTRY_VERIFY((*agent)->readDecisions());
        doAnAgentsWork(**agent);
        const Authorship by{"ann", "h", "why not", "u-1", kNoon};
        QCOMPARE(
            (*agent)->writeSwitch({Mode::Adaptive, 1, by}).error().code, std::string{"forbidden"});
    }

    /// A hundred people write at once, each against the version that he saw.
    void everyVersionHasOneWriter()
    {
        constexpr int kWriters = 100;
        static_cast<void>(openStore(m_path));
        std::atomic<int> won = 0;
        std::atomic<int> lost = 0;
        std::vector<std::thread> writers;
        for (int i = 0; i < kWriters; ++i) {
            writers.emplace_back([&, i] {
                const auto store = openPostgres(
                    {.url = m_url,
                     .mode = OpenMode::Existing,
                     .deadline = std::chrono::minutes{1},
                     .host = "h"});
                SettingsChange change{standardSettings(), 1, {"w", "h", "race", "", kNoon}};
                change.settings.numbers["slow_factor"] = 2.0 + i / 100.0;
                for (;;) {
                    change.by.requestUuid =
                        std::to_string(i) + '-' + std::to_string(change.expectedVersion);
                    const auto write = (*store)->writeSettings(change);
                    if (!write) continue;
                    if (write->outcome == WriteOutcome::Written) break;
                    ++lost;
                    change.expectedVersion = write->row->version;
                }
                ++won;
            });
        }
        for (std::thread& writer : writers)
            writer.join();
        QCOMPARE(won.load(), kWriters);
        ForeignClient shell(m_path);
        QCOMPARE(
            shell.rows("SELECT count(*), count(DISTINCT version), max(version), "
                       "count(DISTINCT new_value ->> 'slow_factor') FROM settings_audit "
                       "WHERE table_name = 'routing_settings' AND version > 1"),
            "100|100|101|100");
        QCOMPARE(shell.rows("SELECT version FROM routing_settings"), "101");
    }

    /// However often the job changes hands: each token is one agent's, and what is published comes
    /// in the order of tokens.
    void theJobIsNeverTwoAgents()
    {
        static_cast<void>(openStore(m_path));
        std::mutex mutex;
        std::map<std::int64_t, std::set<std::string>> holders;
        std::atomic<bool> over = false;
        std::atomic<int> published = 0;
        std::vector<std::thread> agents;
        for (int i = 0; i < 4; ++i) {
            agents.emplace_back([&, name = "agent-" + std::to_string(i)] {
                const auto store =
                    openPostgres({.url = m_url, .deadline = std::chrono::seconds{10}, .host = "h"});
                while (!over) {
                    const auto lease =
                        (*store)->takeLease("summary", name, std::chrono::milliseconds{3});
                    if (!lease || !*lease) continue;
                    const std::string token = std::to_string((*lease)->token);
                    if ((*store)->saveReport("x", R"({"token":)" + token + '}', **lease)) {
                        ++published;
                    }
                    const std::scoped_lock lock(mutex);
                    holders[(*lease)->token].insert(name);
                }
            });
        }
        ForeignClient shell(m_path);
        QCOMPARE(
            shell.run("CREATE TABLE seen (n bigserial, token bigint);"
                      "CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
                      "INSERT INTO seen (token) VALUES ((NEW.json ->> 'token')::bigint); "
                      "RETURN NEW; END $$;"
                      "CREATE TRIGGER note AFTER INSERT OR UPDATE ON fleet_report "
                      "FOR EACH ROW EXECUTE FUNCTION note()"),
            "");
        QTRY_VERIFY_WITH_TIMEOUT(holders.size() > 30 && published > 60, 30'000);
        over = true;
        for (std::thread& agent : agents)
            agent.join();
        for (const auto& [token, names] : holders)
            QCOMPARE(names.size(), 1U);
        QCOMPARE(
            shell.rows("SELECT count(*) FROM (SELECT token, lag(token) OVER (ORDER BY n) AS before "
                       "FROM seen) AS s WHERE token < before"),
            "0");
    }

    /// A row that is committed late has a lower number than one that was read: it must not be
    /// passed by.
    void aLateRowIsStillRead()
    {
        const auto store = openStore(m_path);
        QVERIFY(store->ingest(std::vector{sampleRecord(0)}, "agent-1", {1, 2, 3}));
        ForeignClient slow(m_path);
        ForeignClient slower(m_path);
        const QString columns = QString::fromStdString(std::string{kLedgerColumns});
        for (const auto& [shell, id] : {std::pair{&slow, "slow"}, std::pair{&slower, "slower"}}) {
            // As it stands there, under another name.
            QCOMPARE(
                shell->run(
                    "BEGIN; INSERT INTO call_ledger (" + columns + ") SELECT '" + id + '\'' +
                    columns.mid(columns.indexOf(',')) + " FROM call_ledger"),
                "");
        }
        QVERIFY(store->ingest(std::vector{sampleRecord(1)}, "agent-1", {1, 2, 4}));
        QCOMPARE(factsOf(*store), "req-0");
        QCOMPARE(slower.run("COMMIT"), "");
        QCOMPARE(factsOf(*store), "");
        QCOMPARE(slow.run("COMMIT"), "");
        QTRY_COMPARE((m_seen += factsOf(*store)), "slow slower req-1");
        QVERIFY(store->rowBefore(epochMs(kNoon) + 100'000).value() == m_at);
    }

private:
    /// All that an agent writes by itself.
    static void doAnAgentsWork(Database& store)
    {
        QVERIFY(store.fleetSecret());
        QVERIFY(store.ingest(std::vector{sampleRecord(1)}, "agent-1", {1, 2, 3}));
        QVERIFY(store.ingest(std::vector{sampleRecord(1)}, "agent-1", {1, 2, 3}));
        QVERIFY(store.keepHouse(90));
        Heartbeat beat;
        beat.presence.agentId = "agent-1";
        beat.presence.effectiveMode = "fixed";
        QVERIFY(store.heartbeat(beat));
        QVERIFY(store.heartbeat(beat));
        QVERIFY(store.forgetAgent("agent-1"));
        const Lease lease =
            store.takeLease("summary", "agent-1", std::chrono::minutes{1}).value().value();
        for (const int round : {1, 2}) {
            QVERIFY(store.insertSummary({std::to_string(round), round, 1, "{}"}, lease));
            Incident incident;
            incident.id = incident.key = "x";
            incident.events = {{1, "onset", ""}};
            QVERIFY(store.saveIncidents({&incident, 1}, lease));
            QVERIFY(store.saveReport("fleet", "{}", lease));
            QVERIFY(store.saveGateStates(std::vector<GateStateRow>{{"m", "p", 1, "g"}}, 1));
            QVERIFY(store.saveDrillCounts("d", "agent-1", {1, 0, 0, 0}));
            MirrorComparison comparison;
            comparison.requestId = "r";
            QVERIFY(store.addComparisons({&comparison, 1}));
        }
        QCOMPARE(store.pruneSummaries(2).value(), 1);
        const DrillEnd end{"none", "time", {"agent-1", "h", "over", "", kNoon}};
        QCOMPARE(store.endDrill(end).error().code, std::string{"no_drill"});
        QVERIFY(store.giveUpLease(lease));
    }

    /// The ids of the facts since the last call, in order.
    QString factsOf(Database& store)
    {
        QStringList ids;
        const std::vector<FactRow> rows = store.facts(m_at, 100).value();
        for (const FactRow& row : rows) {
            ids << QString::fromStdString(row.requestId);
            m_at = row.at;
        }
        return ids.join(' ');
    }

    std::unique_ptr<QTemporaryDir> m_dir;
    std::filesystem::path m_path;
    std::string m_url;
    FactCursor m_at;
    QString m_seen;
};

QTEST_APPLESS_MAIN(TestPgSchema)
#include "tst_pg_schema.moc"
