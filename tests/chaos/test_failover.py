# SPDX-License-Identifier: Apache-2.0
"""A first provider that fails in every known way: the caller notices nothing, and the ledger has the
right word for it."""

import unittest
from concurrent.futures import ThreadPoolExecutor

from faults import FAULTS, PROTOCOLS, Pools
from weir_harness import World

REQUESTS = 200
TEXT = "The river rises over the weir and finds its level, 語🌍 slowly für everyone who waits."


class Failover(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = World()
        cls.addClassCleanup(cls.world.close)
        pools = Pools(cls.world)
        cls.healthy, cls.agent = pools.healthy, pools.agent

    def ask(self, name, protocol, stream):
        model = f"{name}-{protocol}"
        if protocol == "openai":
            return self.agent.chat(model, stream)
        return self.agent.message(model, stream)

    def assert_good(self, answer, protocol, stream):
        self.assertEqual(answer.status, 200, answer.body)
        self.assertTrue(answer.complete)
        self.assertEqual(answer.headers["X-Weir-Provider"], f"ok_{protocol}")
        if stream:
            last = "[DONE]" if protocol == "openai" else '{"type":"message_stop"}'
            self.assertEqual(answer.events()[-1], last)
        elif protocol == "openai":
            self.assertEqual(answer.json()["choices"][0]["message"]["content"], TEXT)
        else:
            self.assertEqual(answer.json()["content"][0]["text"], TEXT)

    def test_every_fault_is_hidden_and_named(self):
        cases = [
            (name, protocol, stream)
            for name in FAULTS
            for protocol in PROTOCOLS
            for stream in (True, False)
        ]
        work = [cases[at % len(cases)] for at in range(REQUESTS)]
        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(lambda case: self.ask(*case), work))
        struck = {name: 0 for name in FAULTS}
        for (name, protocol, stream), answer in zip(work, answers):
            with self.subTest(fault=name, protocol=protocol, stream=stream):
                self.assert_good(answer, protocol, stream)
                rows = self.agent.attempts(answer)
                self.assertEqual([row["attempt"] for row in rows], list(range(1, len(rows) + 1)))
                self.assertEqual(rows[-1]["outcome"], "ok")
                for row in rows[:-1]:
                    self.assertEqual(row["provider"], f"{name}_{protocol}")
                    self.assertEqual(row["outcome"], FAULTS[name][2])
                    struck[name] += 1
        for name, count in struck.items():
            self.assertGreater(count, 0, f"{name} never struck")

    def test_the_callers_own_mistake_is_passed_on_after_one_attempt(self):
        for protocol in PROTOCOLS:
            for stream in (True, False):
                with self.subTest(protocol=protocol, stream=stream):
                    before = self.healthy.stats()["requests"]
                    answer = self.ask("s400", protocol, stream)
                    self.assertEqual(answer.status, 400)
                    self.assertEqual(answer.headers["X-Weir-Attempts"], "1")
                    self.assertIn("The request is not valid", answer.json()["error"]["message"])
                    outcomes = [row["outcome"] for row in self.agent.attempts(answer)]
                    self.assertEqual(outcomes, ["bad_request"])
                    self.assertEqual(self.healthy.stats()["requests"], before)


if __name__ == "__main__":
    unittest.main()
