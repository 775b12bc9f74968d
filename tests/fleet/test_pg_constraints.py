# SPDX-License-Identifier: Apache-2.0
"""What the database itself refuses and audits, whoever writes: plain SQL, in Postgres and in SQLite,
which must say the same."""

import re
import sqlite3
import unittest

from pg_store import FIRST_ROWS, PgStore, attempt_row, history_row, migrations
from servers import PrivatePostgres

SET = "UPDATE routing_switch SET version = version + 1, "
TUNE = "UPDATE routing_settings SET version = version + 1, "
ROUTE = "UPDATE route_settings SET version = version + 1, "
DRILL = "INSERT INTO drill (id, kind, model, provider, share_ppm, delay_ms, starts_at_ms, ends_at_ms, "
DRILL += "abort_failure_ppm, started_by, reason) VALUES "
AGENT = "INSERT INTO agent_state (agent, service, host, version, effective_mode, mode_reason, switch_version, "
AGENT += "settings_version, applied_at_ms, last_seen_at_ms, store, redis, ledger_backlog_rows) VALUES "
EVAL = "INSERT INTO eval_score (model, provider, task_type, run, eval_set, eval_set_hash, scored_at_ms, "
EVAL += "cases, unanswered, score_ppm) VALUES "
LEASE = "INSERT INTO job_lease (job, holder, token, until_ms) VALUES "
SOME_ROWS = (
    "INSERT INTO route_settings (model, provider, version, updated_by, reason) VALUES ('m', 'p', 1, "
    "'ann', 'new');"
    + f"{DRILL} ('d', 'error', 'm', 'p', 1, 0, 0, 1000, 0, 'ann', 'why');"
    + f"{LEASE} ('summary', 'a', 1, 0);"
)
# key, least, most, standard; the settings that a person changes.
RANGES = (
    ("cost_weight", 0.0, 1.0, 0.7),
    ("speed_weight", 0.0, 1.0, 0.3),
    ("slow_factor", 1.5, 20.0, 3.0),
    ("switch_margin", 0.0, 0.5, 0.05),
    ("exploration_share", 0.01, 0.15, 0.05),
    ("exploration_cap", 0.02, 0.5, 0.2),
    ("pin_seconds", 0.0, 3600.0, 300.0),
    ("max_premium", 1.0, 100.0, 1.75),
)
# What is written, and the constraint or the words by which both engines refuse it.
REFUSED = (
    ("unknown mode", SET + "mode = 'off'", "known_mode"),
    ("no reason", SET + "reason = ''", "reason_given"),
    ("blank reason", SET + "reason = '   '", "reason_given"),
    ("endless reason", SET + f"reason = '{'x' * 1001}'", "reason_given"),
    ("no writer", SET + "updated_by = ' '", "writer_named"),
    ("endless host", SET + f"updated_host = '{'x' * 257}'", "short_host"),
    ("endless uuid", SET + f"request_uuid = '{'x' * 65}'", "short_uuid"),
    ("switch: same version", "UPDATE routing_switch SET mode = 'shadow'", "must be the old version"),
    ("switch: nothing new", "UPDATE routing_switch SET mode = mode", "must be the old version"),
    ("switch: version jumps", "UPDATE routing_switch SET version = 7", "must be the old version"),
    ("switch: version back", "UPDATE routing_switch SET version = 0", "must be the old version"),
    ("switch: no version", "UPDATE routing_switch SET version = NULL", "must be the old version"),
    ("switch: time alone", "UPDATE routing_switch SET updated_at = '2020-01-01'", "updated_at"),
    ("switch: other id", SET + "id = 2", "single_row"),
    ("switch: deleted", "DELETE FROM routing_switch", "rows stay"),
    ("weights", TUNE + "cost_weight = 0.5", "weights_sum_to_1"),
    ("objective", TUNE + "objective = 'luck'", "known_objective"),
    ("settings: same version", "UPDATE routing_settings SET slow_factor = 4", "must be the old version"),
    ("settings: time alone", "UPDATE routing_settings SET updated_at = '2020-01-01'", "updated_at"),
    ("settings: deleted", "DELETE FROM routing_settings", "rows stay"),
    ("bias too low", ROUTE + "score_bias = 0.49", "score_bias_range"),
    ("bias too high", ROUTE + "score_bias = 1.51", "score_bias_range"),
    ("position 0", ROUTE + "fixed_position = 0", "fixed_position_range"),
    ("half enabled", ROUTE + "enabled = 2", "enabled_bool"),
    ("route: same version", "UPDATE route_settings SET enabled = 0", "must be the old version"),
    ("route: time alone", "UPDATE route_settings SET updated_at = '2020-01-01'", "updated_at"),
    ("route: renamed", ROUTE + "provider = 'q'", "are the key"),
    ("route: deleted", "DELETE FROM route_settings", "rows stay"),
    ("route: first version",
     "INSERT INTO route_settings (model, provider, version, updated_by, reason) VALUES ('m', 'q', 2, "
     "'ann', 'x')",
     "last audited one"),
    ("audit: changed", "UPDATE settings_audit SET who = 'nobody'", "append only"),
    ("audit: deleted", "DELETE FROM settings_audit", "append only"),
    ("drill: longer than an hour", DRILL + "('e', 'error', 'm', 'q', 1, 0, 0, 3600001, 0, 'ann', 'why')",
     "an_hour_at_most"),
    ("drill: delay of nothing", DRILL + "('e', 'delay', 'm', 'q', 1, 0, 0, 1000, 0, 'ann', 'why')", "delay_range"),
    ("drill: unknown kind", DRILL + "('e', 'flood', 'm', 'q', 1, 0, 0, 1000, 0, 'ann', 'why')", "known_kind"),
    ("drill: deleted", "DELETE FROM drill", "rows stay"),
    ("drill: longer afterwards", "UPDATE drill SET ends_at_ms = 2000", "only its end"),
    ("drill: ended without a word", "UPDATE drill SET ended_at_ms = 5", "whole_end"),
    ("drill: over before it began",
     "INSERT INTO drill (id, kind, model, provider, share_ppm, delay_ms, starts_at_ms, ends_at_ms, "
     "abort_failure_ppm, started_by, reason, ended_at_ms, end_reason, end_text, ended_by) VALUES "
     "('e', 'error', 'm', 'q', 1, 0, 0, 1000, 0, 'ann', 'why', 1, 'time', 'x', 'ann')", "has not ended"),
    ("attempt 0", attempt_row(attempt=0), "attempt_from_1"),
    ("unknown outcome", attempt_row(outcome="fine"), "known_outcome"),
    ("unknown mode of an attempt", attempt_row(mode="off"), "known_mode"),
    ("unknown reason of an attempt", attempt_row(reason="luck"), "known_reason"),
    ("unknown protocol", attempt_row(protocol="telnet"), "known_protocol"),
    ("negative cost", attempt_row(cost_micro_usd=-1), "cost_not_negative"),
    ("negative duration", attempt_row(duration_ms=-1), "duration_not_negative"),
    ("http status", attempt_row(http_status=99), "http_status_range"),
    ("level 5", attempt_row(level=5), "level_range"),
    ("half explored", attempt_row(explored=2), "explored_bool"),
    ("half a drill", attempt_row(drill=2), "drill_bool"),
    ("unknown priority", attempt_row(priority="vip"), "known_priority"),
    ("negative estimate", attempt_row(prompt_estimate=-1), "prompt_estimate_not_negative"),
    ("agent of no mode", AGENT + "('a', 's', 'h', 'v', 'off', '', 1, 1, 0, 0, 'ok', 'ok', 0)", "known_mode"),
    ("agent without a store", AGENT + "('a', 's', 'h', 'v', 'fixed', '', 1, 1, 0, 0, 'none', 'ok', 0)", "store_reach"),
    ("agent of odd redis", AGENT + "('a', 's', 'h', 'v', 'fixed', '', 1, 1, 0, 0, 'ok', 'so', 0)", "redis_reach"),
    ("score above all", EVAL + "('m', 'p', 't', 'r', 's', 'h', 0, 1, 0, 1000001)", "score_share"),
    ("score of no case", EVAL + "('m', 'p', 't', 'r', 's', 'h', 0, 0, 0, 0)", "cases_positive"),
    ("step off the beat", history_row("route_minute", 59999), "whole_step"),
    ("minute in the table of ten", history_row("route_10min", 60000), "whole_step"),
    ("lease of nobody", LEASE + "('other', '', 1, 0)", "holder_named"),
    ("lease without a token", LEASE + "('other', 'a', 0, 0)", "token_from_1"),
    ("secret in words", "INSERT INTO fleet_secret (id, secret) VALUES (1, 'open sesame')", "secret_hex"),
    ("second secret",
     f"INSERT INTO fleet_secret (id, secret) VALUES (2, '{'a1' * 32}')", "single_row"),
    ("one's uuid for another's write",
     SET + "request_uuid = 'u1'; " + TUNE + "request_uuid = 'u1'", "settings_audit_request|settings_audit.request"),
)  # fmt: skip
# What only Postgres has to refuse.
REFUSED_THERE = (
    ("null reason", SET + "reason = NULL", "23502"),
    ("no time", SET + "updated_at = 'soon'", "22007"),
    ("no finite time", SET + "updated_at = 'infinity'", "0A000|22003"),
    ("text for a number", TUNE + "slow_factor = 'fast'", "22P02"),
    ("infinite", TUNE + "slow_factor = 'infinity'", "slow_factor_range"),
    ("not a number", TUNE + "slow_factor = 'NaN'", "slow_factor_range"),
    ("switch: second row",
     "INSERT INTO routing_switch (id, mode, version, reason, updated_by) VALUES (2, 'fixed', 1, 'x', 'ann')",
     "single_row"),
    ("switch: replaced",
     "INSERT INTO routing_switch (id, mode, version, reason, updated_by) VALUES (1, 'fixed', 2, 'x', 'ann')",
     "23505"),
    ("audit: numbered by hand", "INSERT INTO settings_audit (id, who, host, table_name, row_key, "
                                "old_value, new_value, "
     "reason, version) VALUES (1, 'x', '', 't', 'k', '{}', '{}', 'r', 1)", "428C9"),
    ("lease handed on without a new token", "UPDATE job_lease SET holder = 'b'", "higher token"),
    ("lease's token back", "UPDATE job_lease SET token = 0", "higher token"),
    ("lease forgotten", "DELETE FROM job_lease", "never start again"),
    ("summary of no JSON",
     "INSERT INTO summary_snapshot (id, computed_at_ms, settings_version, json) VALUES ('s', 1, 1, '{')", "22P02"),
)  # fmt: skip
KEPT = ("routing_switch", "routing_settings", "route_settings", "settings_audit", "drill", "job_lease")


def setUpModule():
    global server
    server = PrivatePostgres()
    unittest.addModuleCleanup(server.close)


def store_with_rows(clean_up):
    store = PgStore(server)
    clean_up(store.close)
    store.psql("SELECT weir_ledger_ensure_day(1796032800000)")
    store.psql(SOME_ROWS)
    return store


class Constraints(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.store = store_with_rows(cls.addClassCleanup)

    def kept(self):
        return [self.store.psql(f"SELECT * FROM {table} ORDER BY 1") for table in KEPT]

    def test_both_engines_refuse_the_same(self):
        file = sqlite3.connect(":memory:", isolation_level=None)
        self.addCleanup(file.close)
        file.executescript("".join(migrations("sqlite").values()) + FIRST_ROWS + SOME_ROWS)
        before = self.kept()
        for what, sql, complaint in REFUSED:
            with self.subTest(what):
                self.assertRegex(self.store.refusal(sql), complaint)
                with self.assertRaisesRegex(sqlite3.IntegrityError, complaint):
                    file.execute("BEGIN")
                    for each in sql.split("; "):
                        file.execute(each)
                if file.in_transaction:
                    file.execute("ROLLBACK")
        self.assertEqual(self.kept(), before)

    def test_postgres_refuses_what_it_alone_could_take(self):
        before = self.kept()
        for what, sql, complaint in REFUSED_THERE:
            with self.subTest(what):
                self.assertRegex(self.store.refusal(sql), complaint)
        self.assertEqual(self.kept(), before)

    def test_no_table_can_be_emptied_in_one_stroke(self):
        for table in self.store.psql(
            "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND relname <> 'schema_version' "
            "AND relnamespace = 'public'::regnamespace"
        ).splitlines():
            with self.subTest(table):
                self.assertRegex(self.store.refusal(f"TRUNCATE {table} CASCADE"), "23000")

    def test_a_broken_rule_is_told_like_a_constraint(self):
        said = self.store.refusal("DELETE FROM routing_switch")
        self.assertIn("23000", said)
        self.assertRegex(said, r"CONSTRAINT NAME: +routing_switch_no_delete")
        self.assertRegex(said, r"TABLE NAME: +routing_switch")

    def test_every_setting_has_its_range_and_both_ends(self):
        for key, least, most, standard in RANGES:
            for value in (least - 1e-6, most + 1e-6):
                with self.subTest(key=key, value=value):
                    said = self.store.refusal(f"{TUNE} {key} = {value!r}")
                    self.assertIn(f"{key}_range", said)
            for value in (least, most, standard):
                other = {"cost_weight": "speed_weight", "speed_weight": "cost_weight"}.get(key)
                also = f", {other} = 1 - ({value!r})" if other else ""
                with self.subTest(key=key, value=value):
                    self.assertEqual(self.store.refusal(f"{TUNE} {key} = {value!r}{also}"), "")
                    self.assertEqual(float(self.store.psql(f"SELECT {key} FROM routing_settings")), value)


class Audit(unittest.TestCase):
    def setUp(self):
        self.store = store_with_rows(self.addCleanup)

    def newest(self):
        return self.store.rows("SELECT * FROM settings_audit ORDER BY id DESC LIMIT 1")[0]

    def test_a_change_by_hand_is_audited_once_with_who_and_what(self):
        self.store.psql("CREATE ROLE hand LOGIN; GRANT weir_operator TO hand")
        self.addCleanup(self.store.psql, "DROP ROLE hand")
        count = self.store.psql("SELECT count(*) FROM settings_audit")
        self.store.psql(SET + "mode = 'adaptive', reason = 'by hand', updated_by = 'bob', updated_host = "
                              "'h'", user="hand")
        self.assertEqual(self.store.psql("SELECT count(*) FROM settings_audit"), str(int(count) + 1))
        entry = self.newest()
        told = {key: entry[key] for key in ("who", "host", "table_name", "row_key", "reason", "version", "db_user")}
        self.assertEqual(
            told,
            {"who": "bob", "host": "h", "table_name": "routing_switch", "row_key": "1", "reason": "by hand",
             "version": 2, "db_user": "hand"},
        )  # fmt: skip
        self.assertEqual((entry["old_value"]["mode"], entry["new_value"]["mode"]), ("fixed", "adaptive"))
        # The writer left the time alone, so the database set it, once for the row and the audit.
        self.assertEqual(
            self.store.psql("SELECT to_char(updated_at AT TIME ZONE 'UTC', "
                            "'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"'), "
                            "updated_at > now() - interval '1 minute', "
                            "updated_at_ms = round(extract(epoch FROM updated_at) * 1000) FROM "
                            "routing_switch"),
            entry["new_value"]["updated_at"] + "|t|t",
        )  # fmt: skip
        self.assertNotEqual(entry["new_value"]["updated_at"], entry["old_value"]["updated_at"])

    def test_a_time_that_the_writer_gives_is_kept(self):
        self.store.psql(SET + "updated_at = '2026-11-30T10:00:00.123Z'")
        self.assertEqual(self.store.psql("SELECT updated_at_ms FROM routing_switch"), "1796032800123")
        self.assertEqual(self.newest()["new_value"]["updated_at"], "2026-11-30T10:00:00.123Z")

    def test_every_kind_of_row_is_audited(self):
        self.store.psql(TUNE + "pin_seconds = 60, reason = 'r'; " + ROUTE + "enabled = 0, reason = 'r2'")
        self.store.psql("UPDATE drill SET ended_at_ms = 5, end_reason = 'stopped', end_text = 'enough', "
                        "ended_by = 'bob'")
        told = self.store.psql(
            "SELECT table_name, row_key, version, who, reason, old_value ->> 'pin_seconds', new_value ->> "
            "'pin_seconds', "
            "new_value ->> 'enabled', new_value ->> 'ended_at' FROM settings_audit ORDER BY id"
        )
        self.assertEqual(
            told.splitlines(),
            [
                "routing_switch|1|1|agent|first||||",
                "routing_settings|1|1|agent|first||300||",
                "route_settings|m/p|1|ann|new|||1|",
                "drill|d|1|ann|why||||",
                "routing_settings|1|2|agent|r|300|60||",
                "route_settings|m/p|2|ann|r2|||0|",
                "drill|d|2|bob|enough||||1970-01-01T00:00:00.005Z",
            ],
        )

    def test_a_request_is_written_once(self):
        self.store.psql(SET + "mode = 'shadow', request_uuid = 'u1'")
        self.assertEqual(self.newest()["request_uuid"], "u1")
        self.store.psql(SET + "mode = 'fixed', request_uuid = 'u2'")
        self.assertIn("settings_audit_request", self.store.refusal(SET + "mode = 'shadow', request_uuid = "
                                                                         "'u1'"))
        # A shell leaves the column as it was: that is no repetition.
        self.store.psql(SET + "mode = 'shadow'")
        self.assertIsNone(self.newest()["request_uuid"])

    def test_nobody_is_stopped_by_a_search_path_of_his_own(self):
        self.store.psql("CREATE SCHEMA evil; CREATE TABLE evil.settings_audit (who text)")
        self.store.psql("SET search_path = evil, pg_temp; " + SET.replace("routing_switch", "public.routing_switch")
                        + "mode = 'shadow'")  # fmt: skip
        self.assertEqual(self.newest()["new_value"]["mode"], "shadow")
        self.assertEqual(self.store.psql("SELECT count(*) FROM evil.settings_audit"), "0")

    def test_a_vanished_row_goes_on_where_the_audit_ends(self):
        self.store.psql(SET + "mode = 'shadow'")
        self.store.psql("ALTER TABLE routing_switch DISABLE TRIGGER routing_switch_no_delete; "
                        "DELETE FROM routing_switch; "
                        "ALTER TABLE routing_switch ENABLE TRIGGER routing_switch_no_delete")  # fmt: skip
        insert = "INSERT INTO routing_switch (id, mode, version, reason, updated_by) VALUES (1, 'fixed', {}, 'x', 'ann')"
        self.assertIn("last audited one", self.store.refusal(insert.format(1)))
        self.assertEqual(self.store.refusal(insert.format(3)), "")


class Mirror(unittest.TestCase):
    """resources/sql/postgres says what resources/sql/sqlite says."""

    # Types there, or without a meaning there; and what only the other engine needs.
    GONE = {"a_time", "old_json", "new_json", "whole_json"}
    MORE_COLUMNS = {("call_ledger", "row"), ("call_ledger", "xact"), ("settings_audit", "db_user")}
    MORE_TABLES = {"route_6h_settled", "ledger_total", "ledger_counted"}

    @classmethod
    def setUpClass(cls):
        cls.store = store_with_rows(cls.addClassCleanup)

    def test_the_same_tables_and_columns(self):
        file = sqlite3.connect(":memory:")
        self.addCleanup(file.close)
        file.executescript("".join(migrations("sqlite").values()))
        ours = {
            (table, column)
            for (table,) in file.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name "
                                         "NOT LIKE 'sqlite%'")
            for _, column, *_ in file.execute(f"PRAGMA table_xinfo({table})")
        }
        theirs = {
            tuple(line.split("|"))
            for line in self.store.psql(
                "SELECT c.relname, a.attname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid "
                "WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT "
                "c.relispartition "
                "AND a.attnum > 0 AND NOT a.attisdropped AND c.relname <> 'schema_version'"
            ).splitlines()
        }
        theirs = {each for each in theirs if each[0] not in self.MORE_TABLES}
        self.assertEqual(theirs - self.MORE_COLUMNS, ours)

    def test_the_same_constraints_and_indexes(self):
        ours = set(re.findall(r"CONSTRAINT (\w+)", "".join(migrations("sqlite").values()))) - self.GONE
        theirs = set(self.store.psql("SELECT DISTINCT conname FROM pg_constraint").splitlines())
        self.assertEqual(ours - theirs, set())
        indexes = set(re.findall(r"INDEX (\w+)", "".join(migrations("sqlite").values())))
        self.assertEqual(indexes - set(self.store.psql("SELECT relname FROM pg_class").splitlines()), set())


if __name__ == "__main__":
    unittest.main()
