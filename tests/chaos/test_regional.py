# SPDX-License-Identifier: Apache-2.0
"""The regional incident of seed document 001 with real processes: provider A fails in the EU, A in the
US is healthy and forbidden, provider B takes over within its quota, batch work is put off, B begins to
refuse, the own small server takes the overflow, and A comes back. The minutes of the document are
seconds here; the report at the end is the one that an operator would read."""

import json
import threading
import time
import unittest

import weir_harness as weir

PROVIDERS = ("a_eu", "a_us", "b_eu", "own", "faq")
# Requests a second by kind: who asks, where, and for which task.
KINDS = {
    "chat": (12.0, {"X-Weir-Region": "eu", "X-Weir-Task-Type": "support-chat"}),
    "dispute": (2.0, {"X-Weir-Region": "eu", "X-Weir-Task-Type": "refund-dispute"}),
    "us": (2.0, {"X-Weir-Region": "us", "X-Weir-Task-Type": "support-chat"}),
    "nightly": (5.0, {"X-Weir-Region": "eu", "X-Weir-Task-Type": "ticket-summary"}),
}
# B may take the interactive work of A and not its batch work too.
B_QUOTA_RPS = 16


class Load:
    """Asks at a fixed pace, whatever becomes of the answers, until it is told to stop."""

    def __init__(self, agent):
        self.agent = agent
        self.answers = []
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._threads = []

    def __enter__(self):
        for kind in KINDS:
            self._start(self._pace, kind)
        return self

    def __exit__(self, *_):
        self._stop.set()
        for thread in list(self._threads):
            thread.join(weir.PATIENCE_S)

    def _start(self, run, *arguments):
        thread = threading.Thread(target=run, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _pace(self, kind):
        rate, headers = KINDS[kind]
        due = time.monotonic()
        number = 0
        while not self._stop.wait(max(0.0, due - time.monotonic())):
            due += 1 / rate
            number += 1
            self._start(self._ask, kind, f"{kind} {number}", headers)

    def _ask(self, kind, text, headers):
        answer = self.agent.chat("auto", text=text, headers=headers)
        names = ("Level", "Provider", "Attempts")
        level, provider, attempts = (answer.headers[f"X-Weir-{name}"] for name in names)
        with self._lock:
            self.answers.append((kind, answer.status, level, provider, int(attempts)))

    def of(self, kind, since=0):
        with self._lock:
            return [answer for answer in self.answers[since:] if answer[0] == kind]

    def mark(self):
        with self._lock:
            return len(self.answers)


class Regional(unittest.TestCase):
    def setUp(self):
        self.world = weir.World()
        self.addCleanup(self.world.close)
        self.fakes = {
            name: self.world.fake({"ttft_ms": 30, "output_tokens": 12}) for name in PROVIDERS
        }
        config = weir.Config()
        config.sections["timing"].update({"summary_interval_s": 1, "summary_max_age_s": 60})
        for name, fake in self.fakes.items():
            config.provider(name, fake.port)
        for model, providers in (
            ("a", ["a_us", "a_eu"]), ("b", ["b_eu"]), ("small", ["own"]), ("faq", ["faq"]),
        ):
            config.model(model, providers)
            for route in config.models[model]:
                route["region"] = "us" if route["provider"] == "a_us" else "eu"
        config.models["b"][0]["quota"] = {"rps": B_QUOTA_RPS}
        config.models["small"][0].update({"max_in_flight": 8, "max_queue": 16})
        ladder = {"models": ["a", "b", "small"], "answer_model": "faq", "deadline_ms": 5000}
        config.tasks["support-chat"] = ladder
        config.tasks["refund-dispute"] = {**ladder, "lowest_level": "L1"}
        config.tasks["ticket-summary"] = {
            "models": ["a", "b"], "priority": "batch", "deadline_ms": 5000}
        self.agent = self.world.agent(config)
        weir.wait_until(lambda: self.agent.status()["summary"], "a first summary")
        self.agent.turn("adaptive")

    def route(self, model, provider):
        models = {each["name"]: each["routes"] for each in self.agent.status()["models"]}
        return next(each for each in models[model] if each["provider"] == provider)

    def breaker(self, model, provider):
        return self.route(model, provider)["breaker"]

    def await_answers(self, kind, count, since):
        """The first `count` answers of that kind after the mark."""
        return weir.wait_until(
            lambda: load_of(self.load, kind, since, count), f"{count} answers of {kind}", 90)

    def test_minute_by_minute(self):
        with Load(self.agent) as self.load:
            self.calm()
            self.a_fails_in_the_eu()
            self.b_refuses_a_part()
            self.a_recovers()
        self.nobody_noticed_more_than_the_level()
        self.the_report_says_so()

    def calm(self):
        """10:00. Everything at the first choice."""
        for kind in KINDS:
            served = self.await_answers(kind, 10, 0)
            self.assertEqual({answer[1:3] for answer in served}, {(200, "L0")})
        self.assertEqual({answer[3] for answer in self.load.of("chat")}, {"a_eu"})

    def a_fails_in_the_eu(self):
        """10:02. The breaker opens; B is next, within its quota, and the batch work waits."""
        self.fakes["a_eu"].script(status=503)
        weir.wait_until(lambda: self.breaker("a", "a_eu") != "closed", "the breaker", 30)
        mark = self.load.mark()
        chat = self.await_answers("chat", 80, mark)
        self.assertEqual({answer[1] for answer in chat}, {200})
        at_b = [answer for answer in chat if answer[3] == "b_eu"]
        self.assertGreater(len(at_b), 0.8 * len(chat))
        self.assertEqual({answer[2] for answer in at_b}, {"L1"})
        self.assertEqual({answer[2:4] for answer in self.load.of("us", mark)}, {("L0", "a_us")})
        shed = [answer for answer in self.await_answers("nightly", 20, mark) if answer[1] == 429]
        self.assertGreater(len(shed), 0, "batch gives way")
        self.assertEqual({answer[2] for answer in shed}, {"L4"})

    def b_refuses_a_part(self):
        """10:20. The overflow goes to the own server, but for the disputes that it must not judge."""
        self.fakes["b_eu"].script(capacity_rps=6)
        mark = self.load.mark()

        def overflows():
            return [answer for answer in self.load.of("chat", mark) if answer[2] == "L2"]

        weir.wait_until(lambda: len(overflows()) >= 30, "overflow on the own server", 60)
        self.assertEqual({answer[1] for answer in self.load.of("chat", mark)}, {200})

    def a_recovers(self):
        """10:45. Probes find it, and the traffic returns by and by: a provider that has just come
        back is not given everything at once."""
        self.fakes["a_eu"].script(status=None)
        self.fakes["b_eu"].script(capacity_rps=0)
        weir.wait_until(lambda: self.breaker("a", "a_eu") == "closed", "a closed breaker", 60)

        def returned(answers):
            return sum(answer[2] == "L0" for answer in answers)

        rates = []

        def more_and_more():
            """Than the least, for the rate of before is shown until the next exchange."""
            rates.append(self.route("a", "a_eu")["permitted_rps"])
            return rates[-1] > 1.1 * min(rates)

        first = self.await_answers("chat", 20, self.load.mark())
        self.assertLess(returned(first), 20)
        weir.wait_until(more_and_more, "more and more of it", 60)
        weir.wait_until(
            lambda: returned(self.load.of("chat")[-30:]) >= 15, "the traffic on its way back", 60)

    def nobody_noticed_more_than_the_level(self):
        answers = self.load.answers
        chat = [answer for answer in answers if answer[0] in ("chat", "us")]
        self.assertEqual({answer[1] for answer in chat}, {200})
        self.assertEqual({answer[2] for answer in answers if answer[0] == "dispute"} - {"L0", "L1", "L4"}, set())
        # The first of them met A before its breaker opened, and found no room below.
        statuses = {answer[1] for answer in answers if answer[0] == "nightly"}
        self.assertLessEqual(statuses, {200, 429, 503})

    def the_report_says_so(self):
        """Read from the ledger: the shares, the times, and not one call in the wrong region."""
        asked = len(self.load.answers)

        def whole():
            report = json.loads(self.agent.ctl("report", "--since", "1h", "--json"))
            return report if report["requests"] >= asked else None

        report = weir.wait_until(whole, "a report of all requests")
        print(self.agent.ctl("report", "--since", "1h"))
        self.assertEqual(report["requests"], asked)
        self.assertEqual(report["residency_violations"], 0)
        seen = [sum(answer[2] == f"L{level}" for answer in self.load.answers) for level in range(5)]
        levels = [report["levels"][f"L{level}"]["requests"] for level in range(5)]
        self.assertEqual(levels[:4], seen[:4])
        self.assertEqual(report["shed"] + levels[4], seen[4])
        self.assertGreater(report["shed"], 0)
        rows = self.agent.ledger("regions_asked = 'eu' AND route LIKE '%@us'")
        self.assertEqual(rows, [])
        disputes = self.agent.ledger("task_type = 'refund-dispute' AND level > 1")
        self.assertEqual(disputes, [])


def load_of(load, kind, since, count):
    found = load.of(kind, since)
    return found[:count] if len(found) >= count else None


if __name__ == "__main__":
    unittest.main()
