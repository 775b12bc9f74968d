# SPDX-License-Identifier: Apache-2.0
"""Drills from outside: traffic leaves a route on purpose and comes back, nobody gets an error, and the
end comes by itself whatever dies."""

import contextlib
import json
import os
import signal
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

    def test_everything_says_so(self):
        """Status, live view, metrics and the terminal name the drill that runs, and no other."""
        drill = self.start("breaker", "20s")
        marked = weir.wait_until(lambda: self.agent.status()["drills"], "the drill in the status")
        self.assertEqual([each["id"] for each in marked], [drill])
        self.assertEqual((marked[0]["kind"], marked[0]["reason"]), ("breaker", "a test"))
        self.assertLess(marked[0]["left_s"], 20)
        line = 'weir_drill{model="m",provider="a",kind="breaker"} 1'
        self.assertIn(line, self.agent.admin("/metrics").body.decode())
        address = ["--agent", f"http://127.0.0.1:{self.agent.admin_port}"]
        for verb in (["status"], ["top", "--once"]):
            self.assertIn("the breaker of m/a is open", self.ctl(*verb, *address).stdout)
        self.ctl("drill", "stop", drill, "--reason", "seen")
        weir.wait_until(lambda: not self.agent.status()["drills"], "the end in the status")
        self.assertNotIn(line, self.agent.admin("/metrics").body.decode())
        self.assertEqual(self.await_end(drill, "stopped")["end_text"], "seen")
        again = self.ctl("drill", "stop", drill, "--reason", "twice", check=1)
        self.assertIn("over already", again.stderr)

    def test_provoked_answers_fail_over(self):
        """429s and 503s for a share of the requests: nothing is sent, nobody sees them."""
        for kind, outcome, status in (
            ("rate_limit", "rate_limited", 429),
            ("error", "server_error", 503),
        ):
            with self.subTest(kind=kind):
                drill = self.start(kind, "20s", "--share", "0.5")
                weir.wait_until(lambda: self.agent.status()["drills"], "the drill")
                self.fakes["a"].reset()
                before = self.agent.ledger("drill = 1 AND provider = 'a'")

                def touched():
                    answer = self.agent.chat()
                    self.assertEqual(answer.status, 200, answer.body)
                    first = self.agent.attempts(answer)[0]
                    return (answer, first) if first["outcome"] == outcome else None

                answer, first = weir.wait_until(touched, "a provoked answer")
                self.assertEqual(answer.headers["X-Weir-Provider"], "b")
                self.assertEqual(answer.headers["X-Weir-Drill"], drill)
                self.assertEqual((first["http_status"], first["cost_micro_usd"]), (status, 0))
                self.assertEqual({row["drill"] for row in self.agent.attempts(answer)}, {1})
                provoked = [
                    row
                    for row in self.agent.ledger("drill = 1 AND provider = 'a'")
                    if row not in before
                ]
                sent = [
                    row
                    for row in self.agent.ledger("provider = 'a' AND started_at_ms >= ?", first["started_at_ms"])
                    if not row["drill"]
                ]
                self.assertTrue(provoked)
                self.assertGreaterEqual(self.fakes["a"].stats()["requests"], len(sent))
                self.ctl("drill", "stop", drill, "--reason", "seen")
                weir.wait_until(lambda: not self.agent.status()["drills"], "the end")

    def test_a_delay_is_seen_by_users_and_over_with_its_drill(self):
        """Every request waits, and one that waits when the drill ends goes on at once."""
        drill = self.start("delay", "30s", "--delay-ms", "400")
        weir.wait_until(lambda: self.agent.status()["drills"], "the drill")
        answer = self.agent.chat()
        self.assertEqual(answer.headers["X-Weir-Provider"], "a")
        self.assertEqual(answer.headers["X-Weir-Drill"], drill)
        self.assertGreaterEqual(self.agent.attempts(answer)[0]["ttft_ms"], 400)
        self.ctl("drill", "stop", drill, "--reason", "seen")
        weir.wait_until(lambda: not self.agent.status()["drills"], "the end")

        drill = self.start("delay", "30s", "--delay-ms", "25000")
        weir.wait_until(lambda: self.agent.status()["drills"], "the drill")
        answers = []
        caller = threading.Thread(target=lambda: answers.append(self.agent.chat()), daemon=True)
        caller.start()
        weir.wait_until(lambda: self.agent.status()["drills"][0]["counts"]["touched"], "the wait")
        self.ctl("drill", "stop", drill, "--reason", "enough")
        caller.join(10)
        self.assertEqual([answer.status for answer in answers], [200])
        self.assertEqual(answers[0].headers["X-Weir-Provider"], "a")

    def test_it_ends_though_whoever_waits_for_it_dies(self):
        """weirctl --wait is killed; the drill ends on time."""
        traffic = self.traffic()
        command = ["drill", "start", "m", "a", "--kind", "breaker", "--for", "3s"]
        waiting = subprocess.Popen(
            self.ctl_command(*command, "--reason", "a test", "--wait"),
            env=self.agent.environment(),
            stdout=subprocess.DEVNULL,
        )
        self.await_providers(traffic, {"b"})
        drill = self.agent.status()["drills"][0]["id"]
        waiting.kill()
        waiting.wait()
        self.await_end(drill, "time")
        self.await_providers(traffic, {"a"})
        self.assertEqual(traffic.failures(), [])

    def test_ctrl_c_ends_the_waiting_alone(self):
        """And says how the drill is stopped."""
        command = ["drill", "start", "m", "a", "--kind", "breaker", "--for", "30s"]
        waiting = weir.Process(
            self.ctl_command(*command, "--reason", "a test", "--wait"), self.agent.environment()
        )
        self.addCleanup(waiting.stop)
        waiting.wait_line(" of 30 s: ")
        waiting.popen.send_signal(signal.SIGINT)
        waiting.wait_line("the drill goes on until .*weirctl drill stop drill-")
        self.assertEqual(waiting.popen.wait(weir.PATIENCE_S), 1)
        self.assertEqual(len(weir.wait_until(lambda: self.agent.status()["drills"], "it")), 1)

    def test_wait_ends_in_the_report(self):
        """Of a drill that is over, with the time after it."""
        traffic = self.traffic()
        traffic.last(20)
        command = ["drill", "start", "m", "a", "--kind", "breaker", "--for", "2s"]
        done = self.ctl(*command, "--reason", "a test", "--wait")
        self.assertRegex(done.stdout, r"Traffic left the route after .*, and was back after ")
        self.assertRegex(done.stdout, r"failed for users +0 \(0 %\) +0 \(0 %\) +0 \(0 %\)")

    def test_it_ends_though_the_store_is_gone(self):
        """The database is locked for good before the end: the agent's own clock ends it."""
        traffic = self.traffic()
        drill = self.start("breaker", "3s")
        self.await_providers(traffic, {"b"})
        path = self.agent.data_dir / "weir.db"
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as database:
            database.execute("BEGIN IMMEDIATE")
            self.await_providers(traffic, {"a"})
            self.assertEqual(self.agent.status()["drills"], [])
            database.execute("ROLLBACK")
        self.await_end(drill, "time")
        self.assertEqual(traffic.failures(), [])

    def test_it_ends_though_the_file_is_gone(self):
        """Moved away, the database cannot say that the drill is over; it is all the same."""
        traffic = self.traffic()
        self.start("breaker", "3s")
        self.await_providers(traffic, {"b"})
        for name in ("weir.db", "weir.db-wal", "weir.db-shm"):
            with contextlib.suppress(FileNotFoundError):
                os.rename(self.agent.data_dir / name, self.agent.data_dir / f"gone-{name}")
        self.await_providers(traffic, {"a"})
        self.assertEqual(traffic.failures(), [])

    def test_it_stops_where_users_fail(self):
        """The secondary fails, too: the drill ends by itself, long before its time."""
        traffic = self.traffic()
        traffic.last(20)
        self.fakes["b"].script(status=500)
        drill = self.start("error", "10m", "--abort-above", "0.05")
        row = self.await_end(drill, "aborted")
        self.assertRegex(row["end_text"], r"^\d+ of \d+ requests failed for their callers$")
        self.assertTrue(row["ended_by"].startswith("weir-agent "))
        self.fakes["b"].reset()
        self.await_providers(traffic, {"a"})
        report = json.loads(self.ctl("drill", "report", drill, "--json").stdout)
        self.assertTrue(report["aborted"])
        self.assertGreater(report["during"]["user_failures"], 0)
        self.assertGreaterEqual(report["counts"]["requests"], 20)

    def test_who_can_go_nowhere_else_is_spared(self):
        """No drill takes a request's only route."""
        for kind, more in (
            ("breaker", []),
            ("rate_limit", []),
            ("error", []),
            ("delay", ["--delay-ms", "5000"]),
        ):
            with self.subTest(kind=kind):
                drill = self.start(kind, "30s", "--force", *more, model="alone")
                weir.wait_until(lambda: self.agent.status()["drills"], "the drill")
                answer = self.agent.chat("alone")
                self.assertEqual((answer.status, answer.headers["X-Weir-Provider"]), (200, "a"))
                self.assertNotIn("X-Weir-Drill", answer.headers)
                self.assertEqual(self.agent.attempts(answer)[0]["drill"], 0)
                counts = self.agent.status()["drills"][0]["counts"]
                self.assertEqual((counts["spared"], counts["touched"]), (1, 0))
                self.ctl("drill", "stop", drill, "--reason", "seen")
                weir.wait_until(lambda: not self.agent.status()["drills"], "the end")
                saved = json.loads(self.ctl("drill", "report", drill, "--json").stdout)["counts"]
                self.assertEqual(saved["spared"], 1)

    def test_a_single_shot_request_is_spared(self):
        """It has one attempt, so what is provoked there would be its end."""
        self.start("error", "30s")
        weir.wait_until(lambda: self.agent.status()["drills"], "the drill")
        answer = self.agent.chat(headers={"X-Weir-Single-Shot": "true"})
        self.assertEqual((answer.status, answer.headers["X-Weir-Provider"]), (200, "a"))

    def test_dangerous_input_is_refused(self):
        """By name, with what to do, and nothing is started."""
        start = ["drill", "start", "m", "a", "--kind", "breaker", "--for", "5s", "--reason", "x"]

        def refused(code, words, *arguments):
            done = self.ctl(*arguments, check=code)
            self.assertIn(words, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

        refused(2, "did you mean alone", *start[:2], "alonee", *start[3:])
        refused(2, "no such route: m/c", *start[:3], "c", *start[4:])
        refused(1, "the last enabled route", *start[:2], "alone", *start[3:])
        refused(2, "did you mean breaker", *start[:5], "braker", *start[6:])
        refused(2, "1s to 1h", *start[:7], "61m", *start[8:])
        refused(2, "must say why", *start[:-1], " ")
        refused(2, "--reason", *start[:-2])
        refused(2, "no share", *start, "--share", "0.5")
        refused(2, "must say how long", *start[:5], "delay", *start[6:])
        refused(2, "for --kind delay alone", *start, "--delay-ms", "5")
        refused(2, "must be 0 to 1", *start, "--abort-above", "nan")
        refused(2, "above 0 and at most 1", *start[:5], "error", *start[6:], "--share", "0")
        refused(1, "no drill has the id", "drill", "stop", "drill-none", "--reason", "x")
        refused(1, "no drill has the id", "drill", "report", "drill-none")
        self.assertEqual(json.loads(self.ctl("drill", "list", "--json").stdout)["drills"], [])
        first = self.start("breaker", "30s")
        refused(1, first, *start[:3], "b", *start[4:])
        self.agent.stop()
        weir.wait_until(
            lambda: "no agent runs" in self.ctl(*start, check=1).stderr, "the agent to be missed"
        )


if __name__ == "__main__":
    unittest.main()
