# SPDX-License-Identifier: Apache-2.0
"""weirctl report: what the ledger says of known traffic is what was sent."""

import json
import unittest

import weir_harness as weir


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = weir.World()
        cls.addClassCleanup(cls.world.close)
        cls.fakes = {name: cls.world.fake() for name in ("first", "second", "third")}

    def setUp(self):
        for fake in self.fakes.values():
            fake.reset()
        config = weir.Config()
        for name, fake in self.fakes.items():
            region = "eu" if name == "first" else "us"
            config.provider(name, fake.port).model(f"{name}-model", [name], region=region)
        ladder = ["first-model", "second-model", "third-model"]
        config.tasks["support"] = {"models": ladder}
        config.tasks["summaries"] = {"models": ladder}
        self.agent = self.world.agent(config)

    def ask(self, count, task="support", **headers):
        fields = {"X-Weir-Task-Type": task}
        fields.update({name.replace("_", "-"): value for name, value in headers.items()})
        return [self.agent.chat("auto", headers=fields) for _ in range(count)]

    def report(self, requests, *arguments, shed=0):
        """The report, once all of the requests are in the ledger."""

        def whole():
            found = json.loads(self.agent.ctl("report", "--json", *arguments))
            return found if found["requests"] >= requests and found["shed"] >= shed else None

        return weir.wait_until(whole, f"a report of {requests} requests")

    def served(self, report):
        return [report["levels"][f"L{level}"]["requests"] for level in range(5)]

    def test_known_numbers_at_each_level(self):
        """Requests at each level, those that failed, and those that had no route at all."""
        self.ask(5)
        self.fakes["first"].script(status=500)
        self.ask(2)
        self.fakes["second"].script(status=500)
        self.ask(1)
        self.fakes["third"].script(status=500)
        self.ask(1, "summaries")
        self.ask(1, X_Weir_Region="mars")
        report = self.report(10)
        self.assertEqual(self.served(report), [5, 2, 1, 0, 2])
        self.assertEqual(sum(self.served(report)) + report["shed"], report["requests"])
        shares = sum(report["levels"][f"L{level}"]["share"] for level in range(5))
        self.assertAlmostEqual(shares, 1.0)
        self.assertEqual(report["residency_violations"], 0)
        tasks = {task["task_type"]: task for task in report["tasks"]}
        self.assertEqual((tasks["support"]["requests"], tasks["support"]["failures"]), (9, 1))
        self.assertEqual((tasks["summaries"]["requests"], tasks["summaries"]["failures"]), (1, 1))
        alone = self.report(1, "--task", "summaries")
        self.assertEqual(self.served(alone), [0, 0, 0, 0, 1])
        self.assertIn("residency violations: 0", self.agent.ctl("report"))
        self.assert_live_statistics_agree()
        self.assert_tasks_agree()

    def assert_live_statistics_agree(self):
        lines = self.agent.admin("/metrics").body.decode().splitlines()
        for line in (
            'weir_level_requests_total{task_type="support",level="L0"} 5',
            'weir_level_requests_total{task_type="summaries",level="L4"} 1',
            'weir_unserved_total{task_type="support",why="no_route"} 1',
            'weir_failovers_total{model="first-model"} 4',
            'weir_model_requests_total{model="first-model"} 9',
        ):
            self.assertIn(line, lines)
        levels = self.agent.status()["levels"]["last_hour"]
        self.assertEqual([levels[f"L{level}"]["requests"] for level in range(5)], [5, 2, 1, 0, 2])

    def assert_tasks_agree(self):
        tasks = json.loads(self.agent.ctl("tasks", "--json"))["tasks"]
        support = next(task for task in tasks if task["task_type"] == "support")
        self.assertEqual((support["calls"], support["levels"]["L1"]), (9, 2))
        self.assertAlmostEqual(support["failover_rate"], 3 / 9)
        self.assertGreater(support["cost_per_task_usd"], 0)
        self.assertEqual(support["providers"]["third"]["success_rate"], 1.0)

    def test_a_request_that_finds_nothing_below_is_counted_once(self):
        """Its first model failed, and no other is in its region: a request still, and failed."""
        self.fakes["first"].script(status=500)
        (answer,) = self.ask(1, X_Weir_Region="eu")
        self.assertGreaterEqual(answer.status, 500)
        report = self.report(1)
        self.assertEqual(self.served(report), [0, 0, 0, 0, 1])
        self.assertEqual(report["residency_violations"], 0)
        self.assertEqual(self.fakes["second"].stats()["requests"], 0)

    def test_what_was_put_off_is_no_failure(self):
        """Batch work without room: shed in the report, in its priority's line."""
        self.fakes["first"].script(status=429, retry_after=30)
        for name in ("second", "third"):
            self.fakes[name].script(status=429, retry_after=30)
        self.agent.ctl("mode", "set", "adaptive", "--reason", "test")
        self.ask(3)

        def shed():
            answer = self.ask(1, "summaries", X_Weir_Priority="batch")[0]
            code = answer.json()["error"].get("code")
            return answer if code == "shed" else None

        weir.wait_until(shed, "a batch request that is put off")
        report = self.report(4, shed=1)
        tasks = {(task["task_type"], task["priority"]): task for task in report["tasks"]}
        batch = tasks["summaries", "batch"]
        self.assertEqual(batch["shed"], report["shed"])
        self.assertEqual(batch["requests"] - batch["shed"], batch["failures"])
        self.assertEqual(tasks["support", "interactive"]["failures"], 3)


if __name__ == "__main__":
    unittest.main()
