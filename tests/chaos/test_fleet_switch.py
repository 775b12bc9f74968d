# SPDX-License-Identifier: Apache-2.0
"""The off switch of a fleet: from the row to every agent, through whatever is broken."""

import statistics
import threading
import time
import unittest

from fleet import TIMING, Fleet
from fleet_load import Load
from weir_harness import wait_until

BOUND_S = 5.0
GRACE_S = TIMING["settings_grace_s"]
# Between the end of the grace time and an answer that says so: a poll, and a busy machine.
MARGIN_S = 3.0
BY_HAND = (
    "UPDATE routing_switch SET mode = '{mode}', version = version + 1, reason = 'by hand', "
    "updated_by = 'psql', request_uuid = ''"
)


class Switch(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # Production's poll; what is quicker than that was told.
        cls.fleet = Fleet(agents=3, settings_poll_s=2.0)
        cls.addClassCleanup(cls.fleet.close)
        cls.load = Load(cls.fleet, rps=9, threads=3)
        cls.addClassCleanup(cls.load.stop)
        cls.load.__enter__()
        cls.fleet.turn("adaptive")

    def tearDown(self):
        self.fleet.redis.resume()
        self.fleet.redis.start()
        for agent in self.fleet.agents:
            agent.cut_off("relay")
        self.fleet.await_modes("adaptive")
        self.assertEqual(self.load.failures(), [])

    def version(self):
        return int(self.fleet.postgres.psql("SELECT version FROM routing_switch"))

    def flip(self, mode, turn):
        """Turns the switch, and returns for each agent the seconds until it runs in that mode, counted
        from before the program that changes the row was started."""
        seen = {}

        def watch(agent):
            def obeys():
                now = time.monotonic()
                if agent.status()["effective_mode"] == mode:
                    return now

            seen[agent.number] = wait_until(obeys, f"agent {agent.number} to run {mode}")

        watchers = [threading.Thread(target=watch, args=(agent,)) for agent in self.fleet.agents]
        for watcher in watchers:
            watcher.start()
        began = time.monotonic()
        turn(mode)
        for watcher in watchers:
            watcher.join()
        self.assertEqual(len(seen), len(self.fleet.agents))
        return [when - began for when in seen.values()]

    def by_weirctl(self, mode):
        self.fleet.set_mode(mode)

    def by_hand(self, mode):
        self.fleet.postgres.psql(BY_HAND.format(mode=mode))

    def assert_acknowledged(self, mode):
        """The database and every agent say of every agent that it goes by the newest row."""
        version = self.version()
        ids = {agent.agent_id for agent in self.fleet.agents}
        wanted = {each: (version, mode) for each in ids}

        def said(rows):
            return {r["agent_id"]: (r["switch_version"], r["effective_mode"]) for r in rows}

        def in_database():
            rows = self.fleet.postgres.rows(
                "SELECT agent AS agent_id, switch_version, effective_mode FROM agent_state"
            )
            return said(rows) == wanted

        wait_until(in_database, f"agent_state to have version {version}", BOUND_S)
        for agent in self.fleet.agents:

            def in_status(agent=agent):
                return said(agent.status()["agents"]) == wanted

            wait_until(in_status, f"agent {agent.number} to know all of that", BOUND_S)
            self.assertEqual(agent.chat().headers["X-Weir-Mode"], mode)

    def test_every_agent_obeys_and_says_so(self):
        times = []
        for round_ in range(4):
            for mode in ("fixed", "adaptive"):
                turn = self.by_weirctl if round_ % 2 else self.by_hand
                times += self.flip(mode, turn)
            self.assert_acknowledged("adaptive")
        self.flip("fixed", self.by_hand)
        self.assert_acknowledged("fixed")
        self.flip("adaptive", self.by_weirctl)
        times.sort()
        print(
            f"switch: median {1000 * statistics.median(times):.0f} ms, 95 % "
            f"{1000 * times[int(0.95 * len(times))]:.0f} ms, worst {1000 * times[-1]:.0f} ms "
            f"of {len(times)}"
        )
        self.assertLess(times[-1], BOUND_S)

    def test_it_works_while_redis_is_away(self):
        for name in ("kill", "pause"):
            with self.subTest(redis=name):
                getattr(self.fleet.redis, name)()
                self.fleet.await_reach(redis="down")
                self.assertLess(max(self.flip("fixed", self.by_weirctl)), BOUND_S)
                self.assert_acknowledged("fixed")
                self.assertLess(max(self.flip("adaptive", self.by_hand)), BOUND_S)
                self.fleet.redis.resume()
                self.fleet.redis.start()
                self.fleet.await_reach()

    def test_a_change_that_nobody_could_be_told_of_is_found(self):
        """The connections break in the very moment, so the notification is lost."""
        for agent in self.fleet.agents:
            agent.postgres.slow(50)

        def turn(mode):
            self.by_hand(mode)
            for agent in self.fleet.agents:
                agent.postgres.cut()
                agent.postgres.relay()

        self.assertLess(max(self.flip("fixed", turn)), BOUND_S)
        self.assertLess(max(self.flip("adaptive", self.by_hand)), BOUND_S)

    def test_an_agent_that_cannot_read_it_goes_to_the_fixed_order_by_itself(self):
        """Cut off in each way: it serves on as it was for the grace time, then in the fixed order, and
        says why; the others do not care; back, it goes by what was decided meanwhile."""
        lonely, *others = self.fleet.agents
        for how in ("refuse", "black_hole"):
            with self.subTest(how=how):
                cut = time.monotonic()
                lonely.cut_off(how, "postgres")
                wait_until(
                    lambda: lonely.status()["effective_mode"] == "failsafe",
                    "the lonely agent to give up",
                    GRACE_S + MARGIN_S,
                )
                waited = time.monotonic() - cut
                # It last read the row up to a poll before.
                self.assertGreater(waited, GRACE_S - 2.0 - 0.5)
                status = lonely.status()
                self.assertEqual(status["mode_reason"], "settings_unreadable")
                self.assertEqual((status["store"], status["redis"]), ("down", "ok"))
                answer = lonely.chat()
                self.assertEqual(answer.headers["X-Weir-Mode"], "failsafe")
                self.assertEqual(answer.headers["X-Weir-Provider"], "p1")
                self.assertIn("failsafe", lonely.admin("/metrics").body.decode())
                if how == "refuse":
                    self.turn_without(lonely)
                else:
                    self.by_hand("fixed")
                self.fleet.await_modes("fixed", others)
                self.assertEqual(lonely.status()["effective_mode"], "failsafe")
                lonely.cut_off("relay")
                self.fleet.await_modes("fixed", [lonely])
                self.by_weirctl("adaptive")
                self.fleet.await_modes("adaptive")
                print(f"{how}: failsafe after {waited:.1f} s of {GRACE_S} s grace")

    def turn_without(self, lonely):
        """Whoever turns it is told who may not have heard of it."""
        said = self.fleet.ctl("mode", "set", "fixed", "--reason", "a test", code=1)
        self.assertIn("Applied by 2/3 agents", said)
        self.assertRegex(said, f"not heard of for [^;]*: fleet@.*{lonely.agent_id[:8]}")

    def test_a_row_that_nobody_can_go_by(self):
        """Missing or garbage, by somebody who switched the guards off: the fixed order at once."""
        unguarded = "SET session_replication_role = replica; "
        postgres = self.fleet.postgres
        version = self.version()
        postgres.psql("CREATE TABLE kept AS TABLE routing_switch")
        put_back = (
            f"{unguarded} DELETE FROM routing_switch; INSERT INTO routing_switch (id, mode, version, "
            "reason, updated_by, request_uuid) "
            "SELECT id, mode, version, reason, updated_by, '' FROM kept"
        )
        garbage = (
            "ALTER TABLE routing_switch DROP CONSTRAINT known_mode; "
            "UPDATE routing_switch SET mode = 'on'"
        )
        for what, breaks, reason in (
            ("missing", f"{unguarded} DELETE FROM routing_switch", "switch_missing"),
            ("garbage", f"{unguarded} {garbage}", "settings_unreadable"),
        ):
            with self.subTest(row=what):
                postgres.psql(breaks)
                self.fleet.await_modes("failsafe", patience_s=BOUND_S)
                for agent in self.fleet.agents:
                    self.assertEqual(agent.status()["mode_reason"], reason)
                    self.assertEqual(agent.chat().headers["X-Weir-Mode"], "failsafe")
                postgres.psql(put_back)
                self.fleet.await_modes("adaptive", patience_s=BOUND_S)
                self.assertEqual(self.version(), version)

    def test_the_owner_puts_a_row_back(self):
        """As the alert says."""
        self.fleet.postgres.psql("SET session_replication_role = replica; DELETE FROM routing_switch")
        version = int(self.fleet.postgres.psql("SELECT max(version) FROM settings_audit WHERE table_name = "
                                               "'routing_switch'"))  # fmt: skip
        self.fleet.await_modes("failsafe", patience_s=BOUND_S)
        said = [alert["text"] for alert in self.fleet.agents[0].status()["alerts"] if alert["kind"] == "store"]
        self.assertIn("weirctl store migrate", said[0])
        self.fleet.ctl("store", "migrate")
        self.fleet.await_modes("fixed", patience_s=BOUND_S)
        self.assertEqual(self.version(), version + 1)
        self.fleet.turn("adaptive")


if __name__ == "__main__":
    unittest.main()
