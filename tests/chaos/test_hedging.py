# SPDX-License-Identifier: Apache-2.0
"""Hedging from outside: a task type that allows it asks a second provider while the first is silent,
takes whoever speaks first, cancels the other, and does so for one request in fifty at most."""

import threading
import unittest

import weir_harness as weir


def talk(name):
    """One conversation of one task, which does not explore after its first call."""
    return {
        "X-Weir-Task-Type": "hedged",
        "X-Weir-Task-Id": f"task {name}",
        "X-Weir-Conversation-Id": f"talk {name}",
    }


class Hedging(unittest.TestCase):
    def setUp(self):
        self.world = weir.World()
        self.addCleanup(self.world.close)
        # Slow enough that an attempt may last 4.8 s (3.2 times the fastest): a hedge begins at 2 s and
        # speaks at 3.5 s.
        self.fakes = {name: self.world.fake({"ttft_ms": 1500}) for name in ("a", "b")}
        config = weir.Config()
        config.sections["timing"].update({"summary_interval_s": 1, "summary_max_age_s": 60})
        for name, fake in self.fakes.items():
            config.provider(name, fake.port)
        config.model("m", ["a", "b"])
        for route, price in zip(config.models["m"], (0.5, 1.0)):
            route["price"] = {"input": price, "cached_input": price / 5, "output": price * 4}
        config.tasks["hedged"] = {"models": ["m"], "hedge": True}
        self.agent = self.world.agent(config)

    def ask(self, stream, headers, **more):
        return self.agent.chat(stream=stream, headers=headers, max_tokens=64, **more)

    def warm(self):
        """Sixty requests at once: enough to be compared with, and to have paid for one hedge."""
        headers = {"X-Weir-Task-Type": "hedged"}
        callers = [
            threading.Thread(target=self.ask, args=(True, headers), kwargs={"text": f"call {number}"})
            for number in range(60)
        ]
        for caller in callers:
            caller.start()
        for caller in callers:
            caller.join(weir.PATIENCE_S)

    def lead(self, provider):
        """Waits until the provider leads, and its speed is known."""

        def leads():
            route = self.agent.status()["models"][0]["routes"][0]
            assert route["provider"] == provider
            return route.get("rank") == 1 and (route.get("score") or 0) > 0

        weir.wait_until(leads, f"{provider} to lead")

    def begin_at_a(self, stream, headers):
        """The first call of the task may have explored; the conversation is begun anew then."""

        def served():
            headers["X-Weir-Conversation-Id"] += "'"
            return self.ask(stream, headers).headers["X-Weir-Provider"] == "a"

        weir.wait_until(served, "a to serve")

    def test_the_first_to_speak_answers(self):
        self.agent.ctl("mode", "set", "adaptive", "--reason", "test")
        for stream in (True, False):
            with self.subTest(stream=stream):
                self.warm()
                self.lead("a")
                first, second = talk(f"1 {stream}"), talk(f"2 {stream}")
                self.begin_at_a(stream, first)
                self.begin_at_a(stream, second)
                cancelled = self.fakes["a"].stats()["cancelled"]
                self.fakes["a"].script(fault="hang", times=1)
                answer = self.ask(stream, first)
                self.assertEqual((answer.status, answer.complete), (200, True))
                self.assertEqual(answer.headers["X-Weir-Provider"], "b")
                self.assertEqual(answer.headers["X-Weir-Attempts"], "2")
                rows = self.agent.attempts(answer)
                told = [(row["provider"], row["outcome"], row["hedged"]) for row in rows]
                self.assertEqual(told, [("a", "client_cancelled", 1), ("b", "ok", 1)])
                self.assertIsNone(rows[0]["cost_micro_usd"])
                weir.wait_until(
                    lambda: self.fakes["a"].stats()["cancelled"] > cancelled, "a to be let go"
                )
                # Another one so soon is not paid for: the silent one is waited for, then left.
                self.fakes["a"].script(fault="hang", times=1)
                rows = self.agent.attempts(self.ask(stream, second))
                told = [(row["provider"], row["outcome"], row["hedged"]) for row in rows]
                self.assertEqual(told, [("a", "ttft_timeout", 0), ("b", "ok", 0)])


if __name__ == "__main__":
    unittest.main()
