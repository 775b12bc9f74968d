# SPDX-License-Identifier: Apache-2.0
"""A route that breaks a residency rule or a contract term is never used, whatever fails (seed
document 001, "Eligibility before preference"): every failure that the scripted provider knows, at
either of the two legal providers or at both, on whole answers and streams, in every mode and with
every policy that makes Weir go elsewhere. The forbidden providers are the healthiest, the cheapest
and the first in the order, and stand on every rung."""

import json
import unittest
from concurrent.futures import ThreadPoolExecutor

import weir_harness as weir

LEGAL = ("eu_one", "eu_two")
# Where a failure would most like to go: cheap and healthy, but in the wrong region or without the
# contract.
FORBIDDEN = ("us_cheap", "eu_keeps_data", "us_answers")
FAULTS = {
    "hang": {"fault": "hang"},
    "reset": {"fault": "reset"},
    "close": {"fault": "close"},
    "garbage head": {"fault": "garbage_head"},
    "silent after the head": {"fault": "stall_after_head"},
    "web page": {"fault": "html_200"},
    "error in a 200": {"fault": "error_in_200"},
    "error as first event": {"fault": "error_first_event"},
    "error after output": {"fault": "error_after"},
    "stall after output": {"fault": "stall_mid_stream"},
    "cut after output": {"fault": "cut_fin"},
    "reset after output": {"fault": "cut_rst"},
    "empty": {"fault": "empty"},
    "no choices": {"fault": "no_choices"},
    "malformed": {"fault": "malformed_json"},
    "short": {"fault": "short_length"},
    "not listening": {"listening": False},
    **{str(status): {"status": status} for status in (400, 401, 402, 403, 404, 413, 429, 500, 502, 503, 529)},
    "429 with a hint": {"status": 429, "retry_after": 1},
    "out of credit": {"status": 429, "body": {"error": {"code": "insufficient_quota", "message": "no"}}},
    "prompt too long": {
        "status": 400,
        "body": {"error": {"code": "context_length_exceeded", "message": "maximum context length"}},
    },
}
ASKED = {"X-Weir-Region": "eu, ch", "X-Weir-Terms": "no_retention"}
# So many ask at a time; those behind them find breakers that have opened.
CALLERS = 5
TASKS = ("plain", "restarts", "continues", "hedges")


class Residency(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = weir.World()
        cls.addClassCleanup(cls.world.close)
        cls.fakes = {name: cls.world.fake() for name in LEGAL + FORBIDDEN}

    def setUp(self):
        for fake in self.fakes.values():
            fake.reset(chunk_tokens=4)
        config = weir.Config()
        config.sections["timing"].update({"summary_interval_s": 1, "summary_max_age_s": 60})
        for name, fake in self.fakes.items():
            limits = {"ttft_timeout_ms": 300, "idle_timeout_ms": 300}
            config.provider(name, fake.port, **limits)
        order = ["us_cheap", "eu_keeps_data", *LEGAL]
        for model in ("first", "second"):
            config.model(model, order)
            for route in config.models[model]:
                self.describe(route)
        config.model("answers", ["us_answers"])
        self.describe(config.models["answers"][0])
        ladder = {"models": ["first", "second"], "answer_model": "answers", "deadline_ms": 3000}
        config.tasks["plain"] = ladder
        config.tasks["restarts"] = {**ladder, "mid_stream": "restart"}
        config.tasks["continues"] = {**ladder, "mid_stream": "continue"}
        config.tasks["hedges"] = {**ladder, "hedge": True}
        self.agent = self.world.agent(config)
        self.addCleanup(self.agent.begin_stop)

    @staticmethod
    def describe(route):
        name = route["provider"]
        route["region"] = name[:2]
        route["terms"] = [] if name == "eu_keeps_data" else ["no_retention"]
        route["capabilities"] = ["stream", "tools", "json_schema", "images", "prefill"]
        price = 0.1 if name in FORBIDDEN else 5.0
        route["price"] = {"input": price, "output": price}

    def assert_nobody_forbidden(self, where):
        for name in FORBIDDEN:
            self.assertEqual(self.fakes[name].stats()["requests"], 0, f"{name}, {where}")

    def ask_all_ways(self, where):
        """Each way to ask that changes where Weir would go next; answers may be failures."""
        with ThreadPoolExecutor(CALLERS) as callers:
            asked = []
            for number, task in enumerate(TASKS):
                for stream in (False, True):
                    headers = {"X-Weir-Task-Type": task, "X-Weir-Deadline-Ms": "1500", **ASKED}
                    if number == 1:
                        headers["X-Weir-Single-Shot"] = "true"
                    if number == 2:
                        headers["X-Weir-Sort"] = "price"
                    asked.append(callers.submit(self.agent.chat, "auto", stream, headers=headers))
            body = {"provider": {"order": ["us_cheap"], "allow_fallbacks": True}, "models": ["second"]}
            asked.append(callers.submit(self.agent.chat, "first", headers=ASKED, **body))
            asked.append(callers.submit(self.agent.message, "first", headers=ASKED))
        for each in asked:
            self.assertIn(each.result().headers["X-Weir-Provider"], (*LEGAL, None), where)

    def each_failure(self, mode):
        weir.wait_until(lambda: self.agent.status()["summary"], "a first summary")
        self.agent.turn(mode)
        for name, script in FAULTS.items():
            for failing in ((LEGAL[0],), (LEGAL[1],), LEGAL):
                where = f"{name} at {', '.join(failing)}, {mode}"
                with self.subTest(where):
                    for provider in failing:
                        self.fakes[provider].script(**script)
                    self.ask_all_ways(where)
                    self.assert_nobody_forbidden(where)
                    for provider in failing:
                        self.fakes[provider].reset(chunk_tokens=4)

    def test_in_adaptive_mode_whatever_fails(self):
        self.each_failure("adaptive")

    def test_in_the_fixed_order_whatever_fails(self):
        self.each_failure("fixed")

    def test_the_same_providers_serve_who_asks_for_nothing(self):
        """Or the other tests would prove nothing: the forbidden ones are there, and preferred."""
        self.fakes["us_cheap"].script(times=1, status=500)
        seen = {self.agent.chat("first").headers["X-Weir-Provider"] for _ in range(3)}
        self.assertEqual(seen, {"us_cheap", "eu_keeps_data"})

    def test_without_a_legal_route_the_refusal_names_each_rule(self):
        """One clear answer, that nobody else may serve, and a ledger of no attempt at all."""
        answer = self.agent.chat("first", headers={"X-Weir-Region": "ch"})
        names = ("Attempts", "Level")
        told = [answer.headers[f"X-Weir-{name}"] for name in names]
        self.assertEqual((answer.status, told), (400, ["0", "L4"]))
        error = answer.json()["error"]
        self.assertEqual(error["code"], "no_eligible_route")
        for route in ("us_cheap/up/us_cheap/first@us", "eu_one/up/eu_one/first@eu"):
            self.assertIn(f"{route} is excluded by its region", error["message"])
        terms = self.agent.chat(
            "first", headers={"X-Weir-Region": "eu", "X-Weir-Terms": "no_retention,hipaa"})
        self.assertIn("eu_one/up/eu_one/first@eu is excluded by its contract terms",
                      terms.json()["error"]["message"])
        self.assertEqual(self.agent.ledger(), [])

    def test_the_operators_flag_removes_the_last_legal_route(self):
        """Disabled is disabled, and not a reason to go where the law forbids."""
        for provider in LEGAL:
            self.agent.ctl(
                "settings", "set", f"route.first.{provider}.enabled=false", "--reason", "test")

        def refused():
            answer = self.agent.chat("first", headers=ASKED)
            return answer if answer.status == 400 else None

        answer = weir.wait_until(refused, "the flag to act")
        self.assertIn("the operator's enable flag", json.dumps(answer.json()))
        self.assert_nobody_forbidden("disabled")


if __name__ == "__main__":
    unittest.main()
