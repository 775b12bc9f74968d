# SPDX-License-Identifier: Apache-2.0
"""A first provider that fails before its output begins: the caller gets the second one's answer, in
both protocols and with and without streaming alike."""

import itertools
import unittest

from dialects import ANTHROPIC, DIALECTS, data_event, good
from raw_provider import FIN, RST, SILENT, Answer, sse, whole
from weir_harness import dead_port, wait_until
from wire_case import MODES, WireCase

# The limits of a provider that is meant to be too slow; the others have 20 s.
HASTY = {"ttft_timeout_ms": 700, "connect_timeout_ms": 700}


class Failover(WireCase):
    PROVIDERS = {"one": {}, "two": {}, "hasty": HASTY}
    CHAINS = {("one", "two"): 60, ("hasty", "two"): 4}

    def assert_fails_over(self, dialect, stream, outcome, chain=None):
        self.two.play(good(dialect, stream, "from ", "two"))
        answer = self.ask(dialect, stream, self.fresh(dialect, chain))
        self.assert_served(answer, dialect, "two", "from two")
        first = (chain or ("one", "two"))[0]
        self.assertEqual(self.attempts(answer), [(first, outcome), ("two", "ok")])
        return answer

    def test_b001_a_429_or_408_fails_over_although_it_is_4xx(self):
        """429 and 408 are worth a try elsewhere, streams too, and slow the first one down."""
        slowed = []
        for (dialect, stream), (status, outcome) in itertools.product(
            MODES, ((429, "rate_limited"), (408, "overloaded"))
        ):
            with self.subTest(protocol=dialect.name, stream=stream, status=status):
                refusal = whole(
                    dialect.error("come back later"), status, headers={"Retry-After": 20}
                )
                self.one.play(refusal)
                self.two.play(good(dialect, stream, "from two"))
                model = self.fresh(dialect)
                answer = self.ask(dialect, stream, model)
                self.assert_served(answer, dialect, "two", "from two")
                self.assertEqual(self.attempts(answer), [("one", outcome), ("two", "ok")])
                slowed.append((dialect, stream, model))
        for dialect, stream, model in slowed:
            self.two.play(good(dialect, stream, "from two"))
            wait_until(
                lambda: self.attempts(self.ask(dialect, stream, model)) == [("two", "ok")],
                "the one that refused to be left alone",
            )

    def test_b002_overload_as_the_first_event_fails_over(self):
        """An error as the first event of a 200 counts as the status it stands for."""
        for dialect in DIALECTS:
            with self.subTest(protocol=dialect.name):
                overload = dialect.error_event("Overloaded", "overloaded_error")
                self.one.play(sse([overload]))
                answer = self.assert_fails_over(dialect, True, "overloaded")
                self.assertNotIn(b"Overloaded", answer.body)
                self.two.play(sse([overload]))
                refused = self.ask(dialect, True)
                self.assertEqual(refused.status, 529, refused.body)
                self.assertIn("Overloaded", refused.json()["error"]["message"])

    def test_b003_what_comes_before_the_output_does_not_commit(self):
        """A role or message_start is no output: it is dropped when an error follows."""
        for dialect in DIALECTS:
            for error in (
                dialect.error_event("out of credit", "insufficient_quota", "insufficient_quota"),
                data_event({"error": {"code": "insufficient_quota"}}),
            ):
                with self.subTest(protocol=dialect.name, error=error):
                    self.one.play(sse([*dialect.preamble(), error], end=FIN, apart=True))
                    answer = self.assert_fails_over(dialect, True, "no_credit")
                    self.assertEqual(answer.body, b"".join(dialect.events("from ", "two")))

    def test_b006_a_200_that_is_no_answer_fails_over(self):
        """Content type and shape are looked at, not the status alone."""
        image = {"error": {"message": "could not process image"}}
        page = b"<!doctype html><html><body>Bad gateway</body></html>"
        cases = {
            "error in JSON": (whole(image), "server_error"),
            "page": (whole(page, content_type="text/html"), "malformed"),
            "page called JSON": (whole(page), "malformed"),
            "page called a stream": (whole(page, content_type="text/event-stream"), "malformed"),
            "error called a stream": (
                whole(image, content_type="text/event-stream"),
                "server_error",
            ),
            "sound": (whole(b"RIFF....WAVE", content_type="audio/wav"), "malformed"),
            "nothing": (whole(b""), "malformed"),
            "an empty object": (whole({}), "malformed"),
        }
        for (name, (answer, outcome)), (dialect, stream) in itertools.product(cases.items(), MODES):
            with self.subTest(name, protocol=dialect.name, stream=stream):
                if "stream" in name and not stream:
                    continue
                self.one.play(answer)
                self.assert_fails_over(dialect, stream, outcome)

    def test_b006_a_callers_mistake_in_a_200_is_the_callers(self):
        """The error's own type decides: an invalid request is returned as a real 400."""
        for dialect, stream in MODES:
            with self.subTest(protocol=dialect.name, stream=stream):
                self.one.play(whole(dialect.error("bad image", "invalid_request_error")))
                self.two.play(good(dialect, stream, "from two"))
                answer = self.ask(dialect, stream)
                self.assertEqual(answer.status, 400, answer.body)
                self.assertEqual(answer.json()["error"]["message"], "bad image")
                self.assertEqual(self.attempts(answer), [("one", "bad_request")])

    def test_b008_both_endpoints_fail_over_after_a_timeout(self):
        """Silence before the first event fails over on every endpoint."""
        for dialect, stream in MODES:
            with self.subTest(protocol=dialect.name, stream=stream):
                self.raw["hasty"].play(Answer(end=SILENT))
                self.assert_fails_over(dialect, stream, "ttft_timeout", ("hasty", "two"))


class OneWay(WireCase):
    """Streams and whole answers, both endpoints: one routing path."""

    def test_b007_streams_take_the_same_way(self):
        """One routing path: the same failures give the same attempts with and without streaming."""
        steps = {
            "429": lambda d: whole(d.error("later"), 429),
            "401": lambda d: whole(d.error("who are you"), 401),
            "402": lambda d: whole(d.error("no credit"), 402),
            "404": lambda d: whole(d.error("no such model"), 404),
            "500": lambda d: whole(d.error("broken"), 500),
            "502": lambda d: whole(d.error("away"), 502),
            "529": lambda d: whole(d.error("overloaded"), 529),
            "closed": lambda d: Answer(end=FIN),
        }
        for name, step in steps.items():
            seen = set()
            for dialect, stream in MODES:
                self.one.play(step(dialect))
                self.two.play(good(dialect, stream, "from two"))
                answer = self.ask(dialect, stream)
                self.assertEqual(answer.status, 200, (name, answer.body))
                seen.add(tuple(self.attempts(answer)))
            with self.subTest(name):
                self.assertEqual(len(seen), 1, seen)


class LastWord(WireCase):
    """What the caller hears when nobody answers."""

    DEAD = dead_port()
    PROVIDERS = {
        "one": {},
        "two": {},
        "hasty": HASTY,
        "dead": {"port": DEAD},
        "gone": {"port": DEAD},
    }
    ROUTES = {"two": {"context_tokens": 400000}}
    CHAINS = {
        ("one", "two"): 24,
        ("dead", "hasty"): 4,
        ("hasty", "dead"): 4,
        ("dead", "gone"): 4,
        ("dead", "one"): 4,
    }

    def test_b009_the_providers_own_words_reach_the_caller(self):
        """Status, type, message and numbers of the last refusal, not a sentence of ours."""
        message = "input 150000 + max_tokens 20000 > 163840: maximum context length exceeded"
        for dialect, stream in MODES:
            with self.subTest(protocol=dialect.name, stream=stream):
                for provider in (self.one, self.two):
                    provider.play(whole(dialect.error(message, "invalid_request_error"), 400))
                answer = self.ask(dialect, stream)
                self.assertEqual(answer.status, 400)
                error = answer.json()["error"]
                self.assertEqual(error["type"], "invalid_request_error")
                self.assertIn("150000 + max_tokens 20000 > 163840", error["message"])
                outcomes = [("one", "context_overflow"), ("two", "context_overflow")]
                self.assertEqual(self.attempts(answer), outcomes)

    def test_b009_the_most_telling_error_is_shown(self):
        """A refusal with words tells more than a connection that was cut after it."""
        for dialect, stream in MODES:
            with self.subTest(protocol=dialect.name, stream=stream):
                self.one.play(whole(dialect.error("quota of the day"), 429))
                self.two.play(Answer(end=RST))
                answer = self.ask(dialect, stream)
                self.assertEqual(answer.status, 429)
                self.assertEqual(answer.json()["error"]["message"], "quota of the day")

    def test_b015_the_callers_mistake_is_asked_once(self):
        """A 400 is not replayed over the pool, passes as it came and counts against nobody."""
        for dialect, stream in MODES:
            with self.subTest(protocol=dialect.name, stream=stream):
                error = dialect.error("tools.0: schema is not an object", "invalid_request_error")
                self.one.play(whole(error, 400))
                self.two.play(whole(error, 400))
                model = self.fresh(dialect)
                for _ in range(12):
                    answer = self.ask(dialect, stream, model)
                    self.assertEqual((answer.status, answer.json()), (400, error))
                    self.assertEqual(self.attempts(answer), [("one", "bad_request")])
                self.assertEqual(len(self.one.requests), 12)
                self.assertEqual(len(self.two.requests), 0)
                self.one.play(good(dialect, stream, "fine"))
                self.assert_served(self.ask(dialect, stream, model), dialect, "one", "fine")

    def test_b019_nobody_answered_is_502_or_504_or_the_providers_own(self):
        """500 is kept for our own defects."""
        cases = {("dead", "gone"): 502, ("dead", "hasty"): 504, ("dead", "one"): 503}
        for (chain, status), (dialect, stream) in itertools.product(cases.items(), MODES):
            with self.subTest(chain=chain, protocol=dialect.name, stream=stream):
                self.raw["hasty"].play(Answer(end=SILENT))
                self.one.play(whole(dialect.error("maintenance"), 503, headers={"Retry-After": 1}))
                answer = self.ask(dialect, stream, self.fresh(dialect, chain))
                self.assertEqual(answer.status, status, answer.body)
                self.assertIn("message", answer.json()["error"])
                self.assertEqual("type" in answer.json(), dialect is ANTHROPIC)


if __name__ == "__main__":
    unittest.main()
