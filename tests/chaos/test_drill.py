# SPDX-License-Identifier: Apache-2.0
"""Drills from outside: traffic leaves a route on purpose and comes back, nobody gets an error, and the
end comes by itself whatever dies."""

import contextlib
import json
import os
import sqlite3
import subprocess
import threading
import time
import unittest

import weir_harness as weir


class Traffic:
    """Callers that ask one after another until they are told to stop."""

    def __init__(self, agent, model="m", callers=2, gap_s=0.02):
        self.agent, self.model, self.gap_s = agent, model, gap_s
        self.answers = []
        self._over = threading.Event()
        self._threads = [threading.Thread(target=self._ask, daemon=True) for _ in range(callers)]
        for thread in self._threads:
            thread.start()

    def _ask(self):
        while not self._over.wait(self.gap_s):
            answer = self.agent.chat(self.model)
            self.answers.append((time.monotonic(), answer.status, answer.headers))

    def stop(self):
        self._over.set()
        for thread in self._threads:
            thread.join(weir.PATIENCE_S)

    def last(self, count):
        """The newest `count` answers, once so many have come from now on."""
        start = len(self.answers)
        weir.wait_until(lambda: len(self.answers) >= start + count, f"{count} more answers")
        return self.answers[-count:]

    def failures(self):
        return [answer for answer in self.answers if answer[1] != 200]


def providers(answers):
    return {headers["X-Weir-Provider"] for _, _, headers in answers}


class Drills(unittest.TestCase):
    def setUp(self):
        self.world = weir.World()
        self.addCleanup(self.world.close)
        self.fakes = {name: self.world.fake({"text": f"from {name}"}) for name in ("a", "b")}
        config = weir.Config()
        for name, fake in self.fakes.items():
            config.provider(name, fake.port)
        config.model("m", ["a", "b"]).model("alone", ["a"])
        self.agent = self.world.agent(config)

    def ctl(self, *arguments, check=0):
        done = subprocess.run(
            self.ctl_command(*arguments),
            env=self.agent.environment(),
            capture_output=True,
            text=True,
            timeout=weir.PATIENCE_S,
            check=False,
        )
        if check is not None:
            self.assertEqual(done.returncode, check, done.stderr + done.stdout)
        return done

    def ctl_command(self, *arguments):
        places = ["--config", self.agent.file, "--data-dir", self.agent.data_dir]
        return [str(each) for each in (weir.BIN_DIR / "weirctl", *arguments, *places)]

    def start(self, kind, length, *more, model="m"):
        """The id of a drill on the first route."""
        arguments = ["drill", "start", model, "a", "--kind", kind, "--for", length]
        done = self.ctl(*arguments, "--reason", "a test", "--json", *more)
        return json.loads(done.stdout)["drill"]["id"]

    def row(self, drill):
        listed = json.loads(self.ctl("drill", "list", "--json").stdout)["drills"]
        return next(each for each in listed if each["id"] == drill)

    def await_end(self, drill, reason):
        row = weir.wait_until(lambda: (self.row(drill)["ended_at"] and self.row(drill)), "the end")
        self.assertEqual(row["end_reason"], reason)
        return row

    def traffic(self, **options):
        traffic = Traffic(self.agent, **options)
        self.addCleanup(traffic.stop)
        return traffic

    def await_providers(self, traffic, wanted):
        weir.wait_until(lambda: providers(traffic.last(10)) == wanted, f"traffic on {wanted}")

    def audit(self):
        uri = f"file:{self.agent.data_dir / 'weir.db'}?mode=ro"
        with contextlib.closing(sqlite3.connect(uri, uri=True, timeout=10)) as database:
            return database.execute(
                "SELECT row_key, reason, version, json_extract(new_value, '$.end_reason') "
                "FROM settings_audit WHERE table_name = 'drill' ORDER BY id"
            ).fetchall()

    def test_an_open_breaker_moves_all_and_harms_nobody(self):
        """All traffic leaves, comes back, and the report says so; every mark is there."""
        traffic = self.traffic()
        self.await_providers(traffic, {"a"})
        traffic.last(40)
        drill = self.start("breaker", "3s")
        self.await_providers(traffic, {"b"})
        moved = self.agent.chat()
        self.assertEqual(moved.headers["X-Weir-Drill"], drill)
        self.assertEqual(self.agent.attempts(moved)[0]["drill"], 1)
        self.await_end(drill, "time")
        self.await_providers(traffic, {"a"})
        back = self.agent.chat()
        self.assertNotIn("X-Weir-Drill", back.headers)
        self.assertEqual(self.agent.attempts(back)[0]["drill"], 0)
        self.assertEqual(traffic.failures(), [])

        def report():
            text = self.ctl("drill", "report", drill, "--json").stdout
            found = json.loads(text)
            return found if found["traffic_back_after_s"] is not None else None

        report = weir.wait_until(report, "traffic back in the report")
        self.assertEqual(report["during"]["user_failures"], 0)
        self.assertEqual(report["before"]["providers"]["a"]["share"], 1.0)
        self.assertGreater(report["during"]["providers"]["b"]["share"], 0.5)
        self.assertLess(report["traffic_left_after_s"], 2.0)
        self.assertGreater(report["counts"]["touched"], 10)
        self.assertFalse(report["aborted"])
        audit = [row for row in self.audit() if row[0] == drill]
        self.assertEqual(audit[0], (drill, "a test", 1, None))
        self.assertEqual(audit[1][2:], (2, "time"))


if __name__ == "__main__":
    unittest.main()
