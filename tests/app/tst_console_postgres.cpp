// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/link/store_link.h"
#include "app/link/switch_writer.h"
#include "tests/app/support/dead_end.h"
#include "tests/app/support/server_store.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

using namespace weir;
using link::StoreLink;
using link::StoreOptions;
using test::ServerStore;
using Kind = SwitchOutcome::Kind;

namespace {

StoreOptions quick(const model::StoreAddress& address)
{
    StoreOptions options;
    options.address = address;
    options.busyTimeoutMs = 200;
    options.answerTimeoutMs = 1'500;
    options.pollMs = 20;
    options.quickPollMs = 20;
    return options;
}

SwitchChange
change(std::int64_t expected, const std::string& uuid = "uuid-1", Mode target = Mode::Adaptive)
{
    return {target, expected, "planned start", "maria", "devbox", uuid};
}

} // namespace

/// What tst_console_store says of SQLite, where Postgres could be another thing, and what only a
/// server can do wrong.
class TestConsolePostgres final : public QObject
{
    Q_OBJECT

private:
    /// A database of its own for each test.
    std::unique_ptr<ServerStore> m_store;

private slots:

    void initTestCase()
    {
        if (qEnvironmentVariableIsEmpty("WEIR_TEST_POSTGRES")) {
            QSKIP("needs tests/support/servers.py --postgres -- …");
        }
    }

    void init() { m_store = std::make_unique<ServerStore>(); }

    void cleanup() { m_store.reset(); }

    void changesOfOthersAreSeen()
    {
        StoreLink store(quick(m_store->address()));
        QSignalSpy rows(&store, &StoreLink::switchRead);
        QSignalSpy agents(&store, &StoreLink::agentsRead);
        QSignalSpy settings(&store, &StoreLink::settingsRead);
        QSignalSpy audit(&store, &StoreLink::auditRead);
        store.start();
        QTRY_COMPARE(rows.count(), 1);
        QTRY_COMPARE(settings.count(), 1);
        QCOMPARE(settings[0][0].value<RoutingSettings>().number("exploration_share"), 0.05);
        m_store->turn("adaptive", "jon", "incident over");
        QTRY_COMPARE(rows.count(), 2);
        const auto row = rows.last()[0].value<RoutingSwitch>();
        QCOMPARE(row.updatedBy, std::string("jon"));
        QCOMPARE(row.mode, Mode::Adaptive);
        QVERIFY(std::abs(epochMs(row.updatedAt) - QDateTime::currentMSecsSinceEpoch()) < 60'000);
        const auto entries = audit.last()[0].value<std::vector<AuditEntry>>();
        QCOMPARE(entries.size(), std::size_t{2});
        QVERIFY(QString::fromStdString(entries[0].newValue).contains(QStringLiteral("adaptive")));
        m_store->acknowledge("agent-1", "failsafe", "no_summary");
        QTRY_COMPARE(agents.count(), 1);
        const auto seen = agents[0][0].value<std::vector<AgentStateRow>>();
        QCOMPARE(seen.size(), std::size_t{1});
        QCOMPARE(seen[0].switchVersion, 2);
        QCOMPARE(seen[0].effectiveMode, EffectiveMode::Failsafe);
    }

    void aWriteIsOneVersionAndOneAuditRow()
    {
        const StoreOptions options = quick(m_store->address());
        const SwitchOutcome outcome = link::writeSwitch(options, change(1));
        QCOMPARE(outcome.detail, std::string());
        QCOMPARE(outcome.kind, Kind::Written);
        QCOMPARE(outcome.row.version, 2);
        m_store->turn("fixed", "jon", "later and opposite");
        const SwitchOutcome again = link::writeSwitch(options, change(1));
        QCOMPARE(again.kind, Kind::Written);
        QCOMPARE(again.row.version, 2);
        QCOMPARE(again.row.mode, Mode::Adaptive);
        QCOMPARE(link::writeSwitch(options, change(1, "uuid-2")).kind, Kind::Conflict);
        QCOMPARE(m_store->value("SELECT version FROM routing_switch"), QStringLiteral("3"));
        QCOMPARE(
            m_store->value("SELECT count(*) FROM settings_audit WHERE who = 'maria'"),
            QStringLiteral("1"));
    }

    void whoMayNotIsTold()
    {
        model::StoreAddress viewer = m_store->address();
        viewer.user = m_store->login("weir_viewer");
        StoreLink store(quick(viewer));
        QSignalSpy rows(&store, &StoreLink::switchRead);
        QSignalSpy settled(&store, &StoreLink::settled);
        store.start();
        QTRY_COMPARE(rows.count(), 1);
        store.turn(change(1));
        QTRY_COMPARE(settled.count(), 1);
        const auto outcome = settled[0][0].value<SwitchOutcome>();
        QCOMPARE(outcome.kind, Kind::NotWritten);
        const QString text = QString::fromStdString(outcome.detail);
        QVERIFY2(text.contains(QStringLiteral("permission denied")), qPrintable(text));
        QCOMPARE(m_store->value("SELECT version FROM routing_switch"), QStringLiteral("1"));
    }

    void whoeverIsWritingIsWaitedForButNotForever()
    {
        m_store->run("BEGIN");
        m_store->turn("fixed", "jon", "he went for lunch");
        const SwitchOutcome outcome = link::writeSwitch(quick(m_store->address()), change(1));
        QCOMPARE(outcome.kind, Kind::NotWritten);
        const QString text = QString::fromStdString(outcome.detail);
        QVERIFY2(text.contains(QStringLiteral("lock timeout")), qPrintable(text));
        m_store->run("ROLLBACK");
        QCOMPARE(link::writeSwitch(quick(m_store->address()), change(1)).kind, Kind::Written);
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
        StoreOptions options = quick(m_store->address());
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
        QCOMPARE(
            settled[1][0].value<SwitchOutcome>().kind,
            isCommitted ? Kind::Written : Kind::NotWritten);
        QCOMPARE(
            m_store->value("SELECT version FROM routing_switch"),
            isCommitted ? QStringLiteral("2") : QStringLiteral("1"));
    }

    /// The network swallows everything: both the connection that stood and a new one are given up
    /// in time, and the way back is found.
    void aServerThatSaysNothingIsLostInTime()
    {
        test::DeadEnd end(m_store->address().host, m_store->address().port);
        model::StoreAddress address = m_store->address();
        address.port = end.port();
        StoreLink store(quick(address));
        QSignalSpy reached(&store, &StoreLink::reached);
        QSignalSpy lost(&store, &StoreLink::lost);
        store.start();
        QTRY_VERIFY(!reached.isEmpty());
        end.hold(true);
        QElapsedTimer watch;
        watch.start();
        QTRY_VERIFY(!lost.isEmpty());
        QVERIFY2(watch.elapsed() < 4'000, qPrintable(QString::number(watch.elapsed())));
        const QString text = lost.last()[0].toString();
        QVERIFY2(text.contains(QStringLiteral("no answer within 1500 ms")), qPrintable(text));
        lost.clear();
        QTRY_VERIFY(!lost.isEmpty());
        const QString later = lost.last()[0].toString();
        QVERIFY2(later.contains(QStringLiteral("timeout expired")), qPrintable(later));
        reached.clear();
        end.hold(false);
        QTRY_VERIFY(!reached.isEmpty());
    }

    /// A commit that the network holds back is never done after it was called not written.
    void aCommitThatIsHeldBackIsNotDoneLater()
    {
        test::DeadEnd end(m_store->address().host, m_store->address().port);
        model::StoreAddress address = m_store->address();
        address.port = end.port();
        StoreOptions options = quick(address);
        options.commit = [&end](QSqlDatabase db) {
            end.hold(true);
            return db.commit();
        };
        QCOMPARE(link::writeSwitch(options, change(1)).kind, Kind::Unknown);
        const auto found = link::resolveSwitch(quick(m_store->address()), change(1));
        QVERIFY(found.has_value());
        QCOMPARE(found->kind, Kind::NotWritten);
        end.hold(false);
        QVERIFY(end.isIdleWithin(5'000));
        QCOMPARE(m_store->value("SELECT version FROM routing_switch"), QStringLiteral("1"));
    }

    void aServerThatIsNotThereIsSaidWithoutThePassword_data()
    {
        QTest::addColumn<QString>("url");
        QTest::addColumn<QString>("says");
        const QString good = qEnvironmentVariable("WEIR_TEST_POSTGRES");
        const QString host = good.section(QChar('@'), 1).section(QChar('/'), 0, 0);
        QTest::newRow("refused") << "postgresql://maria:secret@127.0.0.1:1/weir"
                                 << "Connection refused";
        QTest::newRow("no user") << "postgresql://maria:secret@" + host + "/weir"
                                 << "role \"maria\" does not exist";
        QTest::newRow("no database") << "postgresql://postgres:secret@" + host + "/nowhere"
                                     << "database \"nowhere\" does not exist";
        QTest::newRow("no tables") << "postgresql://postgres:secret@" + host + "/postgres"
                                   << "relation \"routing_switch\" does not exist";
    }

    void aServerThatIsNotThereIsSaidWithoutThePassword()
    {
        QFETCH(QString, url);
        QFETCH(QString, says);
        const auto address = model::storeAddress(url);
        QVERIFY(address.has_value());
        StoreLink store(quick(*address));
        QSignalSpy lost(&store, &StoreLink::lost);
        store.start();
        QTRY_VERIFY(!lost.isEmpty());
        const QString text = lost.last()[0].toString();
        QVERIFY2(text.contains(says), qPrintable(text));
        QVERIFY2(!text.contains(QStringLiteral("secret")), qPrintable(text));
    }

    void historyComesInBothSteps()
    {
        const UtcTime to = fromEpochMs(1'796'033'700'000);
        m_store->addHistory("route_10s", epochMs(to) - 20'000, "default");
        m_store->addHistory("route_10s", epochMs(to) - 20'000, "search");
        m_store->addHistory("route_minute", epochMs(to) - 7'200'000, "default");
        StoreLink store(quick(m_store->address()));
        QSignalSpy history(&store, &StoreLink::historyRead);
        QSignalSpy complete(&store, &StoreLink::historyComplete);
        store.start();
        store.readHistory(to - std::chrono::hours{24}, to);
        QTRY_COMPARE(complete.count(), 1);
        QCOMPARE(history.count(), 2);
        QCOMPARE(history[0][0].value<std::vector<RouteSlice>>().size(), std::size_t{1});
        const auto fine = history[1][0].value<std::vector<RouteSlice>>();
        QCOMPARE(fine.size(), std::size_t{1});
        QCOMPARE(fine[0].attempts, 18);
        QCOMPARE(fine[0].failures, 8);
        QCOMPARE(fine[0].rateLimited, 6);
        QCOMPARE(fine[0].ttftUs.count(), std::uint64_t{8});
    }
};

QTEST_GUILESS_MAIN(TestConsolePostgres)
#include "tst_console_postgres.moc"
