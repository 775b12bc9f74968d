# SPDX-License-Identifier: Apache-2.0
"""Holds, breakers and what counts as a failure, seen from a client and from the providers."""

import threading
import time
import unittest

from dialects import DIALECTS, OPENAI, good
from raw_provider import RST, SILENT, Answer, Pause, sse, whole
from weir_harness import wait_until
from wire_case import MODES, WireCase

# Of this many attempts the gate believes that a route is out, even where it saw nothing else.
BELIEVED = 3
KEPT_S = 3.0


def busy(dialect, **headers):
    fields = {name.replace("_", "-"): value for name, value in headers.items()}
    return whole(dialect.error("busy"), 429, headers=fields)


class Gates(WireCase):
    def route(self, model, provider):
        models = {each["name"]: each for each in self.agent.status()["models"]}
        return next(r for r in models[model]["routes"] if r["provider"].startswith(provider))

    def all_at_once(self, model, count):
        """As many clients as that: their threads, and the answers as they come."""
        answers = []
        threads = [
            threading.Thread(target=lambda: answers.append(self.ask(OPENAI, False, model)))
            for _ in range(count)
        ]
        for thread in threads:
            thread.start()
        return threads, answers


class Holds(Gates):
    CHAINS = {("one", "two"): 6, ("one", "two", "three"): 2}
    PROVIDERS = {"one": {}, "two": {}, "three": {}}

    def test_b021_a_hold_lasts_until_the_latest_of_its_ends(self):
        """Requests in flight end one after the other, with a longer wait first, last, or none."""
        long, short = {"Retry_After": 20}, {"Retry_After": 1}
        for first, later in ((long, short), (short, long), (long, {})):
            with self.subTest(first=first, later=later):
                model = self.fresh(OPENAI)
                go = threading.Event()
                steps = [Answer(go.is_set, *busy(OPENAI, **later).segments)] * (BELIEVED + 2)
                self.one.play(busy(OPENAI, **first), *steps, busy(OPENAI))
                self.two.play(good(OPENAI, False, "fine"))
                threads, answers = self.all_at_once(model, BELIEVED + 3)
                self.one.wait_requests(BELIEVED + 3)
                go.set()
                for thread in threads:
                    thread.join()
                self.assertEqual({answer.status for answer in answers}, {200})
                self.assert_left_alone(model)

    def assert_left_alone(self, model):
        """Nobody asks provider one again, after the moment in which the gate decides."""

        def is_held():
            return self.ask(OPENAI, False, model).headers["X-Weir-Attempts"] == "1"

        wait_until(is_held, "the hold", 5)
        seen = len(self.one.requests)
        until = time.monotonic() + KEPT_S
        while time.monotonic() < until:
            self.assertEqual(self.ask(OPENAI, False, model).status, 200)
            time.sleep(0.1)
        self.assertEqual(len(self.one.requests), seen)

    def test_b022_what_an_agent_saw_itself_counts_at_once(self):
        """Calls one by one, ten a second: within two seconds it is a verdict, and none goes there until
        the time is over; then somebody looks again."""
        for dialect in DIALECTS:
            with self.subTest(protocol=dialect.name):
                model = self.fresh(dialect)
                self.one.play(busy(dialect, Retry_After=6))
                self.two.play(good(dialect, False, "fine"))
                began = time.monotonic()
                while time.monotonic() < began + 5:
                    self.assertEqual(self.ask(dialect, False, model).status, 200)
                    time.sleep(0.1)
                late = [each for each in self.one.requests if each.at > began + 2]
                self.assertEqual(late, [])
                self.one.play(good(dialect, False, "well again"))
                wait_until(
                    lambda: self.ask(dialect, False, model).headers["X-Weir-Provider"][:3] == "one",
                    "the route to be used again",
                )

    def test_b033_where_all_are_out_somebody_is_asked_all_the_same(self):
        """Every provider is held: a request is not refused unheard, and when the chosen one fails, too,
        the client hears the shortest wait."""
        model = self.fresh(OPENAI, ("one", "two", "three"))
        for provider, wait in ((self.one, 30), (self.two, 9), (self.raw["three"], 20)):
            provider.play(busy(OPENAI, Retry_After=wait))
        for _ in range(BELIEVED + 3):
            answer = self.ask(OPENAI, False, model)
        asked = sum(len(each.requests) for each in self.raw.values())
        answer = self.ask(OPENAI, False, model)
        self.assertEqual(answer.status, 429)
        self.assertLessEqual(int(answer.headers["Retry-After"]), 9)
        self.assertGreater(sum(len(each.requests) for each in self.raw.values()), asked)
        for provider in self.raw.values():
            provider.play(good(OPENAI, False, "well again"))
        self.assertEqual(self.ask(OPENAI, False, model).status, 200)

    def test_b037_the_wait_reaches_the_client(self):
        """The shortest of all attempts, rounded up, and the provider's own word on retrying."""
        for dialect, stream in MODES:
            with self.subTest(protocol=dialect.name, stream=stream):
                model = self.fresh(dialect)
                self.one.play(busy(dialect, Retry_After=30, x_should_retry="true"))
                self.two.play(busy(dialect, retry_after_ms="12400", x_should_retry="true"))
                answer = self.ask(dialect, stream, model)
                self.assertEqual((answer.status, answer.headers["Retry-After"]), (429, "13"))
                self.assertEqual(answer.headers["x-should-retry"], "true")


class Failures(Gates):
    CHAINS = {("one", "two", "three"): 4, ("one",): 4}
    PROVIDERS = {
        "one": {"idle_timeout_ms": 300, "ttft_timeout_ms": 600},
        "two": {},
        "three": {},
    }

    def test_b023_every_attempt_counts_not_only_the_first(self):
        """Two providers fail before the third answers: both have a failure for each request."""
        model = self.fresh(OPENAI, ("one", "two", "three"))
        self.one.play(whole(OPENAI.error("broken"), 500))
        self.two.play(whole(OPENAI.error("broken"), 500))
        self.raw["three"].play(good(OPENAI, False, "fine"))
        calls = 4
        for _ in range(calls):
            self.assertEqual(self.ask(OPENAI, False, model).status, 200)
        wait_until(lambda: len(self.agent.ledger("model = ?", model)) >= 3 * calls, "the ledger")
        metrics = self.agent.admin("/metrics").body.decode()
        for provider, outcome in (("one", "server_error"), ("two", "server_error"), ("three", "ok")):
            where = "model = ? AND provider LIKE ? AND outcome = ?"
            rows = self.agent.ledger(where, model, f"{provider}%", outcome)
            self.assertEqual(len(rows), calls, provider)
            name = rows[0]["provider"]
            labels = f'model="{model}",provider="{name}",outcome="{outcome}"'
            self.assertIn(f"weir_attempts_total{{{labels}}} {calls}\n", metrics)

    def test_b027_a_failure_needs_no_status(self):
        """Silence after the head, a reset, nonsense instead of HTTP: each is a class of its own, and
        opens the breaker like any other."""
        for step, outcome in (
            (sse([*OPENAI.preamble()], end=SILENT, complete=False), "ttft_timeout"),
            (Answer(end=RST), "reset"),
            (Answer(b"SSH-2.0-OpenSSH\r\n\r\n"), "malformed"),
        ):
            with self.subTest(outcome=outcome):
                model = self.fresh(OPENAI, ("one",))
                self.one.play(step)
                answer = self.ask(OPENAI, True, model)
                self.assertIn(answer.status, (502, 504))
                row = self.agent.attempts(answer)[-1]
                self.assertEqual(row["outcome"], outcome)

                def is_open(model=model):
                    self.ask(OPENAI, True, model)
                    return self.route(model, "one")["breaker"] == "open"

                wait_until(is_open, "the breaker to open")


class Refusals(Gates):
    CHAINS = {("one",): 2}
    ROUTES = {"one": {"quota": {"rps": 1}}}

    def test_b026_what_we_refuse_ourselves_is_no_failure(self):
        """Batch work beyond the only route's rate is put off with a time to come back; nothing counts
        against the provider, which never saw it."""
        self.agent.turn("adaptive")
        self.one.play(good(OPENAI, False, "fine"))
        model = self.fresh(OPENAI, ("one",))
        headers = {"X-Weir-Priority": "batch"}
        answers = [self.ask(OPENAI, False, model, headers) for _ in range(12)]
        put_off = [answer for answer in answers if answer.status != 200]
        self.assertTrue(put_off)
        for answer in put_off:
            self.assertEqual(answer.status, 429)
            self.assertGreaterEqual(int(answer.headers["Retry-After"]), 1)
        served = len(answers) - len(put_off)
        self.assertEqual(len(self.one.requests), served)
        wait_until(lambda: len(self.agent.ledger("model = ?", model)) >= served, "the ledger")
        outcomes = {row["outcome"] for row in self.agent.ledger("model = ?", model)}
        self.assertEqual(outcomes, {"ok"})
        route = self.route(model, "one")
        self.assertEqual((route["breaker"], route["gate"]), ("closed", "open"))
        self.assertIsNone(route["bench_reason"])


class Probes(Gates):
    CHAINS = {("one", "two"): 4}
    TIMING = {"ledger_flush_ms": 5, "breaker_open_s": 1}

    def open_breaker(self, model):
        self.one.play(whole(OPENAI.error("broken"), 500))
        self.two.play(good(OPENAI, False, "fine"))

        def is_open():
            self.assertEqual(self.ask(OPENAI, False, model).status, 200)
            return self.route(model, "one")["breaker"] == "open"

        wait_until(is_open, "the breaker to open")

    def test_b028_a_probe_whose_client_leaves_settles_nothing_and_blocks_nobody(self):
        """The probes hang and their clients go; once the provider is well, it is used again."""
        model = self.fresh(OPENAI)
        self.open_breaker(model)
        self.one.play(Answer(end=SILENT))
        hanging = 0
        until = time.monotonic() + 30
        while hanging < 3 and time.monotonic() < until:
            client = self.client(OPENAI, False, model)
            wait_until(
                lambda: client.is_answered() or len(self.one.requests) > hanging, "an answer or a probe"
            )
            if len(self.one.requests) > hanging:
                hanging += 1
                client.close()
                self.one.wait_closed(self.one.requests[-1])
        self.assertEqual(hanging, 3)
        self.one.play(good(OPENAI, False, "well again"))
        self.await_use(model)

    def await_use(self, model):
        def is_used():
            answer = self.ask(OPENAI, False, model)
            self.assertEqual(answer.status, 200)
            return answer.headers["X-Weir-Provider"].startswith("one")

        wait_until(is_used, "the route to be used again", 60)
        self.await_breaker_closed(model)

    def await_breaker_closed(self, model):
        def is_closed():
            self.ask(OPENAI, False, model)
            return self.route(model, "one")["breaker"] == "closed"

        wait_until(is_closed, "the breaker to close", 60)

    def test_b031_half_open_lets_few_through(self):
        """A crowd waits for the moment; the provider sees three at a time until one has succeeded."""
        model = self.fresh(OPENAI)
        self.open_breaker(model)
        self.one.play(Answer(Pause(1.0), *whole(OPENAI.error("broken"), 500).segments))
        most = 0
        until = time.monotonic() + 6
        while time.monotonic() < until:
            threads, answers = self.all_at_once(model, 30)
            for thread in threads:
                thread.join()
            self.assertEqual({answer.status for answer in answers}, {200})
            times = [request.at for request in self.one.requests]
            most = max(most, *(sum(t <= other < t + 1.0 for other in times) for t in times or [0]))
        self.assertGreaterEqual(len(self.one.requests), 1, "somebody probes")
        self.assertLessEqual(most, 3)

    def test_b032_an_open_route_is_found_again_by_time_alone(self):
        """Nothing but ordinary requests, and the provider is well: a probe goes there by itself."""
        model = self.fresh(OPENAI)
        self.open_breaker(model)
        self.one.play(good(OPENAI, False, "well again"))
        self.await_use(model)


class Speed(Gates):
    CHAINS = {("one",): 4}

    def test_b117_the_first_token_is_the_first_text(self):
        """The role comes at once, the text after a second: that is the time to the first token."""
        for dialect in DIALECTS:
            with self.subTest(protocol=dialect.name):
                words = [dialect.text(f" word{at}" + "x" * 2000) for at in range(40)]
                ending = [*dialect.finish(), dialect.done]
                self.one.play(sse([*dialect.preamble(), Pause(1.0), *words, *ending]))
                model = self.fresh(dialect, ("one",))
                client = self.client(dialect, True, model)
                client.wait_answer()
                row = self.last_row(model, "ok")
                self.assertGreaterEqual(row["ttft_ms"], 950)
                self.assertLess(row["ttft_ms"], 3000)


if __name__ == "__main__":
    unittest.main()
