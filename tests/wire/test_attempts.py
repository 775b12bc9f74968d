# SPDX-License-Identifier: Apache-2.0
"""How often a request is tried, how each attempt is built, and who is not worth one."""

import itertools
import json
import unittest

from dialects import good
from raw_provider import RST, Answer, whole
from wire_case import MODES, WireCase

# Four bytes a token, as a rule of thumb: about 125,000 tokens.
LONG_TEXT = "many a word " * 42000


class Windows(WireCase):
    """Routes whose context is too small for the request."""

    PROVIDERS = {"one": {}, "two": {}, "three": {}}
    ROUTES = {"two": {"context_tokens": 64000}}
    CHAINS = {("one", "two", "three"): 3, ("one", "two"): 3}

    def test_b010_a_window_that_is_too_small_is_not_tried(self):
        """The second one cannot hold the prompt, so the third one is asked."""
        for dialect, stream in MODES:
            with self.subTest(protocol=dialect.name, stream=stream):
                self.one.play(whole(dialect.error("later"), 429))
                self.two.play(whole(dialect.error("too long"), 400))
                self.raw["three"].play(good(dialect, stream, "from three"))
                answer = self.ask(dialect, stream, text=LONG_TEXT)
                self.assert_served(answer, dialect, "three", "from three")
                outcomes = [("one", "rate_limited"), ("three", "ok")]
                self.assertEqual(self.attempts(answer), outcomes)

    def test_b010_the_first_refusal_is_shown_where_nobody_else_fits(self):
        """The caller hears of the rate limit, not of a window it never meant."""
        for dialect, stream in MODES:
            with self.subTest(protocol=dialect.name, stream=stream):
                self.one.play(whole(dialect.error("later"), 429))
                self.two.play(whole(dialect.error("too long"), 400))
                model = self.fresh(dialect, ("one", "two"))
                answer = self.ask(dialect, stream, model, text=LONG_TEXT)
                self.assertEqual(answer.status, 429, answer.body)
                self.assertEqual(self.attempts(answer), [("one", "rate_limited")])


class OwnRecord(WireCase):
    PROVIDERS = {"one": {}, "two": {}}
    CHAINS = {("one", "two"): 4}

    @classmethod
    def add_model(cls, chain, dialect):
        model = super().add_model(chain, dialect)
        second = cls.config.models[model][1]
        second["upstream_model"] = "other/name"
        provider = cls.config.providers[second["provider"]]
        provider["base_url"] = provider["base_url"].replace("/v1", "/api/paas/v4")
        provider["stream_options"] = False
        return model

    def test_b011_each_attempt_is_built_from_the_candidates_own_record(self):
        """Path, key and model are the second one's; all else is the client's untouched body."""
        for dialect, stream in MODES:
            with self.subTest(protocol=dialect.name, stream=stream):
                self.one.play(whole(dialect.error("later"), 429))
                self.two.play(good(dialect, stream, "from two"))
                model = self.fresh(dialect)
                body = dialect.request(model, stream, max_tokens=31000, x_vendor={"k": None})
                raw = json.dumps(body, indent=1).encode()
                answer = self.agent.post(dialect.path, raw)
                self.assert_served(answer, dialect, "two", "from two")
                first, second = self.one.requests[0], self.two.requests[0]
                self.assertEqual(first.target, dialect.path)
                self.assertEqual(second.target, dialect.path.replace("/v1", "/api/paas/v4"))
                keys = [
                    (each.headers["Authorization"] or "") + (each.headers["x-api-key"] or "")
                    for each in (first, second)
                ]
                number = model[1:]
                self.assertTrue(keys[0].endswith(f"sk-one_{number}"), keys)
                self.assertTrue(keys[1].endswith(f"sk-two_{number}"), keys)
                self.assertEqual(second.body, raw.replace(f'"{model}"'.encode(), b'"other/name"'))


class Budget(WireCase):
    """One budget of attempts a request, counted at the providers."""

    CHAINS = {("one", "two"): 4}

    def test_b017_layers_of_retries_do_not_multiply(self):
        """Three tries of a client are one call a provider and try, and it hears when to come."""
        for dialect, stream in MODES:
            with self.subTest(protocol=dialect.name, stream=stream):
                refusal = whole(dialect.error("later"), 429, headers={"Retry-After": 7})
                self.one.play(refusal)
                self.two.play(refusal)
                model = self.fresh(dialect)
                counted = 0
                for _ in range(3):
                    answer = self.ask(dialect, stream, model)
                    self.assertEqual(answer.status, 429)
                    self.assertIn(answer.headers["Retry-After"], ("6", "7"))
                    self.assertLessEqual(int(answer.headers["X-Weir-Attempts"]), 2)
                    counted += int(answer.headers["X-Weir-Attempts"])
                    self.attempts(answer)
                self.assertEqual(len(self.one.requests) + len(self.two.requests), counted)
                self.assertEqual(len(self.agent.ledger("model = ?", model)), counted)


class Spacing(WireCase):
    CHAINS = {("one", "two"): 4}

    def test_b018_attempts_and_their_spacing_are_the_same_everywhere(self):
        """A 503 is tried once more on the same route, a jittered moment later."""
        for dialect, stream in MODES:
            with self.subTest(protocol=dialect.name, stream=stream):
                self.one.play(whole(dialect.error("away"), 503))
                self.two.play(good(dialect, stream, "from two"))
                answer = self.ask(dialect, stream)
                self.assert_served(answer, dialect, "two", "from two")
                outcomes = [("one", "server_error"), ("one", "server_error"), ("two", "ok")]
                self.assertEqual(self.attempts(answer), outcomes)
                first, second = self.one.requests
                self.assertGreaterEqual(second.at - first.at, 0.09)
                self.assertLess(self.two.requests[0].at - second.at, 0.09)


class Hinted(WireCase):
    CHAINS = {("one", "two"): 4}

    def test_b018_retry_after_is_the_floor(self):
        """Who says when to come back is not asked before, on no endpoint."""
        for dialect, stream in MODES:
            with self.subTest(protocol=dialect.name, stream=stream):
                self.one.play(whole(dialect.error("away"), 503, headers={"Retry-After": 2}))
                self.two.play(good(dialect, stream, "from two"))
                answer = self.ask(dialect, stream)
                self.assert_served(answer, dialect, "two", "from two")
                self.assertEqual(self.attempts(answer), [("one", "overloaded"), ("two", "ok")])


class Resets(WireCase):
    CHAINS = {("one", "two"): 8}

    def test_b129_a_reset_after_the_request_is_replayed_within_one_budget(self):
        """Fresh connections that are reset before the status line: twice here, then elsewhere."""
        for (dialect, stream), both in itertools.product(MODES, (False, True)):
            with self.subTest(protocol=dialect.name, stream=stream, both=both):
                self.one.play(Answer(end=RST))
                self.two.play(Answer(end=RST) if both else good(dialect, stream, "from two"))
                answer = self.ask(dialect, stream)
                outcomes = [("one", "reset"), ("one", "reset"), ("two", "reset" if both else "ok")]
                self.assertEqual(self.attempts(answer), outcomes)
                self.assertEqual(answer.status, 502 if both else 200)
                self.assertEqual((len(self.one.requests), len(self.two.requests)), (2, 1))
                self.assertEqual(len(self.one.connections), 2)


if __name__ == "__main__":
    unittest.main()
