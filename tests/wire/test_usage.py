# SPDX-License-Identifier: Apache-2.0
"""Tokens and money: each token in one class, counted once, and nothing invented."""

import unittest

from dialects import ANTHROPIC, DIALECTS, OPENAI, good
from raw_provider import SILENT, Answer, Pause, sse, whole
from weir_harness import wait_until
from wire_case import MODES, WireCase

PRICE = {"input": 3, "cached_input": 0.3, "cache_write": 3.75, "output": 15}
ASK_USAGE = {"stream_options": {"include_usage": True}}


def cost_of(row):
    """Micro-dollars of the tokens that the row itself names; unknown tokens have no price."""
    if row["input_uncached"] is None:
        return None
    classes = ("input_uncached", "input_cached", "cache_write", "output")
    prices = ("input", "cached_input", "cache_write", "output")
    sums = [(row[name] or 0) * PRICE[price] for name, price in zip(classes, prices)]
    return round(sum(sums))


class Usage(WireCase):
    PROVIDERS = {"one": {}, "two": {}, "hasty": {"ttft_timeout_ms": 700}}
    ROUTES = {name: {"price": PRICE} for name in PROVIDERS}
    CHAINS = {("one", "two"): 16, ("hasty",): 3}

    def pings(self, dialect):
        """Events without output, until the client's leaving is noticed at one of them."""
        ping = dialect.event("ping") if dialect is ANTHROPIC else dialect.text("")
        return [Pause(0.1), ping] * 100

    def row_of(self, dialect, stream, answer):
        self.one.play(answer)
        model = self.fresh(dialect)
        more = ASK_USAGE if stream and dialect is OPENAI else {}
        self.assertEqual(self.ask(dialect, stream, model, **more).status, 200)
        return self.last_row(model, "ok")

    def test_b095_cached_tokens_are_priced_once_in_either_protocol(self):
        """OpenAI counts them in the prompt, Anthropic beside it: 20 in full and 10,000 cached."""
        usage = {"input": 10020, "cached": 10000, "output": 7}
        self.assertEqual(OPENAI.usage(usage)["prompt_tokens"], 10020)
        self.assertEqual(ANTHROPIC.usage(usage)["input_tokens"], 20)
        for dialect, stream in MODES:
            with self.subTest(protocol=dialect.name, stream=stream):
                ending = dialect.finish() if dialect is OPENAI else dialect.finish(usage=usage)
                events = [*dialect.preamble(), dialect.text("x"), *ending]
                events += [OPENAI.usage_event(usage)] if dialect is OPENAI else []
                streamed = sse([*events, dialect.done])
                answer = streamed if stream else whole(dialect.whole("x", usage=usage))
                row = self.row_of(dialect, stream, answer)
                counts = (row["input_uncached"], row["input_cached"], row["output"])
                self.assertEqual(counts, (20, 10000, 7))
                self.assertEqual(row["cost_micro_usd"], 20 * 3 + 3000 + 7 * 15)

    def test_b096_tokens_written_to_the_cache_are_priced_once(self):
        """600 plain, 300 read, 100 written: 2265 micro-dollars of input."""
        openai = {
            "prompt_tokens": 1000,
            "completion_tokens": 1,
            "prompt_tokens_details": {"cached_tokens": 300, "cache_write_tokens": 100},
        }
        anthropic = {
            "input_tokens": 600,
            "cache_read_input_tokens": 300,
            "cache_creation_input_tokens": 100,
            "output_tokens": 1,
        }
        for dialect, usage in ((OPENAI, openai), (ANTHROPIC, anthropic)):
            with self.subTest(protocol=dialect.name):
                row = self.row_of(dialect, False, whole({**dialect.whole("x"), "usage": usage}))
                counts = (row["input_uncached"], row["input_cached"], row["cache_write"])
                self.assertEqual(counts, (600, 300, 100))
                self.assertEqual(row["cost_micro_usd"], 2265 + 15)

    def test_b086_stream_options_are_injected_only_where_they_may_be(self):
        """Only beside stream:true; what the client did not ask for is taken out of its stream."""
        for stream in (False, True):
            with self.subTest(stream=stream):
                events = [OPENAI.text("x"), *OPENAI.finish()]
                usage = OPENAI.usage_event()
                body = whole(OPENAI.whole("x"))
                self.one.play(sse([*events, usage, OPENAI.done]) if stream else body)
                answer = self.ask(OPENAI, stream)
                sent = self.one.requests[0].json()
                self.assertEqual(
                    sent.get("stream_options"), {"include_usage": True} if stream else None
                )
                if stream:
                    self.assertEqual(answer.body, b"".join([*events, OPENAI.done]))
        self.one.play(good(ANTHROPIC, True, "x"))
        self.ask(ANTHROPIC, True)
        self.assertNotIn("stream_options", self.one.requests[0].json())

    def test_b087_no_usage_is_made_up(self):
        """Asked for, but the provider never sends it: no frame, and the row says estimated."""
        events = OPENAI.events("twelve bytes")
        self.one.play(sse(events))
        model = self.fresh(OPENAI)
        answer = self.ask(OPENAI, True, model, **ASK_USAGE)
        self.assertEqual(answer.body, b"".join(events))
        row = self.last_row(model, "ok")
        self.assertEqual((row["tokens_estimated"], row["output"]), (1, 3))

    def test_b099_the_placeholder_of_a_cut_stream_is_no_count(self):
        """message_start says output 1; 40 deltas later the client leaves: what was delivered
        counts."""
        deltas = [ANTHROPIC.text("four" * 4) for _ in range(40)]
        self.one.play(sse([*ANTHROPIC.preamble(), *deltas, *self.pings(ANTHROPIC)]))
        model = self.fresh(ANTHROPIC)
        client = self.client(ANTHROPIC, model=model)
        wait_until(lambda: client.data.count(b"text_delta") == 40, "all deltas")
        client.close()
        row = self.last_row(model, "client_cancelled")
        self.assertEqual((row["output"], row["tokens_estimated"]), (160, 1))
        self.assertEqual(row["cost_micro_usd"], cost_of(row))

    def test_b101_a_failure_without_output_costs_nothing(self):
        """No answer, no tokens; and an error's words are no output."""
        for dialect in DIALECTS:
            with self.subTest(protocol=dialect.name):
                self.raw["hasty"].play(Answer(end=SILENT))
                model = self.fresh(dialect, ("hasty",))
                self.assertEqual(self.ask(dialect, True, model).status, 504)
                row = self.last_row(model, "ttft_timeout")
                self.assertIn(row["cost_micro_usd"], (None, 0))
                self.assertIsNone(row["output"])
                error = dialect.error_event("a long sentence about overload", "overloaded_error")
                self.one.play(sse([*dialect.preamble(), error]))
                self.two.play(whole(dialect.error("also a long sentence"), 500))
                answer = self.ask(dialect, True)
                for row in self.agent.attempts(answer):
                    self.assertIsNone(row["output"], row)
                    self.assertFalse(row["tokens_estimated"])

    def test_b101_output_that_was_delivered_is_estimated(self):
        """A client that leaves after 200 tokens has had 200 tokens, marked as an estimate."""
        for dialect in DIALECTS:
            with self.subTest(protocol=dialect.name):
                events = [*dialect.preamble(), *[dialect.text("tok ")] * 200]
                self.one.play(sse([*events, *self.pings(dialect)]))
                model = self.fresh(dialect)
                client = self.client(dialect, model=model)
                wait_until(lambda: client.data.count(b"tok ") == 200, "all tokens")
                client.close()
                row = self.last_row(model, "client_cancelled")
                self.assertEqual((row["output"], row["tokens_estimated"]), (200, 1))
                self.assertEqual(row["cost_micro_usd"], cost_of(row))

    def test_b102_a_crash_leaves_no_row_that_says_free(self):
        """kill -9 in the middle of a stream: no row of it is counted as an answer for nothing."""
        model = self.fresh(OPENAI)
        events = [*OPENAI.preamble(), OPENAI.text("begun")]
        self.one.play(sse(events, complete=False, end=SILENT))
        self.client(OPENAI, model=model).wait_for(b"begun")
        self.agent.kill()
        self.agent.start()
        self.one.play(good(OPENAI, False, "after"))
        after = self.ask(OPENAI)
        self.assertEqual(self.attempts(after), [("one", "ok")])
        self.assertEqual(self.agent.ledger("model = ?", model), [])


if __name__ == "__main__":
    unittest.main()
