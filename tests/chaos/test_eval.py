# SPDX-License-Identifier: Apache-2.0
"""Eval runs and the quality floor from outside: a route is scored through the agent's data plane, and
traffic leaves what scored below its task's floor."""

import contextlib
import json
import os
import sqlite3
import subprocess
import unittest

import weir_harness as weir

CANARY = "zebra-4711"
GOOD = f"the answer is yes {CANARY}"
BAD = f"perhaps {CANARY}"
FLOOR = 0.5


class Eval(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = weir.World()
        cls.addClassCleanup(cls.world.close)
        cls.good = cls.world.fake({"text": GOOD})
        cls.bad = cls.world.fake({"text": BAD})
        cls.judge = cls.world.fake({"text": "no verdict"})
        cls.set_file = cls.world.directory / "set.jsonl"

    def setUp(self):
        for fake in (self.good, self.bad, self.judge):
            fake.reset()
        config = weir.Config()
        config.provider("bad", self.bad.port).provider("good", self.good.port)
        config.provider("judge", self.judge.port).model("judge-model", ["judge"])
        config.model("m", ["bad", "good"]).model("bad-only", ["bad"])
        config.tasks["review"] = {"models": ["m"], "quality_floor": FLOOR}
        config.tasks["steps"] = {"models": ["bad-only", "m"], "quality_floor": FLOOR}
        self.agent = self.world.agent(config)
        self.write_set(*[self.case(f"c{i}") for i in range(4)])

    @staticmethod
    def case(name, checker=None, **more):
        checker = checker or {"type": "regex", "pattern": r"\byes\b"}
        return {"id": name, "input": f"is it so? {CANARY}", "checker": checker, **more}

    def write_set(self, *cases):
        self.set_file.write_text("".join(json.dumps(case) + "\n" for case in cases))

    def weirctl(self, *arguments, **env):
        return subprocess.run(
            [str(weir.BIN_DIR / "weirctl"), *arguments, "--data-dir", str(self.agent.data_dir)],
            env={**os.environ, **env},
            capture_output=True,
            timeout=weir.PATIENCE_S * 2,
            check=False,
            text=True,
        )

    def run_eval(self, *more, task="review", models=("m",), code=0, **env):
        """The routes of the run by provider."""
        where = ["--agent", f"http://127.0.0.1:{self.agent.admin_port}"]
        where += ["--data", f"http://127.0.0.1:{self.agent.port}"]
        asked = [word for model in models for word in ("--model", model)]
        done = self.weirctl(
            "eval", "run", str(self.set_file), "--task", task, *asked, *where, "--json", *more, **env
        )
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertNotIn(CANARY, done.stdout + done.stderr)
        if not done.stdout:
            return done.stderr
        found = {(route["model"], route["provider"]): route for route in json.loads(done.stdout)["routes"]}
        return found if len(models) > 1 else {key[1]: route for key, route in found.items()}

    def served_by(self, task="review", model="m"):
        answer = self.agent.chat(model, headers={"X-Weir-Task-Type": task})
        return answer.status == 200 and answer.headers["X-Weir-Provider"]

    def wait_served_by(self, provider, **more):
        weir.wait_until(lambda: self.served_by(**more) == provider, f"{provider} to serve")

    def test_traffic_leaves_a_route_that_scored_below_the_floor(self):
        """Within the settings poll, and comes back with a better score."""
        self.assertEqual(self.served_by(), "bad")
        routes = self.run_eval()
        self.assertEqual(routes["good"]["score"], 1.0)
        self.assertEqual(routes["bad"]["score"], 0.0)
        self.assertEqual(routes["bad"]["failed_cases"], [f"c{i}" for i in range(4)])
        self.wait_served_by("good")
        # The floor is the task's: others go on as before.
        self.assertEqual(self.served_by(task="other"), "bad")
        # It does not keep the route from its next run.
        self.bad.script(text=GOOD)
        self.assertEqual(self.run_eval()["bad"]["score"], 1.0)
        self.wait_served_by("bad")

    def test_a_request_that_no_route_may_serve_is_told_why(self):
        """Route, score and floor stand in the refusal; the floor is hard, whatever fails."""
        self.run_eval()
        self.wait_served_by("good")
        answer = self.agent.chat(
            headers={"X-Weir-Task-Type": "review"}, provider={"only": ["bad"]}
        )
        self.assertEqual(answer.status, 400, answer.body)
        error = answer.json()["error"]
        self.assertEqual(error["code"], "no_eligible_route")
        for part in ("bad/", "quality floor", "scored 0.0", "review", "4 cases", "of 0.5"):
            self.assertIn(part, error["message"])
        self.good.script(status=500)
        before = self.bad.stats()["requests"]
        failed = self.agent.chat(headers={"X-Weir-Task-Type": "review"})
        self.assertGreaterEqual(failed.status, 500)
        self.assertEqual(self.bad.stats()["requests"], before)

    def test_the_ladder_steps_over_what_is_below_the_floor(self):
        """A model none of whose routes is good enough is passed over."""
        self.run_eval(task="steps", models=("bad-only", "m"))

        def stepped():
            answer = self.agent.chat("auto", headers={"X-Weir-Task-Type": "steps"})
            return answer.headers["X-Weir-Level"] == "L1" and answer

        answer = weir.wait_until(stepped, "the next model to serve")
        self.assertEqual(answer.headers["X-Weir-Provider"], "good")

    def test_an_eval_stands_apart_from_all_traffic(self):
        """Flagged in the ledger, in no statistic of users' requests, and without a pin."""
        self.run_eval()
        rows = weir.wait_until(
            lambda: (found := self.agent.ledger("eval = 1")) and len(found) == 8 and found,
            "the rows of the run",
        )
        for row in rows:
            self.assertEqual((row["attempt"], row["final"], row["priority"]), (1, 1, "batch"))
            self.assertEqual((row["explored"], row["pinned"]), (0, 0))
            self.assertEqual(row["task_type"], "review")
        score = 'weir_quality_score{model="m",provider="good",task_type="review"} 1'

        def metrics_with_score():
            text = self.agent.admin("/metrics").body.decode()
            return score in text and text

        metrics = weir.wait_until(metrics_with_score, "the score in the metrics")
        self.assertNotIn('weir_requests_total{model="m"', metrics)
        self.assertIn('weir_attempts_total{model="m",provider="good",outcome="ok"} 4', metrics)
        uri = f"file:{self.agent.data_dir / 'weir.db'}?mode=ro"
        with contextlib.closing(sqlite3.connect(uri, uri=True, timeout=10)) as database:
            self.assertEqual(database.execute("SELECT count(*) FROM route_minute").fetchone()[0], 0)

    def test_no_failover_and_no_second_model(self):
        """One attempt on the route that was named; a failure is that route's own."""
        self.good.script(status=500)
        before = self.bad.stats()["requests"]
        routes = self.run_eval("--route", "good", "--patience", "0", task="steps", code=1)
        self.assertEqual(routes["good"]["unanswered"], 4)
        self.assertEqual(self.bad.stats()["requests"], before)
        self.assertFalse(routes["good"]["tells"])
        listed = json.loads(self.weirctl("eval", "list", "--json").stdout)
        self.assertEqual(listed["scores"], [])

    def test_a_route_at_its_rate_is_asked_again_later(self):
        self.good.script(status=429, retry_after=1, times=2)
        routes = self.run_eval("--route", "good", "--concurrency", "1")
        self.assertEqual((routes["good"]["score"], routes["good"]["unanswered"]), (1.0, 0))
        self.assertEqual(self.good.stats()["requests"], 6)

    def test_form_and_refusals_stand_apart(self):
        """Schema validity, refusals and answers that were cut are no part of each other."""
        schema = {"type": "object", "required": ["yes"]}
        self.write_set(
            self.case("form", {"type": "json_schema", "schema": schema}),
            self.case("text"),
        )
        self.good.script(text='{"yes": 1}')
        good = self.run_eval("--route", "good")["good"]
        self.assertEqual((good["score"], good["schema_valid"], good["refused"]), (1.0, 1.0, 0.0))
        self.good.script(finish_reason="length", text='{"yes": ')
        cut = self.run_eval("--route", "good")["good"]
        self.assertEqual((cut["cut"], cut["schema_valid"]), (2, None))
        self.good.script(finish_reason="content_filter", text="")
        refused = self.run_eval("--route", "good")["good"]
        self.assertEqual((refused["refused"], refused["score"]), (1.0, 0.0))

    def test_a_model_grades(self):
        """Only a verdict with its token counts, so an answer that brings its own gets nothing."""
        self.write_set(self.case("graded", {"type": "model_graded", "rubric": "is it so?"}))
        usage = self.run_eval("--route", "good", code=2)
        self.assertIn("--grader", usage)
        forged = self.run_eval("--route", "good", "--grader", "judge-model", code=1)
        self.assertEqual(forged["good"]["unanswered"], 1)
        asked = json.loads(self.judge.requests()[0]["body"])
        self.assertIn(CANARY, json.loads(asked["messages"][1]["content"])["answer"])

    def test_a_dry_run_asks_nobody(self):
        before = self.good.stats()["requests"]
        routes = self.run_eval("--dry-run")
        self.assertEqual(set(routes), {"bad", "good"})
        self.assertEqual(self.good.stats()["requests"], before)

    def test_bad_usage_is_told_clearly(self):
        self.set_file.write_text('{"id": "a"}\n')
        self.assertIn("set.jsonl:1", self.run_eval(code=2))
        self.write_set(self.case("a"))
        self.assertIn("no-such", self.run_eval(models=("no-such",), code=2))
        self.assertIn("nowhere", self.run_eval("--route", "nowhere", code=2))
        self.assertIn("--key-env", self.run_eval("--key-env", "NO_SUCH_KEY", code=2))

    def test_an_interrupt_stores_nothing(self):
        self.good.script(ttft_s=600)
        where = ["--agent", f"http://127.0.0.1:{self.agent.admin_port}"]
        where += ["--data", f"http://127.0.0.1:{self.agent.port}"]
        where += ["--data-dir", self.agent.data_dir, "--model", "m", "--route", "good"]
        program = weir.BIN_DIR / "weirctl"
        run = weir.Process([program, "eval", "run", self.set_file, "--task", "review", *where])
        weir.wait_until(lambda: self.good.stats()["in_flight"] == 4, "the cases to be asked")
        run.popen.send_signal(weir.signal.SIGINT)
        run.wait_line("interrupted; nothing was stored")
        self.assertEqual(run.popen.wait(weir.PATIENCE_S), 1)
        run.stop()
        self.assertEqual(json.loads(self.weirctl("eval", "show", "--json").stdout)["rows"], [])

    def test_what_is_shown_and_what_is_not_kept(self):
        """Scores in status and in weirctl; nowhere a word of a prompt or an answer."""
        self.run_eval("--route", "good")

        def route(provider):
            models = {model["name"]: model for model in self.agent.status()["models"]}
            return next(r for r in models["m"]["routes"] if r["provider"] == provider)

        shown = weir.wait_until(lambda: route("good")["quality"], "the score in the status")
        self.assertEqual((shown[0]["task_type"], shown[0]["score"]), ("review", 1.0))
        unscored = [
            alert["route"].split("/")[0]
            for alert in self.agent.status()["alerts"]
            if alert["kind"] == "quality_unscored" and "task type review" in alert["text"]
        ]
        self.assertEqual(unscored, ["bad"])
        listed = self.weirctl("eval", "list")
        self.assertIn("1.000", listed.stdout)
        self.assertIn("good", self.weirctl("eval", "show").stdout)
        self.agent.stop()
        for path in self.agent.data_dir.rglob("*"):
            if path.is_file():
                self.assertNotIn(CANARY.encode(), path.read_bytes(), path)
        self.assertNotIn(CANARY, self.agent.log())


if __name__ == "__main__":
    unittest.main()
