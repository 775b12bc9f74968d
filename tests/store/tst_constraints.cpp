// SPDX-License-Identifier: Apache-2.0
#include "tests/store/foreign_client.h"
#include "tests/store/samples.h"

#include <QTemporaryDir>
#include <QTest>

using namespace weir;
using namespace weir::store;
using namespace weir::tests;

/// What the database itself refuses and audits, whoever writes: plain SQL over another connection.
class TestConstraints : public QObject
{
    Q_OBJECT

private slots:

    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        m_path = std::filesystem::path{m_dir->path().toStdString()} / "weir.db";
        m_store = openStore(m_path);
        m_shell = std::make_unique<ForeignClient>(m_path);
        QCOMPARE(
            m_shell->run(
                "INSERT INTO route_settings (model, provider, version, updated_by, reason) "
                "VALUES ('m', 'p', 1, 'ann', 'new')"),
            "");
    }

    void cleanup()
    {
        m_shell.reset();
        m_store.reset();
    }

    void refuses_data()
    {
        QTest::addColumn<QString>("sql");
        QTest::addColumn<QString>("complaint");
        const QString set = "UPDATE routing_switch SET version = version + 1, ";
        const QString tune = "UPDATE routing_settings SET version = version + 1, ";
        const QString route = "UPDATE route_settings SET version = version + 1, ";
        const auto row = [](const char* name, const QString& sql, const char* complaint) {
            QTest::newRow(name) << sql << complaint;
        };
        row("unknown mode", set + "mode = 'off'", "known_mode");
        row("no reason", set + "reason = ''", "reason_given");
        row("blank reason", set + "reason = '   '", "reason_given");
        row("null reason", set + "reason = NULL", "NOT NULL");
        row("endless reason", set + "reason = hex(zeroblob(501))", "reason_given");
        row("no writer", set + "updated_by = ' '", "writer_named");
        row("no time", set + "updated_at = 'soon'", "a_time");
        row("endless uuid", set + "request_uuid = printf('%65d', 1)", "short_uuid");
        row("switch: same version", "UPDATE routing_switch SET mode = 'shadow'", "old version + 1");
        row("switch: version jumps", "UPDATE routing_switch SET version = 7", "old version + 1");
        row("switch: version back", "UPDATE routing_switch SET version = 0", "old version + 1");
        row("switch: time alone",
            "UPDATE routing_switch SET updated_at = '2020-01-01'",
            "updated_at");
        row("switch: other id", set + "id = 2", "single_row");
        row("switch: deleted", "DELETE FROM routing_switch", "rows stay");
        row("switch: second row",
            "INSERT INTO routing_switch (id, mode, version, reason, updated_by) "
            "VALUES (2, 'fixed', 2, 'x', 'ann')",
            "the row exists");
        row("switch: replaced",
            "INSERT OR REPLACE INTO routing_switch (id, mode, version, reason, updated_by) "
            "VALUES (1, 'adaptive', 2, 'x', 'ann')",
            "the row exists");
        row("weights", tune + "cost_weight = 0.5", "weights_sum_to_1");
        row("objective", tune + "objective = 'luck'", "known_objective");
        row("text for a number", tune + "slow_factor = 'fast'", "REAL");
        row("infinite", tune + "slow_factor = 9e999", "slow_factor_range");
        row("settings: same version",
            "UPDATE routing_settings SET slow_factor = 4",
            "old version + 1");
        row("settings: deleted", "DELETE FROM routing_settings", "rows stay");
        row("settings: replaced",
            "REPLACE INTO routing_settings SELECT id, objective, cost_weight, speed_weight, "
            "slow_factor,"
            " switch_margin, exploration_share, exploration_cap, pin_seconds, max_premium, 2, "
            "updated_at,"
            " updated_by, updated_host, reason, '' FROM routing_settings",
            "the row exists");
        row("bias too low", route + "score_bias = 0.49", "score_bias_range");
        row("bias too high", route + "score_bias = 1.51", "score_bias_range");
        row("position 0", route + "fixed_position = 0", "fixed_position_range");
        row("half enabled", route + "enabled = 2", "enabled_bool");
        row("route: same version", "UPDATE route_settings SET enabled = 0", "old version + 1");
        row("route: renamed", route + "provider = 'q'", "are the key");
        row("route: deleted", "DELETE FROM route_settings", "rows stay");
        row("route: first version",
            "INSERT INTO route_settings (model, provider, version, updated_by, reason) "
            "VALUES ('m', 'q', 2, 'ann', 'new')",
            "last audited one");
        row("audit: changed", "UPDATE settings_audit SET who = 'nobody'", "append only");
        row("audit: deleted", "DELETE FROM settings_audit", "append only");
        row("audit: replaced",
            "REPLACE INTO settings_audit SELECT id, at, 'nobody', host, table_name, row_key, "
            "old_value,"
            " new_value, reason, version, request_uuid FROM settings_audit",
            "append only");
    }

    void refuses()
    {
        QFETCH(QString, sql);
        QFETCH(QString, complaint);
        const QString before = everything();
        const QString said = m_shell->run(sql);
        QVERIFY2(said.contains(complaint), qPrintable(said));
        QCOMPARE(everything(), before);
    }

    void refusesBeyondEveryRange_data()
    {
        QTest::addColumn<QString>("sql");
        QTest::addColumn<QString>("complaint");
        const QString tune = "UPDATE routing_settings SET version = version + 1, ";
        for (const SettingSpec& spec : settingSpecs()) {
            const QString key =
                QString::fromUtf8(spec.key.data(), static_cast<int>(spec.key.size()));
            const QByteArray range = key.toUtf8() + "_range";
            const QString assign = tune + key + " = " + key + " * 0 + (%1)";
            QTest::addRow("%s below", qPrintable(key))
                << assign.arg(spec.minimum - 1e-6, 0, 'g', 17) << QString::fromUtf8(range);
            QTest::addRow("%s above", qPrintable(key))
                << assign.arg(spec.maximum + 1e-6, 0, 'g', 17) << QString::fromUtf8(range);
        }
    }

    void refusesBeyondEveryRange() { refuses(); }

    void allowsTheEndsOfEveryRange()
    {
        for (const SettingSpec& spec : settingSpecs()) {
            const std::string key{spec.key};
            for (const double value : {spec.minimum, spec.maximum, spec.standard}) {
                QString sql = "UPDATE routing_settings SET version = version + 1, ";
                const QString number = QString::number(value, 'g', 17);
                if (key.ends_with("_weight")) {
                    const char* other = key == "cost_weight" ? "speed_weight" : "cost_weight";
                    sql += QString("%1 = 1 - %2, ").arg(other).arg(number);
                }
                sql += QString::fromStdString(key) + " = " + number;
                QCOMPARE(m_shell->run(sql), "");
                QCOMPARE(m_store->readDecisions().value().settings.number(key), value);
            }
        }
    }

    void auditsAForeignWrite()
    {
        QCOMPARE(
            m_shell->run("UPDATE routing_switch SET mode = 'adaptive', version = version + 1, "
                         "reason = 'by hand', updated_by = 'bob', updated_host = 'shell'"),
            "");
        QCOMPARE(
            m_shell->rows("SELECT who, host, table_name, row_key, reason, version, "
                          "json_extract(old_value, '$.mode'), json_extract(new_value, '$.mode'), "
                          "json_extract(new_value, '$.version') FROM settings_audit "
                          "ORDER BY id DESC LIMIT 1"),
            "bob|shell|routing_switch|1|by hand|2|fixed|adaptive|2");
        // The writer left the time alone, so the database set it, once for the row and the audit.
        QCOMPARE(
            m_shell->rows("SELECT s.updated_at_ms > 1796032800000 - 86400000 * 3650, "
                          "s.updated_at = json_extract(a.new_value, '$.updated_at'), "
                          "s.updated_at <> json_extract(a.old_value, '$.updated_at') "
                          "FROM routing_switch s, settings_audit a WHERE a.version = 2"),
            "1|1|1");
        const Decisions decisions = m_store->readDecisions().value();
        QVERIFY(decisions.routingSwitch.mode == Mode::Adaptive);
        QCOMPARE(decisions.routingSwitch.updatedBy, std::string{"bob"});
    }

    void auditsEveryKindOfRow()
    {
        QCOMPARE(
            m_shell->run("UPDATE routing_settings SET pin_seconds = 60, version = 2, reason = 'r';"
                         "UPDATE route_settings SET enabled = 0, version = 2, reason = 'r2'"),
            "");
        QCOMPARE(
            m_shell->rows("SELECT table_name, row_key, version, old_value ->> '$.pin_seconds', "
                          "new_value ->> '$.pin_seconds', new_value ->> '$.enabled' "
                          "FROM settings_audit ORDER BY id"),
            "routing_switch|1|1|||\nrouting_settings|1|1||300.0|\nroute_settings|m/p|1|||1\n"
            "routing_settings|1|2|300.0|60.0|\nroute_settings|m/p|2|||0");
    }

    /// The switch does not come back by itself, and versions never restart when a person repairs
    /// it.
    void aVanishedSwitchStaysAway()
    {
        QCOMPARE(
            m_shell->run("DROP TRIGGER routing_switch_no_delete; DELETE FROM routing_switch"), "");
        QCOMPARE(m_store->readDecisions().error().code, std::string{"switch_missing"});
        m_store.reset();
        m_store = openStore(m_path);
        QCOMPARE(m_store->readDecisions().error().code, std::string{"switch_missing"});
        const QString insert = "INSERT INTO routing_switch (id, mode, version, reason, updated_by) "
                               "VALUES (1, 'fixed', %1, 'repaired', 'ann')";
        QVERIFY(m_shell->run(insert.arg(1)).contains("last audited one"));
        QCOMPARE(m_shell->run(insert.arg(2)), "");
        QCOMPARE(m_store->readDecisions().value().routingSwitch.version, 2);
    }

    /// As the error says.
    void aPersonPutsVanishedRowsBack()
    {
        QCOMPARE(
            m_shell->run("DROP TRIGGER routing_switch_no_delete; DELETE FROM routing_switch;"
                         "DROP TRIGGER routing_settings_no_delete; DELETE FROM routing_settings"),
            "");
        const Error gone = m_store->readDecisions().error();
        QVERIFY(gone.detail.find("weirctl store migrate") != std::string::npos);
        OpenOptions options;
        options.now = kNoon;
        for (const int putBack : {2, 0}) {
            QCOMPARE(
                upgrade("sqlite:" + m_path.string(), {}, options).value().rowsPutBack, putBack);
            const Decisions decisions = m_store->readDecisions().value();
            QVERIFY(decisions.routingSwitch.mode == Mode::Fixed);
            QCOMPARE(decisions.routingSwitch.version, 2);
            QCOMPARE(decisions.settings.version, 2);
            QCOMPARE(decisions.settings.numbers, standardSettings().numbers);
        }
    }

    void missingOrSenselessRowsAreToldApartFromSilence()
    {
        QCOMPARE(
            m_shell->run("DROP TRIGGER routing_settings_no_delete; DELETE FROM routing_settings"),
            "");
        QCOMPARE(m_store->readDecisions().error().code, std::string{"settings_missing"});
        QCOMPARE(
            m_shell->run("PRAGMA ignore_check_constraints = ON; "
                         "UPDATE routing_switch SET mode = 'odd', version = 2"),
            "");
        QCOMPARE(m_store->readDecisions().error().code, std::string{"bad_row"});
        QCOMPARE(m_shell->run("DROP TABLE routing_switch"), "");
        QCOMPARE(m_store->readDecisions().error().code, std::string{"store"});
    }

private:
    QString everything()
    {
        return m_shell->rows("SELECT * FROM routing_switch") +
               m_shell->rows("SELECT * FROM routing_settings") +
               m_shell->rows("SELECT * FROM route_settings") +
               m_shell->rows("SELECT * FROM settings_audit");
    }

    std::unique_ptr<QTemporaryDir> m_dir;
    std::filesystem::path m_path;
    std::unique_ptr<Database> m_store;
    std::unique_ptr<ForeignClient> m_shell;
};

QTEST_APPLESS_MAIN(TestConstraints)
#include "tst_constraints.moc"
