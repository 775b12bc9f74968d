// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/link/store_link.h"
#include "app/link/store_options.h"
#include "app/link/switch_writer.h"
#include "tests/app/support/store_file.h"

#include <QFile>
#include <QSignalSpy>
#include <QTest>

using namespace weir;
using link::StoreLink;
using link::StoreOptions;
using test::StoreFile;
using Kind = SwitchOutcome::Kind;

namespace {

StoreOptions quick(const StoreFile& file)
{
    StoreOptions options;
    options.address.path = file.path();
    options.busyTimeoutMs = 200;
    options.pollMs = 20;
    options.quickPollMs = 20;
    return options;
}

SwitchChange
change(std::int64_t expected, const std::string& uuid = "uuid-1", Mode target = Mode::Adaptive)
{
    return {target, expected, "planned start", "maria", "devbox", uuid};
}

std::string audits(StoreFile& file)
{
    return file.value("SELECT count(*) FROM settings_audit WHERE table_name = 'routing_switch'");
}

std::string version(StoreFile& file)
{
    return file.value("SELECT version FROM routing_switch");
}

RoutingSwitch lastSwitch(const QSignalSpy& spy)
{
    return spy.last()[0].value<RoutingSwitch>();
}

SwitchOutcome lastOutcome(const QSignalSpy& spy)
{
    return spy.last()[0].value<SwitchOutcome>();
}

} // namespace

class TestConsoleStore final : public QObject
{
    Q_OBJECT

private slots:

    void urlsNameAStore_data()
    {
        QTest::addColumn<QString>("url");
        QTest::addColumn<QString>("shown");
        QTest::addColumn<QString>("read");
        const auto row =
            [](const char* name, const char* url, const char* shown, const char* read) {
                QTest::newRow(name) << url << shown << read;
            };
        row("absolute", "sqlite:/var/lib/weir.db", "weir.db", "/var/lib/weir.db");
        row("relative", "sqlite:weir.db", "weir.db", "weir.db");
        row("server",
            "postgresql://maria:s%40cret@db.example:5433/weir",
            "weir at db.example",
            "maria|s@cret|db.example|5433|weir|");
        row("short", "postgres:///weir", "weir", "|||0|weir|");
        row("words",
            "postgresql://db/weir?sslmode=verify-full&application_name=it's",
            "weir at db",
            "||db|0|weir|sslmode='verify-full' application_name='it\\'s'");
        row("no file", "sqlite:", "", "name the file");
        row("no database", "postgresql://db", "", "name the database");
        row("two databases", "postgresql://db/a/b", "", "name the database");
        row("unknown word",
            "postgresql://u:secret@db/weir?secret=1",
            "",
            "this console knows sslmode");
        row("semicolon", "postgresql://u:secret@db/weir?sslkey=a;b", "", "sslkey must not hold");
        row("no URL", "postgresql://u:secret@db:port/weir", "", "write postgresql://user@host");
        row("another kind", "mysql://u:secret@db/weir", "", "this console reads sqlite:");
        row("nothing", "", "", "this console reads sqlite:");
    }

    void urlsNameAStore()
    {
        QFETCH(QString, url);
        QFETCH(QString, shown);
        QFETCH(QString, read);
        const auto result = model::storeAddress(url);
        if (!result) {
            const QString text = QString::fromStdString(result.error().text());
            QVERIFY2(text.contains(read), qPrintable(text));
            QVERIFY2(!text.contains(QStringLiteral("secret")), qPrintable(text));
            return;
        }
        QCOMPARE(result->shown(), shown);
        QVERIFY(!result->shown().contains(QStringLiteral("cret")));
        const QStringList parts{
            result->user,
            result->password,
            result->host,
            QString::number(result->port),
            result->database,
            result->more};
        const bool isFile = result->kind == model::StoreAddress::Kind::Sqlite;
        QCOMPARE(isFile ? result->path : parts.join(QChar('|')), read);
    }

    void aWriteIsOneVersionAndOneAuditRow()
    {
        StoreFile file;
        const SwitchOutcome outcome = link::writeSwitch(quick(file), change(1));
        QCOMPARE(outcome.kind, Kind::Written);
        QCOMPARE(outcome.row.version, 2);
        QCOMPARE(outcome.row.updatedBy, std::string("maria"));
        QCOMPARE(version(file), std::string("2"));
        QCOMPARE(audits(file), std::string("2"));
        QCOMPARE(
            file.value(
                "SELECT who || ' ' || host || ' ' || reason FROM settings_audit WHERE version = 2"
                " AND table_name = 'routing_switch'"),
            std::string("maria devbox planned start"));
    }

    void theSameUuidIsTheSameWrite()
    {
        StoreFile file;
        QCOMPARE(link::writeSwitch(quick(file), change(1)).kind, Kind::Written);
        file.turn("fixed", "jon", "later and opposite");
        const SwitchOutcome again = link::writeSwitch(quick(file), change(1));
        QCOMPARE(again.kind, Kind::Written);
        QCOMPARE(again.row.version, 2);
        QCOMPARE(again.row.mode, Mode::Adaptive);
        QCOMPARE(version(file), std::string("3"));
    }

    void anOlderVersionIsAConflictAndWritesNothing()
    {
        StoreFile file;
        file.turn("adaptive", "jon", "incident over");
        const SwitchOutcome outcome = link::writeSwitch(quick(file), change(1));
        QCOMPARE(outcome.kind, Kind::Conflict);
        QCOMPARE(outcome.row.version, 2);
        QCOMPARE(outcome.row.updatedBy, std::string("jon"));
        QCOMPARE(outcome.row.reason, std::string("incident over"));
        QCOMPARE(version(file), std::string("2"));
        QCOMPARE(audits(file), std::string("2"));
    }

    void aLockedStoreIsNotWrittenAndCanBeTriedAgain()
    {
        StoreFile file;
        file.run("BEGIN IMMEDIATE");
        const SwitchOutcome outcome = link::writeSwitch(quick(file), change(1));
        QCOMPARE(outcome.kind, Kind::NotWritten);
        QVERIFY(QString::fromStdString(outcome.detail).contains(QStringLiteral("locked")));
        file.run("ROLLBACK");
        QCOMPARE(link::writeSwitch(quick(file), change(1)).kind, Kind::Written);
        QCOMPARE(version(file), std::string("2"));
    }

    void whatIsNoStoreIsSaidAndNeverMade()
    {
        QTemporaryDir dir;
        StoreOptions options;
        options.address.path = dir.filePath(QStringLiteral("weir.db"));
        QCOMPARE(link::writeSwitch(options, change(1)).kind, Kind::NotWritten);
        QVERIFY(!QFile::exists(options.address.path));
        QFile junk(options.address.path);
        QVERIFY(junk.open(QIODevice::WriteOnly));
        junk.write(QByteArray(8192, 'x'));
        junk.close();
        const SwitchOutcome outcome = link::writeSwitch(options, change(1));
        QCOMPARE(outcome.kind, Kind::NotWritten);
        QVERIFY(QString::fromStdString(outcome.detail).contains(QStringLiteral("not a database")));
    }

    void aCommitWithoutAnswerIsResolvedByUuid_data()
    {
        QTest::addColumn<bool>("isCommitted");
        QTest::newRow("it had been committed") << true;
        QTest::newRow("it had not") << false;
    }

    void aCommitWithoutAnswerIsResolvedByUuid()
    {
        QFETCH(bool, isCommitted);
        StoreFile file;
        StoreOptions options = quick(file);
        options.commit = [isCommitted](QSqlDatabase db) {
            if (isCommitted) db.commit();
            return false;
        };
        StoreLink store(options);
        QSignalSpy settled(&store, &StoreLink::settled);
        store.start();
        store.turn(change(1));
        QTRY_COMPARE(settled.count(), 2);
        QCOMPARE(settled[0][0].value<SwitchOutcome>().kind, Kind::Unknown);
        QCOMPARE(lastOutcome(settled).kind, isCommitted ? Kind::Written : Kind::NotWritten);
        QCOMPARE(version(file), std::string(isCommitted ? "2" : "1"));
        QCOMPARE(audits(file), std::string(isCommitted ? "2" : "1"));
    }

    void changesOfOthersAreSeen()
    {
        StoreFile file;
        StoreLink store(quick(file));
        QSignalSpy rows(&store, &StoreLink::switchRead);
        QSignalSpy agents(&store, &StoreLink::agentsRead);
        QSignalSpy settings(&store, &StoreLink::settingsRead);
        QSignalSpy audit(&store, &StoreLink::auditRead);
        store.start();
        QTRY_COMPARE(rows.count(), 1);
        QTRY_COMPARE(settings.count(), 1);
        QCOMPARE(settings[0][0].value<RoutingSettings>().number("exploration_share"), 0.05);
        file.turn("adaptive", "jon", "incident over");
        QTRY_COMPARE(rows.count(), 2);
        QCOMPARE(lastSwitch(rows).updatedBy, std::string("jon"));
        QCOMPARE(lastSwitch(rows).mode, Mode::Adaptive);
        QCOMPARE(audit.last()[0].value<std::vector<AuditEntry>>().size(), std::size_t{2});
        file.acknowledge("agent-1", "failsafe", "no_summary");
        QTRY_COMPARE(agents.count(), 1);
        const auto seen = agents[0][0].value<std::vector<AgentStateRow>>();
        QCOMPARE(seen.size(), std::size_t{1});
        QCOMPARE(seen[0].switchVersion, 2);
        QCOMPARE(seen[0].effectiveMode, EffectiveMode::Failsafe);
    }

    void aLostStoreIsFoundAgain()
    {
        StoreFile file;
        StoreLink store(quick(file));
        QSignalSpy reached(&store, &StoreLink::reached);
        QSignalSpy lost(&store, &StoreLink::lost);
        store.start();
        QTRY_VERIFY(!reached.isEmpty());
        QVERIFY(QFile::rename(file.path(), file.path() + QStringLiteral(".away")));
        QTRY_VERIFY(!lost.isEmpty());
        QVERIFY(lost.last()[0].toString().contains(QStringLiteral("no such file")));
        reached.clear();
        QVERIFY(QFile::rename(file.path() + QStringLiteral(".away"), file.path()));
        QTRY_VERIFY(!reached.isEmpty());
    }

    void historyComesInBothSteps()
    {
        StoreFile file;
        const std::string columns =
            "agent, model, provider, task_type, calls, n_ok, n_length, n_refused, "
            "n_client_cancelled,"
            " n_bad_request, n_context_overflow, n_model_unavailable, n_auth, n_no_credit,"
            " n_rate_limited, n_overloaded, n_server_error, n_connect_failed, n_reset, "
            "n_ttft_timeout,"
            " n_idle_timeout, n_deadline, n_stream_broken, n_malformed, explored, pinned, spilled,"
            " input_uncached, input_cached, cache_write, output, reasoning, tokens_unknown,"
            " cost_micro_usd, cost_unknown, ttft_us, milli_tps";
        const std::string values = "'m', 'p', '%', 9, 4,0,0,0,1,0,0,0,0,3,0,1,0,0,0,0,0,0,0,"
                                   " 0,0,0, 0,0,0,0,0,0, 77, 0, '70:4', ''";
        const auto row = [&](const std::string& table, std::int64_t ms, const std::string& task) {
            std::string cells = values;
            cells.replace(cells.find('%'), 1, task);
            file.run(
                "INSERT INTO " + table + " (started_at_ms, " + columns + ") VALUES (" +
                std::to_string(ms) + ", 'agent-1', " + cells + ")");
        };
        const UtcTime to = fromEpochMs(1'796'033'700'000);
        row("route_10s", epochMs(to) - 20'000, "default");
        row("route_10s", epochMs(to) - 20'000, "search");
        row("route_minute", epochMs(to) - 7'200'000, "default");
        StoreLink store(quick(file));
        QSignalSpy history(&store, &StoreLink::historyRead);
        QSignalSpy complete(&store, &StoreLink::historyComplete);
        store.start();
        store.readHistory(to - std::chrono::hours{24}, to);
        QTRY_COMPARE(complete.count(), 1);
        QCOMPARE(history.count(), 2);
        QCOMPARE(history[0][0].value<std::vector<RouteSlice>>().size(), std::size_t{1});
        const auto fine = history[1][0].value<std::vector<RouteSlice>>();
        // Two task types of one route are one slice.
        QCOMPARE(fine.size(), std::size_t{1});
        QCOMPARE(fine[0].attempts, 18);
        QCOMPARE(fine[0].failures, 8);
        QCOMPARE(fine[0].rateLimited, 6);
        QCOMPARE(fine[0].ttftUs.count(), std::uint64_t{8});
    }
};

QTEST_GUILESS_MAIN(TestConsoleStore)
#include "tst_console_store.moc"
