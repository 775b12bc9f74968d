# SPDX-License-Identifier: Apache-2.0
"""What an agent's batch for the ledger meets in Postgres: deadlocks and serialisation failures. The whole
batch is tried again, and every attempt stands in the ledger and in the history once."""

import unittest

from fleet import Fleet
from pg_store import Session
from weir_harness import wait_until

CALLS = 5


class Retry(unittest.TestCase):
    def setUp(self):
        self.fleet = Fleet(agents=1)
        self.addCleanup(self.fleet.close)
        self.server = self.fleet.postgres
        self.agent = self.fleet.agents[0]
        self.asked = 0
        self.ask()
        self.await_books()

    def session(self):
        session = Session(self.server, self.server.url())
        self.addCleanup(session.close)
        return session

    def ask(self):
        for _ in range(CALLS):
            self.assertEqual(self.agent.chat("m").status, 200)
        self.asked += CALLS

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

    def test_a_serialisation_failure(self):
        self.server.psql("ALTER DATABASE weir SET default_transaction_isolation = 'serializable'")
        self.agent.cut_off("cut", "postgres")
        self.agent.cut_off("relay", "postgres")
        self.fleet.await_reach(redis=None)
        other = self.session()
        other.run("BEGIN; UPDATE spool_position SET segment = segment")
        self.ask()
        wait_until(self.waits, "the agent to wait")
        other.run("COMMIT")
        self.await_books()
        self.assertIn("could not serialize access", (self.server.folder / "log").read_text())


if __name__ == "__main__":
    unittest.main()
