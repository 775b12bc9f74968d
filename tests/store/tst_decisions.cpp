// SPDX-License-Identifier: Apache-2.0
#include "agent/store/pg_store.h"
#include "tests/store/foreign_client.h"
#include "tests/store/samples.h"

#include <sys/wait.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>

#include <thread>

using namespace weir;
using namespace weir::store;
using namespace weir::tests;

namespace {

/// Begins a transaction that keeps every other writer of the switch away.
QString begin()
{
    return onPostgres() ? "BEGIN; LOCK TABLE routing_switch IN ROW EXCLUSIVE MODE; "
                          "SELECT 1 FROM routing_switch FOR UPDATE"
                        : "BEGIN IMMEDIATE";
}

Authorship by(const char* who, const char* uuid)
{
    return {who, "host-a", "because it is time", uuid, kNoon + std::chrono::seconds{1}};
}

} // namespace

/// Versioned writes through the store: conflicts, repetitions, several writers at a time.
class TestDecisions : public QObject
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

    void writesTheSwitch()
    {
        const auto write = m_store->writeSwitch({Mode::Adaptive, 1, by("ann", "u-1")}).value();
        QVERIFY(write.outcome == WriteOutcome::Written);
        const RoutingSwitch expected{
            Mode::Adaptive,
            2,
            "because it is time",
            "ann",
            "host-a",
            kNoon + std::chrono::seconds{1},
            "u-1"};
        QVERIFY(write.row == expected);
        QVERIFY(m_store->readDecisions().value().routingSwitch == expected);
        const AuditEntry entry = m_store->audit(1).value().front();
        QCOMPARE(entry.who, std::string{"ann"});
        QCOMPARE(entry.table, std::string{"routing_switch"});
        QCOMPARE(entry.key, std::string{"1"});
        QCOMPARE(entry.version, 2);
    }

    void anOlderVersionIsAConflictAndChangesNothing()
    {
        QVERIFY(m_store->writeSwitch({Mode::Adaptive, 1, by("ann", "u-1")}));
        const auto late = m_store->writeSwitch({Mode::Shadow, 1, by("bob", "u-2")}).value();
        QVERIFY(late.outcome == WriteOutcome::Conflict);
        QCOMPARE(late.row->updatedBy, std::string{"ann"});
        QCOMPARE(late.row->version, 2);
        QCOMPARE(m_store->audit(100).value().size(), 3U);
        const auto early = m_store->writeSwitch({Mode::Shadow, 3, by("bob", "u-3")}).value();
        QVERIFY(early.outcome == WriteOutcome::Conflict);
    }

    /// Also when somebody else wrote in between: the repetition is not a new write and no conflict.
    void aRepeatedRequestIsTheSameWrite()
    {
        const SwitchChange change{Mode::Adaptive, 1, by("ann", "u-1")};
        QVERIFY(m_store->writeSwitch(change));
        const auto again = m_store->writeSwitch(change).value();
        QVERIFY(again.outcome == WriteOutcome::Repeated);
        QCOMPARE(again.row->version, 2);
        QVERIFY(m_store->writeSwitch({Mode::Fixed, 2, by("bob", "u-2")}));
        const auto later = m_store->writeSwitch(change).value();
        QVERIFY(later.outcome == WriteOutcome::Repeated);
        QCOMPARE(later.row->version, 3);
        QVERIFY(later.row->mode == Mode::Fixed);
        QCOMPARE(m_store->audit(100).value().size(), 4U);
    }

    void refusesAnEmptyReason()
    {
        SwitchChange change{Mode::Adaptive, 1, by("ann", "u-1")};
        change.by.reason = "  ";
        const auto write = m_store->writeSwitch(change);
        QCOMPARE(write.error().code, std::string{"refused"});
        QVERIFY(write.error().detail.find("reason_given") != std::string::npos);
        QCOMPARE(m_store->readDecisions().value().routingSwitch.version, 1);
    }

    void cleansWhatPeopleType()
    {
        SwitchChange change{Mode::Adaptive, 1, by("ann", "u-1")};
        change.by.reason = std::string("a\0b", 3) + "\xED\xA0\x80" + std::string(1U << 20U, 'x');
        const auto write = m_store->writeSwitch(change).value();
        QCOMPARE(QString::fromStdString(write.row->reason).size(), 1000);
        QVERIFY(QString::fromStdString(write.row->reason).startsWith(u"a\uFFFDb"));
    }

    void writesSettings()
    {
        SettingsChange change{standardSettings(), 1, by("ann", "u-1")};
        change.settings.numbers["cost_weight"] = 0.6;
        change.settings.numbers["speed_weight"] = 0.4;
        change.settings.objective = "routing_cost";
        const auto write = m_store->writeSettings(change).value();
        QVERIFY(write.outcome == WriteOutcome::Written);
        QCOMPARE(write.row->numbers, change.settings.numbers);
        QCOMPARE(write.row->objective, std::string{"routing_cost"});
        QCOMPARE(write.row->version, 2);
        QVERIFY(m_store->writeSettings(change).value().outcome == WriteOutcome::Repeated);
        change.by.requestUuid = "u-2";
        QVERIFY(m_store->writeSettings(change).value().outcome == WriteOutcome::Conflict);
        change.settings.numbers["cost_weight"] = 0.5;
        QCOMPARE(m_store->writeSettings(change).error().code, std::string{"bad_setting"});
    }

    void writesRoutes()
    {
        RouteChange change{{}, 0, by("ann", "u-1")};
        change.route.model = "glm-5.2";
        change.route.provider = "baseten";
        change.route.enabled = false;
        change.route.fixedPosition = 2;
        const auto first = m_store->writeRoute(change).value();
        QVERIFY(first.outcome == WriteOutcome::Written);
        QCOMPARE(first.row->version, 1);
        QVERIFY(m_store->writeRoute(change).value().outcome == WriteOutcome::Repeated);
        change.by.requestUuid = "u-2";
        QVERIFY(m_store->writeRoute(change).value().outcome == WriteOutcome::Conflict);
        change.expectedVersion = 1;
        change.route.fixedPosition.reset();
        change.route.scoreBias = 1.25;
        QVERIFY(m_store->writeRoute(change).value().outcome == WriteOutcome::Written);
        const std::vector<RouteSettings> routes = m_store->readDecisions().value().routes;
        QCOMPARE(routes.size(), 1U);
        QCOMPARE(routes[0].version, 2);
        QVERIFY(!routes[0].enabled);
        QVERIFY(!routes[0].fixedPosition);
        QCOMPARE(routes[0].scoreBias, 1.25);
        change.route.provider = "nobody";
        change.by.requestUuid = "u-3";
        const auto none = m_store->writeRoute(change).value();
        QVERIFY(none.outcome == WriteOutcome::Conflict);
        QVERIFY(!none.row);
    }

    /// Everybody writes against the version read: exactly one wins each version.
    void threadsTakeTurns()
    {
        std::vector<std::thread> writers;
        std::array<int, 4> wins{};
        for (std::size_t writer = 0; writer < wins.size(); ++writer) {
            writers.emplace_back([this, &wins, writer] { wins[writer] = writeUntil(12, writer); });
        }
        for (std::thread& writer : writers)
            writer.join();
        QCOMPARE(wins[0] + wins[1] + wins[2] + wins[3], 11);
        QCOMPARE(m_store->readDecisions().value().routingSwitch.version, 12);
        QCOMPARE(m_store->audit(100).value().size(), 13U);
    }

    /// Another process, too: a child that dies with its transaction open blocks nobody.
    void aDeadProcessLeavesNoLock()
    {
        const pid_t child = fork();
        if (child == 0) {
            ForeignClient shell(m_path);
            shell.run(begin() + "; UPDATE routing_switch SET mode = 'shadow', version = 2");
            _exit(0);
        }
        int status = 0;
        QCOMPARE(waitpid(child, &status, 0), child);
        QVERIFY(
            m_store->writeSwitch({Mode::Adaptive, 1, by("ann", "u-1")}).value().outcome ==
            WriteOutcome::Written);
    }

    void aLockedStoreIsBusyAndNotBroken()
    {
        const auto impatient = openImpatient();
        ForeignClient shell(m_path);
        QCOMPARE(shell.run(begin()), "");
        const auto write = (*impatient)->writeSwitch({Mode::Adaptive, 1, by("ann", "u-1")});
        QCOMPARE(write.error().code, std::string{"busy"});
        QVERIFY((*impatient)->readDecisions());
        QCOMPARE(shell.run("ROLLBACK"), "");
        QVERIFY((*impatient)->writeSwitch({Mode::Adaptive, 1, by("ann", "u-1")}));
    }

private:
    [[nodiscard]] Result<std::unique_ptr<Database>> openImpatient() const
    {
        if (onPostgres()) {
            PgOptions options;
            options.url = postgresUrl(m_path);
            options.mode = OpenMode::Existing;
            options.deadline = std::chrono::milliseconds{600};
            return openPostgres(options);
        }
        return openSqlite(
            {.path = m_path,
             .mode = OpenMode::Existing,
             .busyTimeout = std::chrono::milliseconds{0},
             .host = "h",
             .now = kNoon});
    }

    /// How many of the versions up to `last` this writer wrote.
    int writeUntil(std::int64_t last, std::size_t writer)
    {
        const auto store = openStore(m_path);
        int wins = 0;
        for (int attempt = 0;; ++attempt) {
            const std::int64_t version = store->readDecisions().value().routingSwitch.version;
            if (version >= last) return wins;
            const std::string uuid = std::to_string(writer) + "-" + std::to_string(attempt);
            const auto write =
                store->writeSwitch({Mode::Shadow, version, by("thread", uuid.c_str())}).value();
            if (write.outcome == WriteOutcome::Written) ++wins;
        }
    }

    std::unique_ptr<QTemporaryDir> m_dir;
    std::filesystem::path m_path;
    std::unique_ptr<Database> m_store;
};

QTEST_APPLESS_MAIN(TestDecisions)
#include "tst_decisions.moc"
