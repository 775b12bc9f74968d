# SPDX-License-Identifier: Apache-2.0
"""Reload and shutdown of a working agent."""

import contextlib
import re
import sqlite3
import threading
import unittest

from weir_harness import SIGHUP, SIGTERM, Config, World, wait_until


class Lifecycle(unittest.TestCase):
    def setUp(self):
        self.world = World()
        self.addCleanup(self.world.close)
        self.fake = self.world.fake()
        self.config = Config().provider("p", self.fake.port).model("m", ["p"])
        self.agent = self.world.agent(self.config)

    def models(self):
        answer = self.agent.admin("/admin/v1/status").json()
        return {model["name"] for model in answer["models"]}

    def start_stream(self, **script):
        """A stream that is under way, in a thread; its answer is in the list once it ended."""
        self.fake.script(**script)
        answers = []

        def ask():
            try:
                answers.append(self.agent.chat(stream=True))
            except OSError as cut:
                answers.append(cut)

        thread = threading.Thread(target=ask)
        thread.start()
        wait_until(lambda: self.fake.stats()["in_flight"] == 1, "the stream")
        return thread, answers

    def test_sighup_takes_a_good_file_and_refuses_a_broken_one(self):
        self.config.model("second", ["p"])
        self.agent.write_config()
        self.agent.signal(SIGHUP)
        self.agent.process.wait_line("event=reloaded")
        self.assertEqual(self.agent.chat("second").status, 200)
        for broken in (
            "[agent\n",
            self.config.text() + "\n[model.third]\nfixed_order = [\"nobody\"]\n",
            self.config.text().replace("drain_s", "drian_s"),
        ):
            with self.subTest(broken[-60:]):
                seen = len(self.agent.process.lines)
                self.agent.write_config(broken)
                self.agent.signal(SIGHUP)
                refused = self.agent.process.wait_line("event=reload_refused .*", seen).group(0)
                self.assertIn("weir.toml", refused)
                self.assertEqual(self.agent.chat("second").status, 200)
                self.assertEqual(self.agent.chat("third").status, 404)

    def test_a_stream_that_runs_survives_a_reload(self):
        thread, answers = self.start_stream(tokens_per_s=20, output_tokens=20)
        self.config.models.clear()
        self.config.model("other", ["p"])
        self.agent.write_config()
        self.agent.signal(SIGHUP)
        self.agent.process.wait_line("event=reloaded")
        thread.join()
        self.assertTrue(answers[0].complete)
        self.assertEqual(answers[0].events()[-1], "[DONE]")
        self.assertEqual(self.agent.chat("m").status, 404)

    def test_sigterm_lets_a_live_stream_finish(self):
        thread, answers = self.start_stream(tokens_per_s=20, output_tokens=40)
        self.agent.signal(SIGTERM)
        self.agent.process.wait_line("event=draining")
        self.assertEqual(self.agent.admin("/readyz").status, 503)
        thread.join()
        self.assertEqual(answers[0].status, 200)
        self.assertTrue(answers[0].complete)
        self.assertEqual(answers[0].events()[-1], "[DONE]")
        process = self.agent.process
        self.assertEqual(self.agent.stop(), 0)
        self.assertIn("event=stopped", process.output())
        self.assertEqual([row["outcome"] for row in self.agent.ledger()], ["ok"])

    def test_a_second_sigterm_stops_at_once(self):
        thread, answers = self.start_stream(tokens_per_s=1, output_tokens=1000)
        process = self.agent.process
        self.agent.signal(SIGTERM)
        process.wait_line("event=draining")
        self.agent.signal(SIGTERM)
        # Far less than the stream's 1000 s, and less than drain_s.
        self.assertEqual(process.popen.wait(8), 0)
        thread.join()
        cut = answers[0]
        self.assertTrue(isinstance(cut, OSError) or not cut.complete or "error" in cut.events()[-1])
        self.assertEqual(len(self.agent.ledger()), 1)

    def test_an_end_that_loses_rows_says_how_many(self):
        """The store is locked, the spool on disk full; what waited in memory is lost with the end."""
        self.config.sections["limits"]["spool_bytes"] = 65536
        self.agent.stop()
        self.agent.write_config()
        self.agent.start()
        asked = 0

        def is_full():
            nonlocal asked
            asked += 1
            self.assertEqual(self.agent.chat().status, 200)
            alerts = self.agent.status()["alerts"] if asked % 50 == 0 else []
            return any(alert["kind"] == "spool_full" for alert in alerts)

        with contextlib.closing(sqlite3.connect(self.agent.data_dir / "weir.db")) as other:
            other.execute("BEGIN IMMEDIATE")
            wait_until(is_full, "a full spool")
            process = self.agent.process
            self.agent.begin_stop()
            process.wait_line("event=spool_ended lost_rows=[1-9]")
        self.assertEqual(self.agent.stop(), 0)
        said = re.search(r"event=stopped clean=(\w+) rows_lost=(\d+)", process.output())
        self.assertEqual(said.group(1), "false")
        lost = int(said.group(2))
        self.assertGreater(lost, 0)
        self.agent.start()
        wait_until(lambda: len(self.agent.ledger()) + lost == asked, "all the others in the ledger")
        process = self.agent.process
        self.assertEqual(self.agent.stop(), 0)
        self.assertIn("event=stopped clean=true rows_lost=0", process.output())


if __name__ == "__main__":
    unittest.main()
