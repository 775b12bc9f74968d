# SPDX-License-Identifier: Apache-2.0
"""The helpers of OpenAI's Python SDK, whatever protocol the provider speaks."""

import json
import unittest

import pydantic

from sdk_case import HELLO, SdkCase, each_way
from sdk_world import PNG, TEXT

SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
TOOLS = [
    {"type": "function", "function": {"name": name, "description": "d", "parameters": SCHEMA}}
    for name in ("weather", "time")
]
CALLS = [
    {"name": "weather", "arguments": {"city": "Berlin"}},
    {"name": "time", "arguments": {"city": "Zürich 語"}},
    {"name": "time", "arguments": {}},
]
TURNS = [{"text": "I look.", "tool_calls": CALLS}, {"text": "Sunny."}]


class Weather(pydantic.BaseModel):
    city: str
    degrees: int


class OpenAiClient(SdkCase):
    def ask(self, upstream, stream, **request):
        """The whole answer, put together by the SDK where it was streamed."""
        request = {"model": f"by-{upstream}", "messages": HELLO, **request}
        if not stream:
            return self.openai.chat.completions.create(**request)
        request["stream_options"] = {"include_usage": True}
        with self.openai.chat.completions.stream(**request) as answer:
            return answer.get_final_completion()

    @each_way
    def test_text(self, upstream, stream):
        answer = self.ask(upstream, stream)
        self.assertEqual(answer.choices[0].message.content, TEXT)
        self.assertEqual(answer.choices[0].finish_reason, "stop")
        self.assertEqual(answer.choices[0].message.role, "assistant")

    @each_way
    def test_events_of_the_stream_helper(self, upstream, stream):
        if not stream:
            return
        request = {"model": f"by-{upstream}", "messages": HELLO}
        with self.openai.chat.completions.stream(**request) as answer:
            events = list(answer)
        deltas = [each.delta for each in events if each.type == "content.delta"]
        self.assertEqual("".join(deltas), TEXT)
        self.assertGreater(len(deltas), 10)
        self.assertEqual([e.content for e in events if e.type == "content.done"], [TEXT])
        chunks = [each.chunk for each in events if each.type == "chunk"]
        # Who did not ask for usage may count on a choice in every chunk.
        self.assertTrue(all(chunk.choices for chunk in chunks))
        self.assertEqual(len({chunk.id for chunk in chunks}), 1)
        self.assertEqual({chunk.object for chunk in chunks}, {"chat.completion.chunk"})
        finishes = [chunk.choices[0].finish_reason for chunk in chunks]
        self.assertEqual([each for each in finishes if each], ["stop"])

    @each_way
    def test_a_limit_that_is_met(self, upstream, stream):
        for name in ("max_tokens", "max_completion_tokens"):
            if stream:
                # The helper raises here, so the chunks are read.
                request = {"model": f"by-{upstream}", "messages": HELLO, name: 2}
                chunks = list(self.openai.chat.completions.create(stream=True, **request))
                self.assertEqual(chunks[-1].choices[0].finish_reason, "length")
            else:
                answer = self.ask(upstream, stream, **{name: 2})
                self.assertEqual(answer.choices[0].finish_reason, "length")
                self.assertEqual(answer.choices[0].message.content, "The river")

    @each_way
    def test_usage(self, upstream, stream):
        self.script(input_tokens=1200, cached_tokens=1000, cache_creation_tokens=50)
        usage = self.ask(upstream, stream).usage
        self.assertEqual(usage.prompt_tokens, 1200)
        self.assertEqual(usage.prompt_tokens_details.cached_tokens, 1000)
        self.assertEqual(usage.completion_tokens, 16)
        self.assertEqual(usage.total_tokens, 1216)

    @each_way
    def test_several_calls_at_once_and_their_results(self, upstream, stream):
        self.script(turns=TURNS)
        answer = self.ask(upstream, stream, tools=TOOLS)
        choice = answer.choices[0]
        self.assertEqual(choice.finish_reason, "tool_calls")
        self.assertEqual(choice.message.content, "I look.")
        calls = choice.message.tool_calls
        made = [(e.function.name, json.loads(e.function.arguments)) for e in calls]
        self.assertEqual(made, [(each["name"], each["arguments"]) for each in CALLS])
        self.assertEqual(len({each.id for each in calls}), 3)
        # In another order than they were made.
        results = [
            {"role": "tool", "tool_call_id": each.id, "content": each.function.name}
            for each in reversed(calls)
        ]
        said = choice.message.model_dump(exclude_none=True)
        history = [*HELLO, said, *results, {"role": "user", "content": "and?"}]
        answer = self.ask(upstream, stream, tools=TOOLS, messages=history)
        self.assertEqual(answer.choices[0].message.content, "Sunny.")

    @each_way
    def test_metadata_of_the_agents_own_does_no_harm(self, upstream, stream):
        headers = {"X-Weir-Metadata": "enabled"}
        answer = self.ask(upstream, stream, extra_headers=headers)
        self.assertEqual(answer.choices[0].message.content, TEXT)
        if stream:
            # The helper keeps nothing of later chunks that it does not know.
            request = {"model": f"by-{upstream}", "messages": HELLO, "extra_headers": headers}
            answer = list(self.openai.chat.completions.create(stream=True, **request))[-1]
        self.assertEqual(answer.model_extra["weir"]["provider"], upstream)

    @each_way
    def test_tool_choice(self, upstream, stream):
        named = {"type": "function", "function": {"name": "time"}}
        for choice, name in (("required", "weather"), (named, "time"), ("none", None)):
            answer = self.ask(upstream, stream, tools=TOOLS, tool_choice=choice)
            calls = answer.choices[0].message.tool_calls or []
            self.assertEqual([each.function.name for each in calls], [name] if name else [])
        self.ask(upstream, stream, tools=TOOLS, parallel_tool_calls=False)
        body = self.upstreams.seen(upstream)[0]
        if upstream == "openai":
            self.assertIs(body["parallel_tool_calls"], False)
        else:
            self.assertIs(body["tool_choice"]["disable_parallel_tool_use"], True)

    @each_way
    def test_structured_answers_are_parsed(self, upstream, stream):
        request = {"model": f"by-{upstream}", "messages": HELLO, "response_format": Weather}
        if stream:
            with self.openai.chat.completions.stream(**request) as answer:
                message = answer.get_final_completion().choices[0].message
        else:
            message = self.openai.chat.completions.parse(**request).choices[0].message
        self.assertEqual(message.parsed, Weather(city="Berlin", degrees=1))
        self.assertFalse(message.tool_calls)

    @each_way
    def test_images(self, upstream, stream):
        picture = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}}
        asked = [{"role": "user", "content": [{"type": "text", "text": "what is it?"}, picture]}]
        answer = self.ask(upstream, stream, messages=asked)
        self.assertEqual(answer.choices[0].message.content, TEXT)
        part = self.upstreams.seen(upstream)[0]["messages"][0]["content"][1]
        data = {"type": "base64", "media_type": "image/png", "data": PNG}
        expected = picture if upstream == "openai" else {"type": "image", "source": data}
        self.assertEqual(part, expected)

    @each_way
    def test_system_and_developer_texts(self, upstream, stream):
        texts = [("developer", "Be brief."), ("system", "Be kind."), ("user", "hello")]
        messages = [{"role": role, "content": text} for role, text in texts]
        self.ask(upstream, stream, messages=messages)
        body = self.upstreams.seen(upstream)[0]
        if upstream == "openai":
            self.assertEqual(body["messages"], messages)
        else:
            found = [block["text"] for block in body["system"]]
            self.assertEqual(found, ["Be brief.", "Be kind."])

    @each_way
    def test_reasoning_goes_round_trip(self, upstream, stream):
        """What the answer brings beside its text is sent back with the next turn; an Anthropic
        provider then gets its thinking block as it was, signature and all."""
        # Servers that say it in OpenAI's protocol take it back.
        self.script(
            turns=[{"reasoning_tokens": 2, "tool_calls": CALLS}, {"text": "Sunny."}],
            strict_also=["reasoning_content"],
        )
        request = {"tools": TOOLS, "reasoning_effort": "high"}
        message = self.ask(upstream, stream, **request).choices[0].message
        said = message.model_dump(exclude_none=True)
        self.assertEqual(said["reasoning_content"], " hm hm")
        results = [
            {"role": "tool", "tool_call_id": each["id"], "content": "ok"}
            for each in said["tool_calls"]
        ]
        answer = self.ask(upstream, stream, messages=[*HELLO, said, *results], **request)
        self.assertEqual(answer.choices[0].message.content, "Sunny.")
        sent = self.upstreams.seen(upstream)[0]["messages"][1]
        if upstream == "openai":
            self.assertEqual(sent["reasoning_content"], " hm hm")
        else:
            block = sent["content"][0]
            self.assertEqual(block["thinking"], " hm hm")
            self.assertTrue(block["signature"].startswith("FAKE"))

    def test_redacted_reasoning_goes_round_trip(self):
        for stream in (False, True):
            self.script(reasoning_tokens=2, redacted=True)
            message = self.ask("anthropic", stream).choices[0].message
            said = message.model_dump(exclude_none=True)
            history = [*HELLO, said, *HELLO]
            self.ask("anthropic", stream, messages=history)
            block = self.upstreams.seen("anthropic")[0]["messages"][1]["content"][0]
            self.assertEqual(block["type"], "redacted_thinking")


if __name__ == "__main__":
    unittest.main()
