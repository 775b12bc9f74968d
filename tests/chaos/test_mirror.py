# SPDX-License-Identifier: Apache-2.0
"""Mirror mode from outside: what is copied to a candidate and what is not, that no user notices,
and what the comparison says."""

import contextlib
import json
import sqlite3
import time
import unittest

import grader
import weir_harness as weir

CANARY = "canary-7d1f"
SERVED = "the served answer"
COPIED = "the answer of the candidate"


class Mirror(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = weir.World()
        cls.addClassCleanup(cls.world.close)
        cls.base = cls.world.fake({"text": SERVED})
        cls.candidate = cls.world.fake({"text": COPIED})
        cls.elsewhere = cls.world.fake({"text": COPIED})
        cls.judge = grader.Judge()
        cls.world.callback(cls.judge.stop)

    def setUp(self):
        for fake in (self.base, self.candidate, self.elsewhere):
            fake.reset()
        self.judge.seen.clear()
        self.judge.grades = {SERVED: 0.8, COPIED: 0.8}
        config = weir.Config()
        config.provider("base", self.base.port).provider("cand", self.candidate.port)
        config.provider("elsewhere", self.elsewhere.port).provider("judge", self.judge.port)
        config.model("m", ["base"], region="eu", terms=["no_retention"])
        config.model("cand", ["cand"], region="eu", terms=["no_retention"])
        config.model("cand-us", ["elsewhere"], region="us")
        config.model("judge", ["judge"], region="us")
        for task, mirror in {
            "plain": {"model": "cand", "share": 1.0},
            "graded": {"model": "cand", "share": 1.0, "grader": "judge"},
            "abroad": {"model": "cand-us", "share": 1.0},
        }.items():
            config.tasks[task] = {"models": ["m"], "mirror": mirror}
        config.model("two", ["base", "elsewhere"])
        config.tasks["drilled"] = {"models": ["two"], "mirror": {"model": "cand", "share": 1.0}}
        config.tasks["unmirrored"] = {"models": ["m"]}
        self.agent = self.world.agent(config)
        # With the copies that hang: the next test counts its own.
        self.addCleanup(self.agent.begin_stop)

    def ask(self, task="plain", stream=False, headers=None, **more):
        fields = {"X-Weir-Task-Type": task, **(headers or {})}
        return self.agent.chat(more.pop("model", "auto"), stream, headers=fields, **more)

    def results(self, task="plain"):
        found = {}
        for line in self.agent.admin("/metrics").body.decode().splitlines():
            if line.startswith("weir_mirror_total{") and f'task_type="{task}"' in line:
                labels, count = line.rsplit(" ", 1)
                found[labels.split('result="')[1].split('"')[0]] = int(count)
        return found

    def wait_results(self, task="plain", **wanted):
        try:
            weir.wait_until(lambda: self.results(task) == wanted, "the copies' results", 10)
        except AssertionError:
            self.assertEqual(self.results(task), wanted)

    def ask_until_graded(self, count):
        """One request after the other; those that find no seat for their copy count as well."""

        def graded():
            self.assertEqual(self.ask("graded").status, 200)
            return self.results("graded").get("graded", 0) >= count

        weir.wait_until(graded, f"{count} graded copies")
        return self.wait_comparisons(count)

    def rows(self, query):
        uri = f"file:{self.agent.data_dir / 'weir.db'}?mode=ro"
        with contextlib.closing(sqlite3.connect(uri, uri=True, timeout=10)) as database:
            database.row_factory = sqlite3.Row
            return [dict(row) for row in database.execute(query)]

    def comparisons(self):
        return self.rows("SELECT * FROM mirror_comparison ORDER BY at_ms")

    def wait_comparisons(self, count):
        return weir.wait_until(
            lambda: rows if len(rows := self.comparisons()) >= count else None,
            f"{count} comparisons",
        )

    def test_a_copy_is_answered_judged_and_kept(self):
        """Both protocols, streams and documents; the copy is the request with another model."""
        for stream in (False, True):
            answer = self.ask("graded", stream, headers={"X-Weir-Task-Id": "job 1"})
            self.assertEqual(answer.status, 200)
            self.assertEqual(answer.headers["X-Weir-Provider"], "base")
        message = self.agent.message("auto", True, headers={"X-Weir-Task-Type": "graded"})
        self.assertEqual(message.status, 200)
        self.wait_results("graded", graded=3)
        copies = [json.loads(each["body"]) for each in self.candidate.requests(5)]
        self.assertEqual([each["model"] for each in copies], ["up/cand/cand"] * 3)
        self.assertEqual(copies[0]["messages"][0]["content"], "hi there")
        self.assertEqual([bool(each.get("stream")) for each in copies], [False, True, True])
        for row in self.wait_comparisons(3):
            self.assertEqual(row["served_provider"], "base")
            self.assertEqual(row["candidate_model"], "cand")
            self.assertEqual(row["candidate_outcome"], "ok")
            self.assertEqual(row["served_score_ppm"], 800000)
            self.assertEqual(row["candidate_score_ppm"], 800000)
            self.assertIsNotNone(row["candidate_ttft_ms"])
            self.assertGreater(row["candidate_cost_micro_usd"], 0)
        rows = weir.wait_until(
            lambda: (found if len(found := self.agent.ledger("mirror = 1")) == 6 else None),
            "the copies' and the grader's rows",
        )
        own = {row["request_id"] for row in self.agent.ledger("mirror = 0")}
        self.assertEqual(len(own), 3)
        self.assertFalse(own & {row["request_id"] for row in rows})
        first = self.agent.ledger("mirror = 1 AND model = 'cand'")[0]
        self.assertEqual(first["task_id"], "job 1")
        self.assertEqual((first["final"], first["priority"]), (1, "batch"))

    def test_the_user_neither_waits_nor_sees(self):
        """A candidate that hangs, refuses or breaks off is none of the user's business."""
        failed = 0
        for fault in (
            {"status": 500},
            {"fault": "cut_rst"},
            {"listening": False},
            {"ttft_ms": 60000},
        ):
            self.candidate.reset(**fault)
            for stream in (False, True):
                with self.subTest(fault=fault, stream=stream):
                    before = time.monotonic()
                    answer = self.ask(stream=stream)
                    took = time.monotonic() - before
                    self.assertEqual(answer.status, 200)
                    self.assertTrue(answer.complete)
                    self.assertIn("served", answer.body.decode())
                    self.assertLess(took, 15)
            if "ttft_ms" not in fault:
                failed += 2
                self.wait_results(candidate_failed=failed)
        weir.wait_until(lambda: self.candidate.stats()["in_flight"] == 2, "two copies that hang")
        # They are ended by a stop, and do not delay it.
        before = time.monotonic()
        self.assertEqual(self.agent.stop(), 0)
        self.assertLess(time.monotonic() - before, 8)
        outcomes = [row["outcome"] for row in self.agent.ledger("mirror = 1")]
        self.assertEqual(len(outcomes), 8)
        self.assertEqual(outcomes.count("client_cancelled"), 2, outcomes)
        self.assertNotIn("ok", outcomes)

    def test_a_failing_candidate_is_tried_once(self):
        """No retry and no failover; the failure is a row of the comparison."""
        self.candidate.script(status=503)
        for _ in range(3):
            self.ask()
        self.wait_results(candidate_failed=3)
        self.assertEqual(self.candidate.stats()["requests"], 3)
        self.assertEqual(
            {row["candidate_outcome"] for row in self.wait_comparisons(3)}, {"server_error"}
        )

    def test_a_broken_candidate_is_left_alone_until_it_recovers(self):
        """The breaker holds for copies, and a copy is the probe that closes it."""

        def asked(result):
            self.assertEqual(self.ask().status, 200)
            return self.results().get(result, 0) > 0

        self.candidate.script(status=500)
        weir.wait_until(lambda: asked("skipped_gate"), "an open breaker")
        self.candidate.reset()
        weir.wait_until(lambda: asked("compared"), "copies to go on behind the breaker")

    def test_residency_and_terms_hold_for_the_copy(self):
        """A request that must stay in a region, or wants a term, is copied to no other route."""
        for headers in ({"X-Weir-Region": "eu"}, {"X-Weir-Terms": "no_retention"}):
            self.assertEqual(self.ask("abroad", headers=headers).status, 200)
        for wish in ({"zdr": True}, {"only": ["base"]}, {"ignore": ["elsewhere"]}):
            self.assertEqual(self.ask("abroad", provider=wish).status, 200)
        self.wait_results("abroad", skipped_ineligible=5)
        self.assertEqual(self.elsewhere.stats()["requests"], 0)
        self.ask("abroad")
        self.wait_results("abroad", skipped_ineligible=5, compared=1)
        self.assertEqual(self.elsewhere.stats()["requests"], 1)

    def test_the_grader_is_bound_by_them_too(self):
        """The candidate may have it, the grader abroad may not: compared, but not graded."""
        self.ask("graded", headers={"X-Weir-Region": "eu"})
        self.ask("graded", provider={"only": ["base", "cand"]})
        self.wait_results("graded", ungraded=2)
        self.assertEqual(self.judge.seen, [])
        self.assertEqual({row["served_score_ppm"] for row in self.wait_comparisons(2)}, {None})

    def test_what_is_not_copied(self):
        """Batch work, evals, single shots, tool calls, failures, and task types that did not ask for
        it."""
        self.assertEqual(self.ask(model="m", headers={"X-Weir-Eval": "true"}).status, 200)
        self.ask(headers={"X-Weir-Priority": "batch"})
        self.ask(headers={"X-Weir-Single-Shot": "true"})
        tool = {"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}
        self.ask(tools=[tool], text="use a tool")
        self.ask(text="x" * 600_000)
        self.ask("unmirrored")
        self.agent.chat("m")
        self.assertEqual(self.ask(model="cand").headers["X-Weir-Provider"], "cand")
        self.base.script(status=400)
        self.ask()
        self.wait_results(
            skipped_batch=1,
            skipped_single_shot=1,
            skipped_not_text=1,
            skipped_large=1,
            skipped_unanswered=1,
        )
        self.assertEqual(self.candidate.stats()["requests"], 1)

    def test_the_grader_sees_both_in_either_order(self):
        """Blind: the texts alone, the question as data, and the place decided by a coin."""
        self.ask_until_graded(24)
        firsts = [seen["first_answer"].strip() for seen in self.judge.seen]
        self.assertEqual(set(firsts), {SERVED, COPIED})
        for seen in self.judge.seen:
            self.assertEqual(set(seen), {"messages", "first_answer", "second_answer"})
            self.assertEqual(seen["messages"], [{"role": "user", "content": "hi there"}])

    def test_each_gets_its_own_grade(self):
        """Whatever the order was."""
        self.judge.grades = {SERVED: 0.9, COPIED: 0.2}
        for row in self.ask_until_graded(12):
            self.assertEqual((row["served_score_ppm"], row["candidate_score_ppm"]), (900000, 200000))

    def test_an_answer_cannot_grade_itself(self):
        """A verdict in an answer lacks the token; one of a grader that repeats nothing is none."""
        self.judge.grades = {SERVED: 0.9, COPIED: 7}
        self.ask("graded")
        self.wait_results("graded", ungraded=1)

    def report(self, *more):
        return self.agent.ctl("mirror", "report", *more)

    def test_what_a_drill_provoked_is_not_copied(self):
        """It would measure the drill."""
        drill = ("drill", "start", "two", "base", "--kind", "delay", "--for", "30s")
        self.agent.ctl(*drill, "--reason", "a test", "--delay-ms", "100")
        drilled = weir.wait_until(
            lambda: (answer := self.ask("drilled")).headers.get("X-Weir-Drill") and answer,
            "an answer that the drill had a hand in",
        )
        self.assertEqual(drilled.status, 200)
        weir.wait_until(lambda: self.results("drilled").get("skipped_drill"), "it to be left out")

    def test_the_report_promotes_an_equal_and_leaves_out_a_worse_one(self):
        """Thirty graded pairs are enough where the grades do not scatter."""
        self.ask_until_graded(32)
        report = json.loads(self.report("--json", "--task", "graded"))["reports"][0]
        self.assertEqual(report["suggestion"], "promote", report)
        self.assertEqual((report["candidate"], report["failures"]), ("cand", 0))
        self.assertGreaterEqual(report["score"]["n"], 30)
        self.assertIn("promote to the ladder", self.report())
        self.judge.grades = {SERVED: 0.8, COPIED: 0.1}
        self.ask_until_graded(72)
        self.assertIn("leave it out", self.report("--since", "1h"))
        self.assertIn("No copy", self.report("--task", "plain"))

    def test_form_is_judged_by_the_requests_schema(self):
        """Where the request asked for one, in either protocol's words."""
        schema = {"type": "object", "required": ["ok"], "properties": {"ok": {"type": "boolean"}}}
        self.base.script(text='{"ok": true}')
        self.candidate.script(text='{"ok": "yes"}')
        wanted = {"type": "json_schema", "json_schema": {"name": "x", "schema": schema}}
        self.ask(response_format=wanted)
        self.ask()
        self.wait_results(compared=2)
        asked, free = self.wait_comparisons(2)
        self.assertEqual((asked["served_schema_valid"], asked["candidate_schema_valid"]), (1, 0))
        self.assertEqual((free["served_schema_valid"], free["candidate_schema_valid"]), (None, None))

    def test_what_users_see_of_themselves_is_unchanged(self):
        """Requests are counted without copies; copies stand in the ledger under their own name."""
        for _ in range(5):
            self.ask("graded")
        self.wait_results("graded", graded=5)
        weir.wait_until(lambda: len(self.agent.ledger("mirror = 1")) == 10, "all rows")
        text = self.agent.admin("/metrics").body.decode()
        requests = [line for line in text.splitlines() if line.startswith("weir_requests_total{")]
        self.assertEqual(len(requests), 1, requests)
        self.assertIn('model="m"', requests[0])
        self.assertTrue(requests[0].endswith(" 5"), requests)
        history = self.rows("SELECT model, sum(calls) AS calls FROM route_minute GROUP BY model")
        self.assertEqual(history, [{"model": "m", "calls": 5}])

    def test_refusals_are_counted_and_not_graded(self):
        """Whether a 400 says so, or the end of an answer, and on either side."""
        refusal = {"error": {"code": "content_filter", "message": "no", "type": "x"}}
        self.candidate.script(status=400, body=json.dumps(refusal))
        self.ask("graded")
        self.wait_results("graded", compared=1)
        self.candidate.reset(finish_reason="content_filter")
        self.ask("graded", True)
        self.wait_results("graded", compared=2)
        self.candidate.reset()
        self.base.script(status=400, body=json.dumps(refusal))
        self.assertEqual(self.ask("graded").status, 400)
        self.wait_results("graded", compared=3)
        rows = self.wait_comparisons(3)
        self.assertEqual([row["candidate_refused"] for row in rows], [1, 1, 0])
        self.assertEqual([row["served_refused"] for row in rows], [0, 0, 1])
        self.assertEqual(self.judge.seen, [])

    def test_no_text_is_kept_or_logged(self):
        """Not the prompt, nor either answer, nor the grader's words."""
        self.base.script(text=f"served {CANARY}")
        self.candidate.script(text=f"copied {CANARY}")
        self.judge.grades = {f"served {CANARY}": 0.5, f"copied {CANARY}": 0.5}
        for stream in (False, True):
            self.ask("graded", stream, text=f"prompt {CANARY}")
        self.wait_results("graded", graded=2)
        self.wait_comparisons(2)
        self.assertEqual(self.agent.stop(), 0)
        self.assertNotIn(CANARY, self.agent.log())
        for path in self.agent.data_dir.rglob("*"):
            if path.is_file():
                self.assertNotIn(CANARY.encode(), path.read_bytes(), path)

    def test_only_so_many_at_a_time(self):
        """Copies that hang take the seats; what finds none is left out, and users are served."""
        self.candidate.script(ttft_ms=60000)
        for _ in range(20):
            self.assertEqual(self.ask().status, 200)
        self.wait_results(skipped_busy=4)


if __name__ == "__main__":
    unittest.main()
