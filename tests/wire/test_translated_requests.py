# SPDX-License-Identifier: Apache-2.0
"""Requests that go to a provider of the other protocol: nothing lost, nothing reordered, nothing
dropped in silence."""

import json
import unittest

from dialects import ANTHROPIC, DIALECTS, OPENAI, good, other
from meanings import meaning_of
from raw_provider import sse, whole
from wire_case import MODES, WireCase


def texts_of(content):
    if isinstance(content, str):
        return [content]
    return [part["text"] for part in content]


class Requests(WireCase):
    TRANSLATED = True
    PROVIDERS = {"one": {}, "newer": {"max_tokens_name": "max_completion_tokens"}}
    CHAINS = {("one",): 40, ("newer",): 8}

    def sent(self, dialect, stream=False, provider="one", **more):
        """What the provider got, parsed."""
        raw = self.raw[provider].play(good(other(dialect), stream, "fine"))
        model = self.fresh(dialect, (provider,))
        answer = self.ask(dialect, stream, model, **more)
        self.assertEqual(answer.status, 200, answer.body)
        return raw.requests[0].json()

    def test_b079_thinking_of_another_provider_is_refused_not_merged(self):
        """Blocks that somebody signed cannot be expressed in the other protocol."""
        content = [
            {"type": "thinking", "thinking": "one", "signature": "sig1"},
            {"type": "text", "text": "so"},
            {"type": "thinking", "thinking": "two", "signature": "sig2"},
            {"type": "redacted_thinking", "data": "xyz"},
            {"type": "tool_use", "id": "t", "name": "f", "input": {}},
        ]
        result = {"type": "tool_result", "tool_use_id": "t", "content": "done"}
        self.one.play(good(OPENAI, False, "never asked"))
        answer = self.ask(
            ANTHROPIC,
            messages=[
                {"role": "user", "content": "hi"},
                {"role": "assistant", "content": content},
                {"role": "user", "content": [result]},
            ],
        )
        self.assertEqual(answer.status, 400, answer.body)
        self.assertEqual(self.one.requests, [])

    def test_b083_the_length_limit_goes_under_the_providers_name(self):
        """One name, the provider's, in either direction and in the same protocol."""
        for provider, name in (("one", "max_tokens"), ("newer", "max_completion_tokens")):
            with self.subTest(provider):
                sent = self.sent(ANTHROPIC, provider=provider, max_tokens=500)
                limits = {key: value for key, value in sent.items() if key.startswith("max_")}
                self.assertEqual(limits, {name: 500})
        for limits in (
            {"max_tokens": 500},
            {"max_completion_tokens": 500},
            {"max_tokens": 500, "max_completion_tokens": 900},
            {"max_tokens": 900, "max_completion_tokens": 500},
        ):
            with self.subTest(limits=limits):
                sent = self.sent(OPENAI, **limits)
                self.assertEqual(sent["max_tokens"], 500)
                self.assertNotIn("max_completion_tokens", sent)

    def test_b084_a_missing_limit_is_the_models_own(self):
        """Anthropic demands one: the configured output limit, not a small constant."""
        self.assertEqual(self.sent(OPENAI)["max_tokens"], 32768)

    SCHEMA = {"type": "object", "properties": {"zebra": {"type": "integer"}}}

    def test_b088_a_schema_is_asked_for_natively(self):
        """The client's own tools stay what they are, and the answer is content, no call."""
        schema = {"name": "answer", "strict": True, "schema": self.SCHEMA}
        tool = {"type": "function", "function": {"name": "f", "parameters": self.SCHEMA}}
        for stream in (False, True):
            with self.subTest(stream=stream):
                self.one.play(good(ANTHROPIC, stream, '{"zebra":', " 1}"))
                wish = {"type": "json_schema", "json_schema": schema}
                answer = self.ask(OPENAI, stream, response_format=wish, tools=[tool])
                self.assertEqual(answer.status, 200, answer.body)
                sent = self.one.requests[0].json()
                self.assertEqual([each["name"] for each in sent["tools"]], ["f"])
                self.assertNotIn("tool_choice", sent)
                self.assertIn(json.dumps(self.SCHEMA), json.dumps(sent["output_config"]))
                meaning = meaning_of(OPENAI, answer)
                found = (json.loads(meaning.text), meaning.calls, meaning.reason)
                self.assertEqual(found, ({"zebra": 1}, [], "stop"))

    def test_b089_json_object_is_not_dropped_in_silence(self):
        """Anthropic has no such mode: 400 that names the parameter."""
        self.one.play(good(ANTHROPIC, False, "never asked"))
        answer = self.ask(OPENAI, response_format={"type": "json_object"})
        self.assertEqual(answer.status, 400, answer.body)
        self.assertIn("response_format", json.dumps(answer.json()))
        self.assertEqual(self.one.requests, [])

    def test_b090_every_system_text_arrives_in_order_and_apart(self):
        """Top-level blocks, system and developer messages, strings and parts."""
        mark = {"cache_control": {"type": "ephemeral"}}
        blocks = [{"type": "text", "text": "A", **mark}, {"type": "text", "text": "B"}]
        first = {"role": "system", "content": "C"}
        hello = {"role": "user", "content": "hi"}
        sent = self.sent(ANTHROPIC, system=blocks, messages=[first, hello])
        *system, user = sent["messages"]
        self.assertEqual({each["role"] for each in system}, {"system"})
        found = [text for each in system for text in texts_of(each["content"])]
        self.assertEqual(found, ["A", "B", "C"])
        self.assertEqual(texts_of(user["content"]), ["hi"])
        self.assertNotIn("cache_control", json.dumps(sent))
        developer = {"role": "developer", "content": "A"}
        system = {"role": "system", "content": [{"type": "text", "text": "B", **mark}, blocks[1]]}
        sent = self.sent(OPENAI, messages=[developer, system, hello])
        self.assertEqual([each["text"] for each in sent["system"]], ["A", "B", "B"])
        self.assertEqual(
            [each.get("cache_control") for each in sent["system"]][1], {"type": "ephemeral"}
        )
        self.assertEqual([each["role"] for each in sent["messages"]], ["user"])

    def turns(self):
        """A conversation of three turns, with a reminder in each."""
        messages = [{"role": "system", "content": "be kind"}]
        for turn in range(3):
            messages += [
                {"role": "user", "content": f"question {turn}"},
                {"role": "system", "content": f"reminder {turn}"},
            ]
            yield list(messages)
            messages.append({"role": "assistant", "content": f"answer {turn}"})

    def test_b091_a_turns_prompt_is_the_next_ones_prefix(self):
        """Reminders keep their places, so that the provider's cache goes on working."""
        for dialect in DIALECTS:
            before = None
            for messages in self.turns():
                with self.subTest(protocol=dialect.name, turn=len(messages)):
                    sent = self.sent(dialect, messages=messages)
                    prompt = [*sent.get("system", []), *sent["messages"]]
                    text = json.dumps(prompt)
                    for message in messages:
                        self.assertIn(message["content"], text)
                    if before is not None:
                        self.assertEqual(prompt[: len(before)], before)
                    before = prompt

    NUMBERS = '{"zebra":9007199254740993,"apple":1.0,"mango":1e2,"\\u00e9":"\\u00e9 é"}'

    def test_b092_schemas_pass_as_they_were_written(self):
        """Order of keys, spelling of numbers, escapes; and equal requests are equal bytes."""
        schema = '{"type":"object","default":%s}' % self.NUMBERS
        openai = '[{"type":"function","function":{"name":"f","parameters":%s}}]' % schema
        anthropic = '[{"name":"f","input_schema":%s}]' % schema
        for dialect, tools in ((OPENAI, openai), (ANTHROPIC, anthropic)):
            with self.subTest(protocol=dialect.name):
                self.one.play(good(other(dialect), False, "fine"))
                model = self.fresh(dialect, ("one",))
                body = json.dumps(dialect.request(model, False, tools="TOOLS"))
                for _ in range(2):
                    raw = body.replace('"TOOLS"', tools).encode()
                    self.assertEqual(self.agent.post(dialect.path, raw).status, 200)
                first, second = self.one.requests
                self.assertEqual(first.body, second.body)
                self.assertIn(self.NUMBERS, first.body.decode())


class Answers(WireCase):
    TRANSLATED = True
    CHAINS = {("one",): 60}

    def answered(self, dialect, stream, events, body):
        self.one.play(sse(events) if stream else whole(body))
        answer = self.ask(dialect, stream)
        self.assertEqual(answer.status, 200, answer.body)
        self.assertTrue(answer.complete, answer.body)
        return meaning_of(dialect, answer)

    def test_b065_each_client_gets_its_own_end_mark_once(self):
        """message_stop and no [DONE], or [DONE] behind the last chunk; and at once."""
        for dialect in DIALECTS:
            with self.subTest(client=dialect.name):
                upstream = other(dialect)
                client = None
                held = [lambda: client is not None and client.is_answered()]
                self.one.play(sse([*upstream.events("all"), *held]))
                client = self.client(dialect)
                answer = client.wait_answer()
                self.assertTrue(answer.complete)
                meaning = meaning_of(dialect, answer)
                self.assertEqual(meaning.text, "all")
                stops = (answer.body.count(b"[DONE]"), answer.body.count(b'"message_stop"'))
                self.assertEqual(stops, (1, 0) if dialect is OPENAI else (0, 1))

    TO_OPENAI = {
        "end_turn": "stop",
        "stop_sequence": "stop",
        "max_tokens": "length",
        "tool_use": "tool_calls",
        "pause_turn": "stop",
        "refusal": "content_filter",
        "model_context_window_exceeded": "length",
        "something_new": "stop",
    }
    TO_ANTHROPIC = {
        "stop": "end_turn",
        "length": "max_tokens",
        "tool_calls": "tool_use",
        "function_call": "tool_use",
        "content_filter": "refusal",
        "something_new": "end_turn",
    }

    def test_b077_every_reason_has_its_word(self):
        """One table for streams and whole answers; an unknown word is a plain stop."""
        for stream in (False, True):
            for reason, wanted in self.TO_OPENAI.items():
                with self.subTest(reason, stream=stream):
                    events, body = ANTHROPIC.events("x"), ANTHROPIC.whole("x", reason)
                    stop, delta = ANTHROPIC.finish(reason)
                    called = reason == "tool_use"
                    events[-3:] = [stop, *(ANTHROPIC.call(1, "t", "f") * called), delta, events[-1]]
                    if called:
                        body["content"] += [
                            {"type": "tool_use", "id": "t", "name": "f", "input": {}}
                        ]
                    meaning = self.answered(OPENAI, stream, events, body)
                    self.assertEqual((meaning.text, meaning.reason), ("x", wanted))
            for reason, wanted in self.TO_ANTHROPIC.items():
                with self.subTest(reason, stream=stream):
                    events, body = OPENAI.events("x", reason=reason), OPENAI.whole("x", reason)
                    if wanted == "tool_use":
                        events.insert(-2, OPENAI.call_part(0, "f", "{}", "t"))
                        call = {"id": "t", "type": "function"}
                        call["function"] = {"name": "f", "arguments": "{}"}
                        body["choices"][0]["message"]["tool_calls"] = [call]
                    meaning = self.answered(ANTHROPIC, stream, events, body)
                    self.assertEqual((meaning.text, meaning.reason), ("x", wanted))

    def test_b077_no_reason_yet_is_no_end(self):
        """null and "" stand in chunks that go on."""
        chunks = [OPENAI.chunk({"content": "a"}, ""), OPENAI.chunk({"content": "b"}, None)]
        events = [*OPENAI.preamble(), *chunks, OPENAI.text("c"), *OPENAI.finish(), OPENAI.done]
        meaning = self.answered(ANTHROPIC, True, events, None)
        self.assertEqual((meaning.text, meaning.reason), ("abc", "end_turn"))

    def test_b064_a_translated_stream_gets_the_end_that_was_left_out(self):
        """Finish reason and then the end, or the end mark alone: the client sees a whole answer."""
        half = [*OPENAI.preamble(), OPENAI.text("x")]
        for name, end in {
            "finish, then the end": OPENAI.finish(),
            "[DONE] alone": [OPENAI.done],
            "finish null, then [DONE]": [OPENAI.chunk(), OPENAI.done],
        }.items():
            with self.subTest(name):
                meaning = self.answered(ANTHROPIC, True, [*half, *end], None)
                self.assertEqual((meaning.text, meaning.reason), ("x", "end_turn"))
        with self.subTest("stop_reason, then the end"):
            events = ANTHROPIC.events("x")[:-1]
            meaning = self.answered(OPENAI, True, events, None)
            self.assertEqual((meaning.text, meaning.reason), ("x", "stop"))

    def test_b057_a_cut_is_told_in_the_clients_protocol(self):
        """One error event of the client's, no end mark, an incomplete body."""
        for dialect in DIALECTS:
            with self.subTest(client=dialect.name):
                upstream = other(dialect)
                events = [*upstream.preamble(), upstream.text("begun")]
                self.one.play(sse(events, complete=False))
                answer = self.client(dialect).wait_answer()
                self.assert_broken(answer, dialect, "begun")

    def test_b080_usage_is_told_in_the_clients_terms(self):
        """1200 prompt tokens of which 1000 cached: input 200, cache read 1000; and back."""
        usage = {"input": 1200, "cached": 1000, "output": 7}
        for dialect, stream in MODES:
            with self.subTest(client=dialect.name, stream=stream):
                upstream = other(dialect)
                if upstream is OPENAI:
                    events = OPENAI.events("x")
                    events.insert(-1, OPENAI.usage_event(usage))
                else:
                    end = [*ANTHROPIC.finish(usage=usage), ANTHROPIC.done]
                    events = [*ANTHROPIC.preamble(), ANTHROPIC.text("x"), *end]
                self.one.play(sse(events) if stream else whole(upstream.whole("x", usage=usage)))
                model = self.fresh(dialect)
                asked = {"stream_options": {"include_usage": True}}
                more = asked if stream and dialect is OPENAI else {}
                answer = self.ask(dialect, stream, model, **more)
                self.assertEqual(answer.status, 200, answer.body)
                meaning = meaning_of(dialect, answer)
                wanted = dialect.usage(usage)
                self.assertEqual({key: meaning.usage.get(key) for key in wanted}, wanted)
                row = self.last_row(model, "ok")
                counts = (row["input_uncached"], row["input_cached"], row["output"])
                self.assertEqual(counts, (200, 1000, 7))


class Errors(WireCase):
    TRANSLATED = True
    CHAINS = {("one",): 12}

    def test_b041_overflow_is_told_in_the_words_that_make_clients_compact(self):
        """OpenAI's code, Anthropic's sentence with both figures."""
        said = (
            "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens"
        )
        cases = (
            (ANTHROPIC, OPENAI.error(said, "invalid_request_error", "context_length_exceeded")),
            (
                OPENAI,
                ANTHROPIC.error(
                    "prompt is too long: 9000 tokens > 8192 maximum", "invalid_request_error"
                ),
            ),
        )
        for (dialect, body), stream in ((case, stream) for case in cases for stream in (0, 1)):
            with self.subTest(client=dialect.name, stream=bool(stream)):
                self.one.play(whole(body, 400))
                answer = self.ask(dialect, bool(stream))
                self.assertEqual(answer.status, 400, answer.body)
                error = answer.json()["error"]
                self.assertEqual(error["type"], "invalid_request_error")
                self.assertIn("9000", error["message"])
                self.assertIn("8192", error["message"])
                if dialect is OPENAI:
                    self.assertEqual(error["code"], "context_length_exceeded")
                else:
                    wanted = "prompt is too long: 9000 tokens > 8192 maximum"
                    self.assertIn(wanted, error["message"])
                    self.assertEqual(answer.json()["type"], "error")


if __name__ == "__main__":
    unittest.main()
