# SPDX-License-Identifier: Apache-2.0
"""What a caller may ask for besides the answer, and answers that come in another form than asked."""

import json
import unittest

from dialects import ANTHROPIC, DIALECTS, OPENAI, good
from raw_provider import KEEP, sse, whole
from wire_case import MODES, WireCase

METADATA = {"X-Weir-Metadata": "enabled"}


class Options(WireCase):
    AGENT = {"optional_betas": ["spare-*"]}
    PROVIDERS = {
        "one": {"betas": ["known-*"]},
        "two": {"betas": ["known-*", "rare-1"]},
        "strict": {"max_tokens_name": "max_completion_tokens"},
    }
    CHAINS = {("one", "two"): 30, ("one",): 6, ("strict",): 3}

    def test_metadata_stands_in_the_body_or_the_last_event(self):
        """`weir` says who served, how, and what it cost; everything else stays as it came."""
        for dialect, stream in MODES:
            for end in ("done", "eof"):
                with self.subTest(protocol=dialect.name, stream=stream, end=end):
                    events = dialect.events("from one")
                    if end == "eof":
                        events = events[:-1]
                    self.one.play(sse(events) if stream else good(dialect, stream, "from one"))
                    answer = self.ask(dialect, stream, headers=METADATA)
                    self.assert_said(answer, dialect, "from one")
                    values = [json.loads(e) for e in answer.events() if e != "[DONE]"]
                    value = values[-1] if stream else answer.json()
                    told = value.pop("weir")
                    self.assertEqual(told["request_id"], answer.headers["X-Weir-Request-Id"])
                    self.assertEqual(told["route"], answer.headers["X-Weir-Route"])
                    self.assertEqual(told["attempts"], 1)
                    self.assertEqual(told["reason"], "fixed")
                    self.assertFalse(any("weir" in each for each in values[:-1]))
                    if not stream:
                        self.assertEqual(value, dialect.whole("from one"))
                        self.assertEqual(told["usage"]["input_cached"], 10)
                        self.assertGreater(told["cost_micro_usd"], 0)

    def assert_said(self, answer, dialect, text):
        self.assertEqual(answer.status, 200, answer.body)
        self.assertTrue(answer.complete)
        self.assertEqual(dialect.said(answer), text)

    def test_no_metadata_unasked(self):
        """Without the header nothing of it stands in the body."""
        for dialect, stream in MODES:
            with self.subTest(protocol=dialect.name, stream=stream):
                self.one.play(good(dialect, stream, "x"))
                self.assertNotIn(b'"weir"', self.ask(dialect, stream).body)

    def test_b138_a_beta_goes_only_where_it_is_allowed(self):
        """Who does not allow a beta does not get the request; an optional one is dropped."""
        cases = {
            "known-2, known-3": ("one", "known-2,known-3"),
            "known-2,rare-1": ("two", "known-2,rare-1"),
            "spare-9,known-2": ("one", "known-2"),
            "spare-9": ("one", None),
        }
        for betas, (provider, forwarded) in cases.items():
            with self.subTest(betas=betas):
                self.one.play(good(ANTHROPIC, False, "from one"))
                self.two.play(good(ANTHROPIC, False, "from two"))
                headers = {"anthropic-beta": betas, "anthropic-version": "2023-06-01"}
                answer = self.ask(ANTHROPIC, headers=headers)
                self.assert_served(answer, ANTHROPIC, provider, f"from {provider}")
                sent = self.raw[provider].requests[0].headers
                self.assertEqual(sent["anthropic-beta"], forwarded)
                self.assertEqual(len(self.attempts(answer)), 1)

    def test_b138_a_beta_that_nobody_allows_is_refused_by_name(self):
        """The caller hears which one, and under which key it could be allowed."""
        for dialect in DIALECTS:
            answer = self.ask(dialect, headers={"anthropic-beta": "odd-1"})
            self.assertEqual(answer.status, 400)
            self.assertIn("odd-1", answer.json()["error"]["message"])
            self.assertIn("betas", answer.json()["error"]["message"])

    def test_one_json_document_instead_of_a_stream_becomes_one(self):
        """A caller that asked for a stream gets a stream, whole and well ended."""
        for dialect in DIALECTS:
            with self.subTest(protocol=dialect.name):
                self.one.play(whole(dialect.whole("no stream")))
                answer = self.ask(dialect, True)
                self.assertEqual(answer.headers["Content-Type"], "text/event-stream")
                self.assert_served(answer, dialect, "one", "no stream")

    def test_a_stream_instead_of_one_json_document_fails_over(self):
        """Events that nobody asked for are no answer."""
        for dialect in DIALECTS:
            with self.subTest(protocol=dialect.name):
                self.one.play(sse(dialect.events("x"), end=KEEP))
                self.two.play(good(dialect, False, "from two"))
                answer = self.ask(dialect, False)
                self.assert_served(answer, dialect, "two", "from two")
                self.assertEqual(self.attempts(answer), [("one", "malformed"), ("two", "ok")])

    def test_b083_the_length_limit_goes_by_the_providers_name(self):
        """One of the two names goes up, the smaller number where both came."""
        for limits, sent in (
            ({"max_tokens": 9}, 9),
            ({"max_completion_tokens": 8}, 8),
            ({"max_tokens": 7, "max_completion_tokens": 9}, 7),
        ):
            with self.subTest(limits=limits):
                self.raw["strict"].play(good(OPENAI, False, "x"))
                answer = self.ask(OPENAI, model=self.fresh(OPENAI, ("strict",)), **limits)
                self.assertEqual(answer.status, 200)
                body = self.raw["strict"].requests[0].json()
                self.assertEqual(body["max_completion_tokens"], sent)
                self.assertNotIn("max_tokens", body)


class OtherProtocol(WireCase):
    TRANSLATED = True
    CHAINS = {("one",): 2}

    def test_b138_an_openai_provider_never_gets_the_header(self):
        """It would not know what to make of it: such a request is refused."""
        self.one.play(good(OPENAI, False, "never asked"))
        headers = {"anthropic-beta": "context-1m-2025-08-07"}
        answer = self.ask(ANTHROPIC, False, headers=headers)
        self.assertEqual(answer.status, 400, answer.body)
        self.assertEqual(self.one.requests, [])


if __name__ == "__main__":
    unittest.main()
