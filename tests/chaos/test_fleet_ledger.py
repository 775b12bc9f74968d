# SPDX-License-Identifier: Apache-2.0
"""The ledger of a busy fleet: somebody else locks the same rows the other way round, commits take
long, a row is refused, connections are scarce. Nothing is lost or doubled, nobody waits."""

import subprocess
import threading
import time
import unittest

from fleet import QUICK, Fleet
from fleet_books import Books
from fleet_load import Load
from servers import ServerError
from weir_harness import wait_until

SWITCH_S = 5.0
# Two transactions lock the steps of the history in one order, this one in the other.
BACKWARDS = (
    "BEGIN; SELECT 1 FROM route_10s ORDER BY agent DESC, model DESC FOR UPDATE; "
    "SELECT pg_sleep(0.05); SELECT 1 FROM route_10min ORDER BY agent DESC FOR UPDATE; "
    "SELECT 1 FROM route_10s ORDER BY agent FOR UPDATE; SELECT 1 FROM spool_position ORDER BY agent "
    "DESC FOR UPDATE; COMMIT"
)
# Each batch of rows takes so long to go in.
SLOW_COMMITS = """
CREATE FUNCTION take_long() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_sleep(1.5); RETURN NULL; END $$;
CREATE TRIGGER take_long AFTER INSERT ON {table} FOR EACH STATEMENT EXECUTE FUNCTION take_long();
"""


class Ledger(unittest.TestCase):
    def setUp(self):
        self.fleet = Fleet(agents=3, scripts=({**QUICK, "status": 503, "fault_share": 0.1}, QUICK))
        self.addCleanup(self.fleet.close)
        self.fleet.turn("adaptive")

    def check_books(self, load):
        self.assertEqual(load.failures(), [])
        books = Books(self.fleet, load)
        print(books.story())
        self.assertEqual(books.faults(), [])
        sums = self.fleet.postgres.rows(
            "SELECT sum(calls)::bigint AS calls, sum(cost_micro_usd)::bigint AS cost FROM route_10s"
        )[0]
        self.assertEqual((sums["calls"], sums["cost"]), (len(books.rows), books.cost), "the history")

    def test_deadlocks_and_bad_neighbours_cost_no_row(self):
        """B103. Whole batches are tried again; the database counts real deadlocks meanwhile."""
        stop = threading.Event()

        def lock():
            while not stop.is_set():
                try:
                    self.fleet.postgres.psql("SET deadlock_timeout = '100ms'; " + BACKWARDS)
                except (ServerError, subprocess.TimeoutExpired):
                    pass  # This time it was this one that was chosen.

        def deadlocks():
            return int(
                self.fleet.postgres.psql(
                    "SELECT deadlocks FROM pg_stat_database WHERE datname = 'weir'"
                )
            )

        self.fleet.postgres.psql("ALTER SYSTEM SET deadlock_timeout = '100ms'")
        self.fleet.postgres.psql("SELECT pg_reload_conf()")
        lockers = [threading.Thread(target=lock) for _ in range(3)]
        with Load(self.fleet, rps=30) as load:
            for locker in lockers:
                locker.start()
            try:
                wait_until(lambda: deadlocks() >= 3, "three deadlocks", 60)
                load.await_calls(100)
            finally:
                stop.set()
                for locker in lockers:
                    locker.join()
        print(f"{deadlocks()} deadlocks")
        self.check_books(load)

    def test_slow_commits_and_scarce_connections_are_nobodys_wait(self):
        """B104. Commits take a second and a half, and every connection but the fleet's own is taken;
        requests and the switch do not notice, and what waits goes in later."""
        postgres = self.fleet.postgres
        postgres.psql(SLOW_COMMITS.format(table="call_ledger"))
        for agent in self.fleet.agents:
            # Control, ledger, learning, and one to come back by.
            postgres.psql(f"ALTER ROLE {agent.user} CONNECTION LIMIT 4")
        with Load(self.fleet, rps=60, threads=8) as load:
            load.await_calls(120)

            def waiting():
                answered = sum(call.attempts for call in load.since())
                return answered - int(postgres.psql("SELECT count(*) FROM call_ledger")) > 30

            wait_until(waiting, "rows to wait")
            for mode in ("fixed", "adaptive"):
                began = time.monotonic()
                self.fleet.set_mode(mode)
                self.fleet.await_modes(mode, patience_s=SWITCH_S)
                print(f"{mode} after {time.monotonic() - began:.2f} s with commits of 1.5 s")
            load.await_calls(120)
            times = [call.ended - call.began for call in load.since() if call.is_good]
            self.assertLess(sorted(times)[len(times) // 2], 0.5)
            postgres.psql("DROP TRIGGER take_long ON call_ledger")
        self.check_books(load)

    def test_a_row_that_the_database_will_not_take_is_alone(self):
        """One provider's rows break a rule of Weir's own for a while: the others go in, the refused ones
        are counted, and nothing stands still behind them."""
        postgres = self.fleet.postgres
        postgres.psql("ALTER TABLE call_ledger DROP CONSTRAINT known_reason, "
                      "ADD CONSTRAINT known_reason CHECK (provider <> 'p1') NOT VALID")  # fmt: skip
        with Load(self.fleet, rps=30) as load:
            load.await_calls(90)

            def others():
                rows = self.fleet.call_ledger(columns="DISTINCT provider")
                return "p2" in {row["provider"] for row in rows}

            wait_until(others, "rows of the other provider")
            self.fleet.await_drained()
            postgres.psql("ALTER TABLE call_ledger DROP CONSTRAINT known_reason")
            mark = load.mark()
            load.await_calls(60)
        self.assertEqual(load.failures(), [])
        self.fleet.await_drained()
        wanted = {call.request_id for call in load.since(mark) if call.is_good}

        def is_whole():
            rows = self.fleet.call_ledger(columns="DISTINCT request_id")
            return wanted <= {row["request_id"] for row in rows}

        wait_until(is_whole, "every later call in the ledger")
        lost = sum(a.metrics().get("weir_ledger_lost_rows_total", 0) for a in self.fleet.agents)
        self.assertGreater(lost, 0, "what was refused is counted where people look")


if __name__ == "__main__":
    unittest.main()
