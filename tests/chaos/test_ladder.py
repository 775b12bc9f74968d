# SPDX-License-Identifier: Apache-2.0
"""The degradation ladder from outside: what a caller gets, and is told, when the best cannot serve."""

import unittest

import weir_harness as weir

NAMES = ("first", "second", "third", "answers")
REFUSED = "Please try again in a minute, or call the office."


class Ladder(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = weir.World()
        cls.addClassCleanup(cls.world.close)
        cls.fakes = {name: cls.world.fake({"text": f"from {name}"}) for name in NAMES}

    def setUp(self):
        """An agent of its own for each test: no breaker remembers another one's outage."""
        for fake in self.fakes.values():
            fake.reset()
        config = weir.Config()
        for name, fake in self.fakes.items():
            config.provider(name, fake.port).model(f"{name}-model", [name])
        ladder = ["first-model", "second-model", "third-model"]
        config.tasks["review"] = {
            "models": ladder,
            "answer_model": "answers-model",
            "failure_text": REFUSED,
            "failure_retry_after_s": 40,
        }
        config.tasks["strict"] = {"models": ladder, "lowest_level": "L1"}
        self.agent = self.world.agent(config)

    def break_down(self, *names):
        for name in names:
            self.fakes[name].script(status=500)

    def ask(self, task="review", model="auto", stream=False, **headers):
        fields = {"X-Weir-Task-Type": task}
        fields.update({name.replace("_", "-"): value for name, value in headers.items()})
        return self.agent.chat(model, stream, headers=fields)

    def assert_served(self, answer, name, level):
        self.assertEqual(answer.status, 200, answer.body)
        self.assertEqual(answer.headers["X-Weir-Provider"], name)
        self.assertEqual(answer.headers["X-Weir-Level"], level)

    def test_each_rung_says_its_level(self):
        """The level is in every response and in the ledger."""
        for stream in (False, True):
            for fake in self.fakes.values():
                fake.reset()
            for down, name, level in (
                ((), "first", "L0"),
                (("first",), "second", "L1"),
                (("second",), "third", "L2"),
            ):
                with self.subTest(stream=stream, level=level):
                    self.break_down(*down)
                    answer = self.ask(stream=stream)
                    self.assert_served(answer, name, level)
                    rows = self.agent.attempts(answer)
                    self.assertEqual(rows[-1]["level"], int(level[1]))
                    self.assertEqual(rows[-1]["model"], f"{name}-model")
                    levels = [row["level"] for row in rows]
                    self.assertEqual(levels, sorted(levels))

    def test_an_answer_without_a_model_comes_before_a_failure(self):
        """L3 is asked however many models have failed."""
        self.break_down("first", "second", "third")
        self.assert_served(self.ask(), "answers", "L3")

    def test_an_honest_failure_has_the_operators_words(self):
        """L4: the text, and when to come back."""
        self.break_down(*NAMES)
        answer = self.ask()
        self.assertGreaterEqual(answer.status, 500)
        self.assertEqual(answer.headers["X-Weir-Level"], "L4")
        self.assertEqual(answer.headers["Retry-After"], "40")
        self.assertEqual(answer.json()["error"]["message"], REFUSED)
        message = self.agent.message("auto", headers={"X-Weir-Task-Type": "review"})
        self.assertEqual(message.json()["error"]["message"], REFUSED)

    def test_nothing_lower_than_the_lowest_level(self):
        """The task type declares it, or the request."""
        self.break_down("first", "second")
        for answer in (self.ask("strict"), self.ask(X_Weir_Lowest_Level="L1")):
            self.assertEqual(answer.headers["X-Weir-Level"], "L4")
            self.assertGreaterEqual(answer.status, 500)
        self.assertEqual(self.fakes["third"].stats()["requests"], 0)
        self.assertEqual(self.ask(X_Weir_Lowest_Level="L7").status, 400)

    def test_a_named_model_goes_down_only_from_where_it_stands(self):
        """A model that stands on no ladder has none."""
        self.break_down("second")
        self.assert_served(self.ask(model="second-model"), "third", "L1")
        alone = self.ask("default", "second-model")
        self.assertGreaterEqual(alone.status, 500)
        self.assertEqual(self.fakes["first"].stats()["requests"], 0)

    def test_the_callers_own_mistake_moves_nothing(self):
        """A 400 is answered at once, at its level, in the provider's words."""
        self.fakes["first"].script(status=400)
        answer = self.ask()
        self.assertEqual((answer.status, answer.headers["X-Weir-Level"]), (400, "L0"))
        self.assertEqual(answer.headers["X-Weir-Attempts"], "1")
        self.assertEqual(self.fakes["second"].stats()["requests"], 0)

    def test_at_most_two_failovers_and_one_second_try(self):
        """Four calls at the most reach a model, whatever the ladder's length."""
        self.break_down(*NAMES)
        self.ask()
        calls = sum(self.fakes[name].stats()["requests"] for name in NAMES[:3])
        self.assertLessEqual(calls, 4)

    def test_a_broken_step_is_passed_over(self):
        """Once its breakers are open nobody waits for the best model any more: the next one serves at
        once, and the best one again when it has recovered."""
        self.break_down("first")

        def passed_over():
            answer = self.ask()
            return answer.headers["X-Weir-Attempts"] == "1" and answer

        answer = weir.wait_until(passed_over, "the breaker to open")
        self.assert_served(answer, "second", "L1")
        calls = self.fakes["first"].stats()["requests"]
        self.assertEqual(self.agent.attempts(answer)[0]["final"], 1)
        self.fakes["first"].reset()
        weir.wait_until(lambda: self.ask().headers["X-Weir-Level"] == "L0", "the best one again")
        self.assertLessEqual(self.fakes["first"].stats()["requests"], calls + 10)

    def test_where_all_are_broken_the_best_is_tried_all_the_same(self):
        """Before an answer without a model, and however hopeless: it may have come back."""
        self.break_down("first", "second", "third")

        def all_open():
            self.ask()
            routes = [model["routes"][0] for model in self.agent.status()["models"]]
            return sum(route["breaker"] == "open" for route in routes) == 3

        weir.wait_until(all_open, "three open breakers")
        self.fakes["first"].reset()
        answer = self.ask()
        self.assertIn(answer.headers["X-Weir-Provider"], ("first", "answers"))
        self.assertGreaterEqual(self.fakes["first"].stats()["requests"], 1)

    def test_the_last_attempt_is_final_where_nothing_below_may_serve(self):
        """The step below is there, but its model may not serve this request."""
        self.break_down("first")
        config = self.agent.config
        for model in ("second-model", "third-model", "answers-model"):
            config.models[model][0]["region"] = "us"
        config.models["first-model"][0]["region"] = "eu"
        self.agent.write_config()
        self.agent.stop()
        self.agent.start()
        answer = self.ask(X_Weir_Region="eu")
        self.assertEqual((answer.status, answer.headers["X-Weir-Level"]), (500, "L4"))
        rows = self.agent.attempts(answer)
        self.assertEqual([row["final"] for row in rows], [0] * (len(rows) - 1) + [1])

    def test_the_deadline_is_one_for_all_rungs(self):
        """Silent providers together take no longer than the caller waits."""
        for name in NAMES:
            self.fakes[name].script(fault="hang")
        answer = self.ask(X_Weir_Deadline_Ms="1200")
        self.assertEqual(answer.status, 504)
        rows = self.agent.attempts(answer)
        self.assertLessEqual(sum(row["duration_ms"] for row in rows), 2500)
        self.assertGreaterEqual(len(rows), 3)


if __name__ == "__main__":
    unittest.main()
