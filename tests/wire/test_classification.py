# SPDX-License-Identifier: Apache-2.0
"""What a refusal is called: whose fault it is, whether it counts, who may be asked next."""

import itertools
import unittest

from dialects import ANTHROPIC, OPENAI, good
from raw_provider import sse, whole
from wire_case import MODES, WireCase

# Each server's own words for a prompt that does not fit.
OVERFLOWS = {
    "OpenAI": OPENAI.error(
        "This model's maximum context length is 8192 tokens.",
        "invalid_request_error",
        "context_length_exceeded",
    ),
    "vLLM": {
        "object": "error",
        "message": "This model's maximum context length is 4096 tokens. However, you requested 5000"
        " tokens (4000 in the messages, 1000 in the completion).",
        "type": "BadRequestError",
        "param": None,
        "code": 400,
    },
    "SGLang": {
        "object": "error",
        "message": "The input (900 tokens) is longer than the model's context length (819 tokens).",
        "type": "BadRequestError",
        "code": 400,
    },
    "Anthropic": ANTHROPIC.error(
        "prompt is too long: 210000 tokens > 200000 maximum", "invalid_request_error"
    ),
    "llama.cpp": {
        "error": {
            "code": 400,
            "message": "the request exceeds the available context size, try increasing it",
            "type": "exceed_context_size_error",
            "n_prompt_tokens": 9000,
            "n_ctx": 8192,
        }
    },
}


class Overflow(WireCase):
    PROVIDERS = {"one": {}, "same": {}, "larger": {}}
    ROUTES = {"larger": {"context_tokens": 1000000}}
    CHAINS = {("one", "same"): 24, ("one", "larger"): 12}

    def test_b040_every_servers_words_for_too_long_are_known(self):
        """context_overflow: no failover to the same window, no penalty."""
        for (name, body), (dialect, stream) in itertools.product(OVERFLOWS.items(), MODES):
            with self.subTest(name, protocol=dialect.name, stream=stream):
                self.one.play(whole(body, 400))
                self.raw["same"].play(good(dialect, stream, "from same"))
                model = self.fresh(dialect)
                for _ in range(8):
                    answer = self.ask(dialect, stream, model)
                    self.assertEqual(answer.status, 400, answer.body)
                self.assertEqual(self.attempts(answer), [("one", "context_overflow")])
                self.one.play(good(dialect, stream, "fits"))
                self.assert_served(self.ask(dialect, stream, model), dialect, "one", "fits")

    def test_b040_the_client_reads_its_own_protocols_words(self):
        """Clients compact their history when they read them, and only then."""
        for (name, body), (dialect, stream) in itertools.product(OVERFLOWS.items(), MODES):
            with self.subTest(name, protocol=dialect.name, stream=stream):
                self.one.play(whole(body, 400))
                error = self.ask(dialect, stream).json()["error"]
                self.assertEqual(error["type"], "invalid_request_error")
                if dialect is OPENAI:
                    self.assertEqual(error["code"], "context_length_exceeded")
                else:
                    self.assertIn("prompt is too long", error["message"])

    def test_b040_a_larger_window_may_be_tried(self):
        """The next route has a larger window, so it gets its chance."""
        for (name, body), (dialect, stream) in itertools.product(OVERFLOWS.items(), MODES):
            with self.subTest(name, protocol=dialect.name, stream=stream):
                self.one.play(whole(body, 400))
                self.raw["larger"].play(good(dialect, stream, "from larger"))
                answer = self.ask(dialect, stream, self.fresh(dialect, ("one", "larger")))
                self.assert_served(answer, dialect, "larger", "from larger")
                outcomes = [("one", "context_overflow"), ("larger", "ok")]
                self.assertEqual(self.attempts(answer), outcomes)


class Policy(WireCase):
    CHAINS = {("one", "two"): 16, ("one",): 4}

    def refusals(self, dialect):
        yield dialect.error("blocked by policy", "invalid_request_error", "content_filter")
        if dialect is OPENAI:
            yield OPENAI.error("not allowed", "invalid_request_error", "content_policy_violation")
        else:
            yield ANTHROPIC.error("Output blocked by content filtering policy")

    def test_b042_a_policy_refusal_does_not_bench_the_provider(self):
        """Prompt A is refused many times; prompt B is served by the only provider at once."""
        for dialect, stream in MODES:
            with self.subTest(protocol=dialect.name, stream=stream):
                model = self.fresh(dialect, ("one",))
                *_, refusal = self.refusals(dialect)
                self.one.play(whole(refusal, 400))
                for _ in range(15):
                    answer = self.ask(dialect, stream, model, text="prompt A")
                    self.assertEqual(answer.status, 400)
                self.assertEqual(self.attempts(answer), [("one", "refused")])
                self.one.play(good(dialect, stream, "harmless"))
                answer = self.ask(dialect, stream, model, text="prompt B")
                self.assert_served(answer, dialect, "one", "harmless")

    def test_b043_a_safety_refusal_is_returned(self):
        """It is not carried to another provider."""
        for dialect, stream in MODES:
            *_, refusal = self.refusals(dialect)
            with self.subTest(protocol=dialect.name, stream=stream):
                self.one.play(whole(refusal, 400))
                self.two.play(good(dialect, stream, "from two"))
                answer = self.ask(dialect, stream)
                self.assertEqual((answer.status, answer.json()), (400, refusal))
                self.assertEqual(self.attempts(answer), [("one", "refused")])
                self.assertEqual(len(self.two.requests), 0)

    def test_b043_a_filtered_answer_is_an_answer(self):
        """A 200 that ends in content_filter or refusal passes as it came."""
        for dialect, stream in MODES:
            reason = "content_filter" if dialect is OPENAI else "refusal"
            with self.subTest(protocol=dialect.name, stream=stream):
                events = dialect.events("partly", reason=reason)
                body = dialect.whole("partly", reason)
                self.one.play(sse(events) if stream else whole(body))
                answer = self.ask(dialect, stream)
                self.assert_served(answer, dialect, "one", "partly")
                self.assertEqual(self.attempts(answer), [("one", "refused")])
                self.assertIn(reason.encode(), answer.body)


class Length(WireCase):
    CHAINS = {("one", "two"): 16}

    def openai_answers(self):
        for content, more in (("", {}), (None, {}), (None, {"reasoning_content": "thinking, "})):
            body = OPENAI.whole(content, "length")
            body["choices"][0]["message"].update(more)
            delta = OPENAI.chunk({"content": content, **more})
            yield body, [*OPENAI.preamble(), delta, *OPENAI.finish("length"), OPENAI.done]

    def anthropic_answers(self):
        start, block = ANTHROPIC.preamble()
        end = [*ANTHROPIC.finish("max_tokens"), ANTHROPIC.done]
        empty = ANTHROPIC.whole("", "max_tokens")
        yield {**empty, "content": []}, [start, end[1], end[2]]
        yield empty, [start, block, *end]
        thinking = {"type": "thinking", "thinking": "", "signature": ""}
        begin = ANTHROPIC.event("content_block_start", index=0, content_block=thinking)
        delta = {"type": "thinking_delta", "thinking": "thinking, "}
        more = ANTHROPIC.event("content_block_delta", index=0, delta=delta)
        block = {**thinking, "thinking": "thinking, "}
        yield {**empty, "content": [block]}, [start, begin, more, *end]

    def test_b045_an_empty_answer_for_want_of_tokens_is_an_answer(self):
        """max_tokens 1: one call, 200 as it came, no penalty."""
        for dialect, stream in MODES:
            openai = dialect is OPENAI
            answers = self.openai_answers() if openai else self.anthropic_answers()
            for at, (body, events) in enumerate(answers):
                with self.subTest(protocol=dialect.name, stream=stream, answer=at):
                    self.one.play(sse(events) if stream else whole(body))
                    self.two.play(good(dialect, stream, "from two"))
                    answer = self.ask(dialect, stream, max_tokens=1)
                    self.assertEqual(answer.status, 200, answer.body)
                    self.assertTrue(answer.complete)
                    if stream:
                        self.assertEqual(answer.body, b"".join(events))
                    else:
                        self.assertEqual(answer.json(), body)
                    self.assertEqual(self.attempts(answer), [("one", "length")])
                    self.assertEqual(len(self.one.requests), 1)

    def test_b046_a_budget_spent_on_reasoning_is_not_spent_again(self):
        """No max_tokens, 1000 tokens out, no content: outcome length, one call, all counted."""
        usage = {"input": 30, "cached": 10, "output": 1000}
        for stream in (False, True):
            with self.subTest(stream=stream):
                body = OPENAI.whole("", "length", usage)
                body["usage"]["completion_tokens_details"] = {"reasoning_tokens": 0}
                events = [*OPENAI.preamble(), OPENAI.text(""), *OPENAI.finish("length")]
                events += [OPENAI.usage_event(usage), OPENAI.done]
                self.one.play(sse(events) if stream else whole(body))
                model = self.fresh(OPENAI)
                answer = self.ask(OPENAI, stream, model)
                self.assertEqual(answer.status, 200)
                row = self.last_row(model, "length")
                self.assertEqual((row["output"], row["finish_reason"]), (1000, "length"))
                self.assertEqual(len(self.one.requests), 1)


if __name__ == "__main__":
    unittest.main()
