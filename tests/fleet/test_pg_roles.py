# SPDX-License-Identifier: Apache-2.0
"""Who may do what in the fleet's Postgres: every role tries every verb on every table."""

import json
import subprocess
import unittest

import weir_harness as weir
from pg_store import PgStore, attempt_row
from servers import PrivatePostgres
from weir_harness import wait_until

ROLES = ("viewer", "operator", "engineer", "agent")
VERBS = ("select", "insert", "update", "delete", "truncate")
# Each role's verbs by their first letters; what stands nowhere is forbidden. A secret is read by agents alone.
MAY = """
                    viewer  operator  engineer  agent
schema_version      s       s         s         s
routing_switch      s       su        su        s
routing_settings    s       s         su        s
route_settings      s       s         siu       s
settings_audit      s       s         s         s
call_ledger         s       s         s         si
unserved_request    s       s         s         si
spool_position      s       s         s         siu
route_10s           s       s         s         siu
route_minute        s       s         s         siu
route_10min         s       s         s         siu
agent_state         s       sd        sd        siud
summary_snapshot    s       s         s         sid
gate_state          s       s         s         siu
incident            s       s         s         siu
incident_event      s       s         s         sid
incident_note       s       siu       siu       s
eval_run            s       s         si        s
eval_score          s       s         siu       s
drill               s       siu       siu       su
drill_count         s       s         s         siu
mirror_comparison   s       s         s         si
job_lease           s       s         s         siu
fleet_report        s       s         s         siu
fleet_secret        -       -         -         si
route_6h_settled    s       s         s         s
ledger_total        s       s         s         s
ledger_counted      s       s         s         s
"""
FUNCTIONS = {
    "weir_ledger_ensure_day(0)": {"agent"},
    "weir_ledger_maintain(0, 30)": {"agent"},
    "weir_forget('route_10s', 'started_at_ms', 3, 1)": set(),
    "weir_history_settle('route_10s', 3, 1)": set(),
    "weir_ledger_count()": set(),
    "weir_ledger_settle()": {"agent"},
    "weir_ledger_totals(0, 1, '', '', '', '')": set(ROLES),
    "weir_roles_trouble()": set(ROLES),
    "count(*) FROM route_6h": set(ROLES),
}
# Says how a statement ended, and undoes it.
TRY = """
CREATE FUNCTION try_as(who text, words text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    code text := 'done';
BEGIN
    BEGIN
        EXECUTE format('SET LOCAL ROLE %I', who);
        EXECUTE words;
        RAISE EXCEPTION 'undone' USING ERRCODE = 'WEIR0';
    EXCEPTION
        WHEN SQLSTATE 'WEIR0' THEN NULL;
        WHEN OTHERS THEN code := SQLSTATE;
    END;
    RESET ROLE;
    RETURN code;
END $$;
"""
FORBIDDEN = "42501"


def statement(verb, table, column):
    return {
        "select": f"SELECT FROM {table}",
        "insert": f"INSERT INTO {table} DEFAULT VALUES",
        "update": f"UPDATE {table} SET {column} = {column} WHERE false",
        "delete": f"DELETE FROM {table} WHERE false",
        "truncate": f"TRUNCATE {table}",
    }[verb]


def setUpModule():
    global server
    server = PrivatePostgres()
    unittest.addModuleCleanup(server.close)


class Roles(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.store = PgStore(server)
        cls.addClassCleanup(cls.store.close)
        cls.store.psql(TRY)

    def ends(self, attempts):
        """How each (role, statement) ended: a dictionary."""
        values = ", ".join(f"('weir_{who}', $q${words}$q$)" for who, words in attempts)
        told = self.store.psql(f"SELECT try_as(who, words) FROM (VALUES {values}) AS each (who, words)")
        return dict(zip(attempts, told.splitlines(), strict=True))

    def test_every_verb_on_every_table(self):
        columns = dict(
            line.split("|")
            for line in self.store.psql(
                "SELECT DISTINCT ON (c.relname) c.relname, quote_ident(a.attname) FROM pg_class c "
                "JOIN pg_attribute a ON a.attrelid = c.oid WHERE c.relnamespace = 'public'::regnamespace "
                "AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attnum > 0 AND a.attgenerated "
                "= '' "
                "AND a.attidentity = '' ORDER BY c.relname, a.attnum"
            ).splitlines()
        )
        lines = [line.split() for line in MAY.strip().splitlines()]
        self.assertEqual(tuple(lines[0]), ROLES)
        self.assertEqual({line[0] for line in lines[1:]}, set(columns), "a table is missing here")
        wanted = {
            (who, statement(verb, table, columns[table])): verb[0] in verbs
            for table, *cells in lines[1:]
            for who, verbs in zip(ROLES, cells, strict=True)
            for verb in VERBS
        }
        for (who, words), end in self.ends(list(wanted)).items():
            with self.subTest(who=who, words=words):
                self.assertEqual(end != FORBIDDEN, wanted[who, words], end)

    def test_every_function(self):
        wanted = {(who, f"SELECT {call}"): who in may for call, may in FUNCTIONS.items() for who in ROLES}
        for (who, words), end in self.ends(list(wanted)).items():
            with self.subTest(who=who, words=words):
                self.assertEqual(end, "done" if wanted[who, words] else FORBIDDEN)

    def test_nobody_borrows_the_owners_rights(self):
        """The audit's functions write with the owner's rights: nobody hangs them on a table of his own."""
        self.store.psql("CREATE SCHEMA den; GRANT ALL ON SCHEMA den TO weir_engineer")
        for function in ("weir_audit('weir_switch')", "weir_audit_drill()", "weir_audit_note()"):
            said = self.store.refusal(
                "SET ROLE weir_engineer; CREATE TABLE IF NOT EXISTS den.bait (LIKE public.routing_switch); "
                f"CREATE TRIGGER t AFTER INSERT ON den.bait FOR EACH ROW EXECUTE FUNCTION public.{function}"
            )
            self.assertIn(FORBIDDEN, said)

    def test_what_each_may_do_really_works(self):
        for who in ROLES:
            self.store.psql(f"CREATE ROLE u_{who} LOGIN; GRANT weir_{who} TO u_{who}")
        self.store.psql(
            "UPDATE routing_switch SET mode = 'shadow', version = 2, reason = 'r', updated_by = 'ann'; "
            "INSERT INTO drill (id, kind, model, provider, share_ppm, delay_ms, starts_at_ms, ends_at_ms, "
            "abort_failure_ppm, started_by, reason) VALUES ('d', 'error', 'm', 'p', 1, 0, 0, 1000, 0, "
            "'ann', 'why')",
            user="u_operator",
        )
        self.store.psql(
            "UPDATE routing_settings SET pin_seconds = 60, version = 2, reason = 'r', updated_by = 'eve'; "
            "INSERT INTO route_settings (model, provider, version, updated_by, reason) VALUES ('m', 'p', "
            "1, 'eve', 'r')",
            user="u_engineer",
        )
        self.store.psql(
            "SELECT weir_ledger_ensure_day(1796032800000); "
            + attempt_row()
            + " ON CONFLICT (request_id, attempt, started_at_ms) DO NOTHING; SELECT "
              "weir_ledger_maintain(2, 400); "
            "UPDATE drill SET ended_at_ms = 5, end_reason = 'time', end_text = 'over', ended_by = 'agent'",
            user="u_agent",
        )
        self.assertEqual(self.store.psql("SELECT count(*) FROM call_ledger", user="u_viewer"), "1")
        told = self.store.psql("SELECT db_user, table_name, version FROM settings_audit WHERE id > 2 "
                               "ORDER BY id")
        self.assertEqual(
            told.splitlines(),
            ["u_operator|routing_switch|2", "u_operator|drill|1", "u_engineer|routing_settings|2",
             "u_engineer|route_settings|1", "u_agent|drill|2"],
        )  # fmt: skip
        # What privileges allow, the rules still judge.
        self.assertIn("it has ended", self.store.refusal("UPDATE drill SET ended_at_ms = 9", user="u_agent"))

    def test_many_grant_at_once(self):
        """As many who call weirctl store migrate do."""
        sessions = [self.store.session() for _ in range(6)]
        for session in sessions:
            self.addCleanup(session.close)
        for _ in range(5):
            for session in sessions:
                session.send("SELECT weir_grant_roles()")
            self.assertEqual({session.answer() for session in sessions}, {""})


class PoorOwner(unittest.TestCase):
    """Whoever migrates may own the database and yet make no roles."""

    def setUp(self):
        self.addCleanup(self.make_bare)
        self.make_bare()
        server.psql("CREATE ROLE poor LOGIN", database="postgres")

    def make_bare(self):
        """As a server is on which no Weir ever was."""
        everything = "SELECT datname FROM pg_database WHERE NOT datistemplate AND datname NOT IN ('postgres', 'weir')"
        for name in server.psql(everything, database="postgres").splitlines():
            server.psql(f"DROP DATABASE {name} WITH (FORCE)", database="postgres")
        server.psql("DROP ROLE IF EXISTS poor, weir_viewer, weir_operator, weir_engineer, weir_agent", database="postgres")
        PgStore.forget(server)

    def store(self, **options):
        store = PgStore(server, **options)
        self.addCleanup(store.close)
        return store

    def test_it_is_said_and_mended(self):
        store = self.store(owner="poor")
        self.assertIn("WARNING:  roles: no role weir_viewer, weir_operator, weir_engineer, weir_agent", store.said)
        self.assertIn("SELECT weir_grant_roles()", store.said)
        # Weir works without: one user owns everything.
        self.assertEqual(store.psql("SELECT mode FROM routing_switch", user="poor"), "fixed")
        missing = "no role weir_viewer, weir_operator, weir_engineer, weir_agent"
        self.assertEqual(store.psql("SELECT weir_roles_trouble()", user="poor"), missing)
        # An administrator makes the roles, and the owner then grants.
        for who in ROLES:
            store.psql(f"CREATE ROLE weir_{who}")
        self.assertEqual(
            store.psql("SELECT weir_roles_trouble()"),
            "nothing granted to weir_viewer, weir_operator, weir_engineer, weir_agent",
        )
        self.assertEqual(store.psql("SELECT weir_grant_roles()", user="poor"), "")
        self.assertEqual(store.psql("SELECT weir_roles_trouble()", user="poor"), "")

    def test_an_agent_says_it_and_weirctl_mends_it(self):
        server.psql("CREATE DATABASE plain OWNER poor", database="postgres")
        config = weir.Config()
        config.sections["store"] = {"url": server.url(user="poor", database="plain")}
        with weir.World() as world:
            agent = world.agent(config.provider("p", 9).model("m", ["p"]))
            wait_until(lambda: agent.status()["store"] == "ok", "the store")
            said = agent.process.output()
        self.assertIn('event=store_roles detail="no role weir_viewer, weir_operator', said)
        words = [weir.BIN_DIR / "weirctl", "store", "migrate", "--json", "--store"]
        for user, trouble in (("poor", "no role weir_viewer, weir_operator, weir_engineer, weir_agent"), ("postgres", "")):
            told = subprocess.run(
                [*words, server.url(user=user, database="plain")],
                capture_output=True,
                timeout=weir.PATIENCE_S,
                check=True,
            )
            self.assertEqual(json.loads(told.stdout)["roles"], trouble)

    def test_an_administrator_mends_it_at_one_stroke(self):
        store = self.store(owner="poor")
        self.assertEqual(store.psql("SELECT weir_grant_roles()"), "")
        self.assertEqual(store.psql("SET ROLE weir_viewer; SELECT mode FROM routing_switch"), "fixed")

    def test_a_guest_in_a_schema_of_its_own_can_migrate(self):
        store = self.store()
        store.psql("CREATE SCHEMA guest AUTHORIZATION poor")
        self.assertEqual(store.migrate("guest", owner="poor"), "")
        self.assertEqual(store.psql("SET ROLE weir_viewer; SELECT mode FROM guest.routing_switch"), "fixed")

    def test_stores_share_the_roles_of_their_cluster(self):
        first = self.store()
        second = self.store()
        self.assertEqual(first.said + second.said, "")
        # And a database: each store in a schema of its own.
        first.migrate("blue")
        self.assertEqual(first.psql("SELECT blue.weir_roles_trouble()"), "")
        first.psql("UPDATE blue.routing_switch SET mode = 'shadow', version = 2")
        self.assertEqual(first.psql("SELECT count(*) FROM blue.settings_audit"), "3")
        self.assertEqual(first.psql("SELECT count(*) FROM settings_audit"), "2")
        first.psql("SELECT blue.weir_ledger_ensure_day(0)")
        self.assertEqual(
            first.psql("SELECT relnamespace::regnamespace FROM pg_class WHERE relname = "
                       "'call_ledger_19700101'"), "blue"
        )
        self.assertEqual(first.psql("SELECT name FROM blue.weir_ledger_maintain(2, 30)"), "call_ledger_19700101")


if __name__ == "__main__":
    unittest.main()
