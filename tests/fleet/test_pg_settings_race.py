# SPDX-License-Identifier: Apache-2.0
"""A hundred people change the same rows at once, with weirctl and with psql: every change is made once or
refused, told so to whoever asked for it, and audited once; no two are made from the same version."""

import collections
import json
import subprocess
import threading
import unittest
from concurrent.futures import ThreadPoolExecutor

from pg_store import PgStore
from servers import PrivatePostgres
from weir_harness import BIN_DIR, PATIENCE_S

# A weirctl is a whole program, and a hundred that start together a heavy load.
TOOLS = 24
HANDS = 76
STUBBORN = 8
# Somebody else was faster; the server was too busy to do it; it gave no answer in time.
HONEST = r"version|somebody else|\[(40|53|55P03|57)|unreachable"
MODES = ("adaptive", "shadow", "fixed")


class SettingsRace(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = PrivatePostgres(options={"max_connections": 300})
        cls.addClassCleanup(cls.server.close)

    def setUp(self):
        self.store = PgStore(self.server)
        self.addCleanup(self.store.close)

    def weirctl(self, *words):
        """Exit code, and what was said for people and programs."""
        done = subprocess.run(
            # Nobody is there; without it, whatever agent runs on this machine would be asked.
            [BIN_DIR / "weirctl", *words, "--store", self.store.url(), "--agent", "http://127.0.0.1:9"],
            capture_output=True,
            text=True,
            timeout=4 * PATIENCE_S,
            check=False,
        )
        return done.returncode, done.stderr if done.returncode else done.stdout

    def race(self, write, write_by_hand=None):
        """How each writer's one attempt ended, all begun together: a list of (name, code, output)."""
        writers = TOOLS + (HANDS if write_by_hand else 0)
        start = threading.Barrier(writers)

        def one(number):
            start.wait(PATIENCE_S)
            if number < TOOLS:
                return (f"writer {number}", *self.weirctl(*write(number)))
            # A psql is there sooner than a weirctl: they come one by one, so that they meet.
            pause = f"SELECT pg_sleep({0.03 * (number - TOOLS)});"
            said = self.store.refusal(pause + write_by_hand(number))
            return (f"hand {number}", 1 if said else 0, said)

        with ThreadPoolExecutor(writers) as crowd:
            return list(crowd.map(one, range(writers)))

    def audited(self, table):
        return self.store.rows(
            f"SELECT reason, version, row_key, old_value, new_value FROM settings_audit WHERE table_name "
            f"= '{table}' "
            "ORDER BY id"
        )

    def check(self, ends, entries, first_version):
        """Who was told that it was done did it, once, and nobody else; each change began where the one
        before had ended. Only who got no answer in time, on a machine that is too busy, cannot know."""
        done = {name for name, code, _ in ends if code == 0}
        uncertain = {name for name, code, output in ends if code != 0 and "unreachable" in output}
        audited = [entry["reason"] for entry in entries]
        self.assertEqual(len(audited), len(set(audited)))
        self.assertEqual(set(audited) - uncertain, done - uncertain)
        self.assertLessEqual(done, set(audited))
        versions = [entry["version"] for entry in entries]
        self.assertEqual(versions, list(range(first_version, first_version + len(versions))))
        for before, after in zip(entries, entries[1:]):
            self.assertEqual(after["old_value"], before["new_value"])
        for name, code, output in ends:
            if code != 0:
                self.assertRegex(output, HONEST, name)
        return len(audited)

    def test_all_saw_the_same_version(self):
        """With --if-version, or by hand with the version written out, exactly one wins."""
        ends = self.race(
            lambda n: ("mode", "set", MODES[n % 2], "--if-version", "1", "--reason", f"writer {n}"),
            lambda n: f"UPDATE routing_switch SET mode = 'shadow', version = 2, reason = 'hand {n}'",
        )
        self.assertEqual(self.check(ends, self.audited("routing_switch")[1:], 2), 1)
        self.assertEqual(self.store.psql("SELECT version FROM routing_switch"), "2")

    def test_the_switch_and_the_settings_at_once(self):
        """Half turn the switch, half set a number; those by hand always take the newest version."""

        def write(n):
            if n % 2:
                return ("mode", "set", MODES[n % 3], "--reason", f"writer {n}")
            return ("settings", "set", f"pin_seconds={n}", "--reason", f"writer {n}")

        ends = self.race(
            write, lambda n: f"UPDATE routing_switch SET mode = 'fixed', version = version + 1, reason = "
                             f"'hand {n}'"
        )
        by_table = collections.defaultdict(list)
        for name, code, output in ends:
            is_switch = name.startswith("hand") or int(name.split()[1]) % 2
            by_table["routing_switch" if is_switch else "routing_settings"].append((name, code, output))
        for table, its_ends in by_table.items():
            entries = self.audited(table)[1:]
            made = self.check(its_ends, entries, 2)
            self.assertGreater(made, 0)
            self.assertEqual(self.store.psql(f"SELECT version FROM {table}"), str(made + 1))
        hands = [code for name, code, _ in by_table["routing_switch"] if name.startswith("hand")]
        self.assertEqual(hands, [0] * HANDS)
        newest = self.audited("routing_settings")[-1]["new_value"]["pin_seconds"]
        self.assertEqual(float(self.store.psql("SELECT pin_seconds FROM routing_settings")), newest)

    def test_nobody_gives_up(self):
        """Who meets a conflict looks again and tries again: in the end every change was made."""

        def one(number):
            while True:
                code, output = self.weirctl("mode", "set", MODES[number % 3], "--reason", f"writer {number}")
                if code == 0:
                    return
                self.assertRegex(output, HONEST)

        with ThreadPoolExecutor(STUBBORN) as crowd:
            list(crowd.map(one, range(STUBBORN)))
        entries = self.audited("routing_switch")[1:]
        self.assertEqual([entry["version"] for entry in entries], list(range(2, STUBBORN + 2)))
        self.assertEqual({entry["reason"] for entry in entries}, {f"writer {n}" for n in range(STUBBORN)})

    def test_routes_that_have_no_row_yet(self):
        """The first change of a route makes its row: still one winner a version."""
        ends = self.race(
            lambda n: ("settings", "set", f"route.m.p{n % 4}.score_bias={0.6 + n / 1000}", "--reason", f"writer {n}")
        )
        for route in range(4):
            entries = [entry for entry in self.audited("route_settings") if entry["row_key"] == f"m/p{route}"]
            of_route = [end for end in ends if int(end[0].split()[1]) % 4 == route]
            self.assertGreater(self.check(of_route, entries, 1), 0)

    def test_a_conflict_is_told_to_programs_too(self):
        self.store.psql("UPDATE routing_switch SET mode = 'shadow', version = 2, reason = 'r', updated_by "
                        "= 'ann'")
        words = ["mode", "set", "fixed", "--if-version", "1", "--reason", "late", "--json"]
        done = subprocess.run(
            [BIN_DIR / "weirctl", *words, "--store", self.store.url()],
            capture_output=True,
            timeout=PATIENCE_S,
            check=False,
        )
        self.assertEqual(done.returncode, 1)
        told = json.loads(done.stdout)
        self.assertEqual((told["outcome"], told["switch"]["version"], told["switch"]["updated_by"]), ("conflict", 2, "ann"))


if __name__ == "__main__":
    unittest.main()
