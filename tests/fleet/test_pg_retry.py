# SPDX-License-Identifier: Apache-2.0
"""What an agent's writes meet in Postgres: deadlocks and serialisation failures, after which the whole
batch is tried again; and a database that is read but does not take them. Every attempt stands in the
ledger and in the history once, and a person is told what keeps it out."""

import unittest

from fleet import Fleet
from pg_store import Session
from weir_harness import wait_until

CALLS = 5


class Retry(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.fleet = Fleet(agents=1)
        cls.addClassCleanup(cls.fleet.close)
        cls.server = cls.fleet.postgres
        cls.agent = cls.fleet.agents[0]
        cls.asked = 0

    def setUp(self):
        self.ask()
        self.await_books()

    def session(self):
        session = Session(self.server, self.server.url())
        self.addCleanup(session.close)
        return session

    def ask(self):
        for _ in range(CALLS):
            self.assertEqual(self.agent.chat("m").status, 200)
        type(self).asked += CALLS

    def books(self):
        """Attempts in the ledger, and in the history's three steps."""
        told = self.server.psql(
            "SELECT (SELECT count(*) FROM call_ledger), (SELECT sum(calls) FROM route_10s), "
            "(SELECT sum(calls) FROM route_minute), (SELECT sum(calls) FROM route_10min)"
        )
        return [int(cell or 0) for cell in told.split("|")]

    def await_books(self):
        wait_until(lambda: self.books() == [self.asked] * 4, f"{self.asked} attempts in the books")

    def waits(self):
        """Whether the agent waits for a lock."""
        return self.server.psql(
            "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'weir%' AND "
            "wait_event_type = 'Lock'"
        ) != "0"  # fmt: skip

    def test_a_deadlock(self):
        other = self.session()
        # The agent writes the short steps first; the other one begins at the long ones.
        other.run("BEGIN; SELECT 1 FROM route_10min FOR UPDATE")
        self.ask()
        wait_until(self.waits, "the agent to wait")
        self.assertNotIn("ERROR", other.run("UPDATE route_10s SET pinned = pinned; UPDATE route_minute "
                                            "SET pinned = pinned"))
        other.run("COMMIT")
        self.await_books()
        found = self.server.psql("SELECT deadlocks FROM pg_stat_database WHERE datname = 'weir'")
        self.assertGreater(int(found), 0)

    def connect_again(self):
        self.agent.cut_off("cut", "postgres")
        self.agent.cut_off("relay", "postgres")
        self.fleet.await_reach(redis=None)

    def test_a_serialisation_failure(self):
        self.server.psql("ALTER DATABASE weir SET default_transaction_isolation = 'serializable'")
        self.addCleanup(self.connect_again)
        self.addCleanup(self.server.psql, "ALTER DATABASE weir RESET default_transaction_isolation")
        self.connect_again()
        other = self.session()
        other.run("BEGIN; UPDATE spool_position SET segment = segment")
        self.ask()
        wait_until(self.waits, "the agent to wait")
        other.run("COMMIT")
        self.await_books()
        self.assertIn("could not serialize access", (self.server.folder / "log").read_text())

    def alerts(self):
        return {alert["kind"]: alert["text"] for alert in self.agent.status()["alerts"]}

    def test_a_person_is_told_what_the_database_does_not_take(self):
        user = self.agent.user
        lock = self.session()
        cases = (
            ("read only", "ALTER DATABASE weir SET default_transaction_read_only = on",
             "ALTER DATABASE weir RESET default_transaction_read_only",
             {"store_heartbeat": "read-only", "store_ledger": "read-only", "store_election": "read-only"}),
            ("a rule of somebody's, and renamed",
             "ALTER TABLE call_ledger ADD CONSTRAINT odd CHECK (attempt > 9) NOT VALID; "
             "ALTER TABLE agent_state RENAME TO agents",
             "ALTER TABLE call_ledger DROP CONSTRAINT odd; ALTER TABLE agents RENAME TO agent_state",
             {"store_ledger": '"odd"', "store_heartbeat": '"agent_state" does not exist'}),
            ("revoked, and locked",
             "REVOKE INSERT ON call_ledger, summary_snapshot FROM weir_agent; BEGIN; LOCK TABLE agent_state",
             "COMMIT; SELECT weir_grant_roles()",
             {"store_ledger": "permission denied for table call_ledger", "store_heartbeat": "lock timeout",
              "store_summary": "permission denied for table summary_snapshot"}),
            ("connections", f"ALTER ROLE {user} CONNECTION LIMIT 2", f"ALTER ROLE {user} CONNECTION LIMIT -1", {}),
        )  # fmt: skip
        for what, change, undo, wanted in cases:
            with self.subTest(what):
                self.assertNotIn("ERROR", lock.run(change))
                if what in ("read only", "connections"):
                    self.connect_again()
                self.ask()

                def told(wanted=wanted):
                    said = self.alerts()
                    if not wanted:
                        return any("too many connections" in text for text in said.values())
                    return all(words in said.get(kind, "") for kind, words in wanted.items())

                try:
                    wait_until(told, f"{what}: to be told")
                finally:
                    self.assertNotIn("ERROR", lock.run(undo))
                    if what == "read only":
                        self.connect_again()
                self.await_books()
                wait_until(lambda: not self.alerts(), "the alerts to end")

    def test_what_waits_is_counted_while_the_database_hangs(self):
        self.server.pause()
        self.addCleanup(self.server.resume)
        self.ask()
        wait_until(lambda: self.agent.status()["ledger_backlog_rows"] == CALLS, "the rows to be counted", 10)
        self.server.resume()
        self.await_books()
        wait_until(lambda: self.agent.status()["ledger_backlog_rows"] == 0, "nothing to wait any more")

    def test_rows_that_are_refused_are_told_of(self):
        """A row that breaks a rule of Weir's own would stand in the way of all for ever."""
        rule = self.server.psql("SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = 'known_reason' "
                                "AND conrelid = 'call_ledger'::regclass")  # fmt: skip
        change = "ALTER TABLE call_ledger DROP CONSTRAINT known_reason, ADD CONSTRAINT known_reason {} NOT VALID"
        self.server.psql(change.format("CHECK (attempt > 9)"))
        self.ask()
        wait_until(lambda: f"{CALLS} rows" in self.alerts().get("ledger_refused", ""), "the refused rows to be told of")
        self.server.psql(change.format(rule))
        self.assertEqual(self.agent.metrics()["weir_ledger_lost_rows_total"], CALLS)
        type(self).asked -= CALLS
        self.ask()
        self.await_books()


if __name__ == "__main__":
    unittest.main()
