# SPDX-License-Identifier: Apache-2.0
"""An agent starts, serves and says what is wrong, whatever it finds of Postgres and Redis; and it
takes up with both when they come."""

import time
import unittest
from pathlib import Path

from fleet import QUICK, TIMING, Fleet
from fleet_books import Books
from fleet_load import Load
from servers import ServerError
from weir_harness import SIGHUP, wait_until

# How long a server stays away while the agents run, and how much they may say of it: each change of
# state once, and a reminder now and then.
AWAY_S = 6.0
LINES_MAX = 12
STARTS_S = 5.0


class Start(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.fleet = Fleet(agents=2, scripts=(QUICK, QUICK), start=False)
        cls.addClassCleanup(cls.fleet.close)
        cls.fleet.start(cls.fleet.agents[:1])
        cls.fleet.turn("adaptive")
        cls.fleet.agents[0].stop()

    def setUp(self):
        self.agent = self.fleet.agents[0]
        self.addCleanup(self.mend)

    def mend(self):
        self.agent.stop()
        self.give_back()

    def give_back(self):
        self.agent.cut_off("relay")
        for server in (self.fleet.postgres, self.fleet.redis):
            server.resume()
            server.start()

    def take_away(self, how, servers):
        for server in servers:
            if how in ("kill", "pause"):
                getattr(getattr(self.fleet, server), how)()
            else:
                self.agent.cut_off(how, server)

    def test_whatever_is_away_it_starts_and_serves(self):
        """B109. In the fixed order at first; it takes up with each server when that comes."""
        cases = (
            ("kill", ("postgres", "redis")),
            ("pause", ("postgres", "redis")),
            ("black_hole", ("postgres",)),
            ("black_hole", ("redis",)),
        )
        for how, servers in cases:
            with self.subTest(how=how, servers=servers):
                try:
                    self.check_start(how, servers)
                finally:
                    self.mend()

    def check_start(self, how, servers):
        self.take_away(how, servers)
        began = time.monotonic()
        self.agent.start()
        took = time.monotonic() - began
        wanted = ["down" if name in servers else "ok" for name in ("postgres", "redis")]
        with Load(self.fleet, rps=10, threads=2, agents=[self.agent]) as load:
            load.await_calls(10)
            self.fleet.await_reach(*wanted, [self.agent])
            if "postgres" in servers:
                status = self.agent.status()
                self.assertEqual(status["effective_mode"], "failsafe")
                self.assertEqual(status["mode_reason"], "settings_unreadable")
            else:
                self.fleet.await_modes("adaptive", [self.agent])
            self.assertEqual(self.agent.admin("/livez").status, 200)
            self.assertEqual(self.agent.admin("/readyz").status, 200)
            load.await_calls(10)
            self.give_back()
            self.fleet.await_reach(agents=[self.agent])
            self.fleet.await_modes("adaptive", [self.agent])
            load.await_calls(10)
        self.assertEqual(load.failures(), [])
        self.await_ledger(load)
        self.assertEqual(self.agent.stop(), 0)
        print(f"{how} {' and '.join(servers)}: ready after {took:.1f} s")
        self.assertLess(took, STARTS_S, "it waits for no server")

    def await_ledger(self, load):
        wanted = {call.request_id for call in load.since()}

        def is_whole():
            rows = self.fleet.call_ledger(columns="DISTINCT request_id")
            return wanted <= {row["request_id"] for row in rows}

        wait_until(is_whole, "every call in the ledger")

    def test_an_outage_floods_neither_log_nor_processor(self):
        """B110. Each change of state is said once, by name and without the password."""
        self.agent.start()
        self.fleet.await_modes("adaptive", [self.agent])
        with Load(self.fleet, rps=40, threads=4, agents=[self.agent]) as load:
            load.await_calls(20)
            before = len(self.agent.log().splitlines())
            cpu = self.cpu_s()
            self.agent.cut_off("refuse")
            since = time.monotonic()
            wait_until(lambda: time.monotonic() - since > AWAY_S, "the outage to last")
            used = self.cpu_s() - cpu
            said = self.agent.log().splitlines()[before:]
            self.agent.cut_off("relay")
            self.fleet.await_reach(agents=[self.agent])
        self.assertEqual(load.failures(), [])
        shown = "\n".join(said)
        self.assertLessEqual(len(said), LINES_MAX, shown)
        self.assertRegex(shown, r"(?i)store|postgres")
        self.assertRegex(shown, r"(?i)redis")
        # A debug build serves 40 calls a second with about a tenth of a processor.
        self.assertLess(used / AWAY_S, 0.6)
        print(f"{AWAY_S:.0f} s without servers: {len(said)} lines, {used / AWAY_S:.2f} processors")

    def cpu_s(self):
        stat = Path(f"/proc/{self.agent.process.popen.pid}/stat").read_text()
        fields = stat.rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / 100

    def test_a_stop_in_an_outage_keeps_everything(self):
        """B105. SIGTERM while both servers are away: it ends in time with what it could not deliver in
        its spool, and its next life delivers it."""
        self.agent.start()
        self.fleet.await_modes("adaptive", [self.agent])
        for how in ("refuse", "black_hole"):
            with self.subTest(how=how):
                with Load(self.fleet, rps=20, threads=3, agents=[self.agent]) as load:
                    load.await_calls(20)
                    self.agent.cut_off(how)
                    load.await_calls(60)
                    since = time.monotonic()
                    self.assertEqual(self.agent.stop(), 0)
                    self.assertLess(time.monotonic() - since, TIMING["drain_s"] + 5)
                    self.agent.cut_off("relay")
                    self.agent.start()
                    load.await_calls(20)
                self.assertEqual(load.failures(), [])
                books = Books(self.fleet, load)
                print(books.story())
                self.assertEqual(books.lost(books.rows), [])

    def test_a_reload_in_an_outage_loses_nothing(self):
        """B144. The file is read again while both servers are away: every model is served on."""
        self.agent.start()
        self.fleet.await_modes("adaptive", [self.agent])
        with Load(self.fleet, rps=20, threads=3, agents=[self.agent]) as load:
            load.await_calls(10)
            self.agent.cut_off("black_hole")
            self.agent.config.sections["limits"]["total_s"] = 601
            self.agent.write_config()
            seen = len(self.agent.process.lines)
            self.agent.signal(SIGHUP)
            self.agent.process.wait_line("event=reloaded", seen)
            load.await_calls(40)
            self.agent.cut_off("relay")
            self.fleet.await_reach(agents=[self.agent])
            self.fleet.await_modes("adaptive", [self.agent])
        self.assertEqual(load.failures(), [])

    def test_a_server_that_answers_nonsense_is_as_good_as_away(self):
        """A user without rights, a wrong password for Redis, another server on the port: served all the
        same, and said."""
        with self.assertRaises(ServerError):
            self.fleet.postgres.psql("SELECT 1", user="nobody_such")
        for where, url in (
            ("url", self.fleet.postgres.url(user="nobody_such")),
            ("url", f"postgresql://agent0@127.0.0.1:{self.fleet.redis.port}/weir"),
            ("redis", f"redis://:wrong-secret@127.0.0.1:{self.fleet.redis.port}"),
            ("redis", f"redis://127.0.0.1:{self.fleet.postgres.port}"),
        ):
            with self.subTest(url=url):
                store = dict(self.agent.config.sections["store"])
                self.agent.config.sections["store"][where] = url
                self.agent.write_config()
                self.agent.start()
                try:
                    reach = ("down", None) if where == "url" else (None, "down")
                    self.fleet.await_reach(*reach, [self.agent])
                    self.assertEqual(self.agent.chat().status, 200)
                    self.assertNotIn("wrong-secret", self.agent.log())
                    self.assertNotIn("wrong-secret", self.agent.admin("/admin/v1/status").body.decode())
                finally:
                    self.agent.config.sections["store"] = store
                    self.agent.write_config()
                    self.agent.stop()


if __name__ == "__main__":
    unittest.main()
