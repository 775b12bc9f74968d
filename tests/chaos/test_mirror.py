# SPDX-License-Identifier: Apache-2.0
"""Mirror mode from outside: what is copied to a candidate and what is not, that no user notices,
and what the comparison says."""

import contextlib
import http.server
import json
import sqlite3
import threading
import time
import unittest

import weir_harness as weir

CANARY = "canary-7d1f"
SERVED = "the served answer"
COPIED = "the answer of the candidate"


class Judge:
    """A grader that speaks OpenAI's protocol: it gives each answer the grade of its text."""

    def __init__(self):
        self.grades = {}
        self.seen = []
        judge = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                data = json.dumps(judge.answer(body)).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, body):
        orders, question = (message["content"] for message in body["messages"])
        question = json.loads(question)
        self.seen.append(question)
        verdict = json.loads(orders[orders.rindex("{") :])
        for name in ("first", "second"):
            verdict[name] = self.grades[question[f"{name}_answer"].strip()]
        text = "My verdict:\n" + json.dumps(verdict)
        return {
            "id": "j",
            "object": "chat.completion",
            "model": body["model"],
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": text},
                    "finish_reason": "stop",
                }
            ],
            "usage": {"prompt_tokens": 50, "completion_tokens": 10, "total_tokens": 60},
        }

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class Mirror(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = weir.World()
        cls.addClassCleanup(cls.world.close)
        cls.base = cls.world.fake({"text": SERVED})
        cls.candidate = cls.world.fake({"text": COPIED})
        cls.elsewhere = cls.world.fake({"text": COPIED})
        cls.judge = Judge()
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
        config.tasks["unmirrored"] = {"models": ["m"]}
        self.agent = self.world.agent(config)

    def ask(self, task="plain", stream=False, headers=None, **more):
        fields = {"X-Weir-Task-Type": task, **(headers or {})}
        return self.agent.chat("auto", stream, headers=fields, **more)

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

    def comparisons(self):
        uri = f"file:{self.agent.data_dir / 'weir.db'}?mode=ro"
        with contextlib.closing(sqlite3.connect(uri, uri=True, timeout=10)) as database:
            database.row_factory = sqlite3.Row
            rows = database.execute("SELECT * FROM mirror_comparison ORDER BY at_ms")
            return [dict(row) for row in rows]

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
        self.assertEqual(first["final"], 1)


if __name__ == "__main__":
    unittest.main()
