# SPDX-License-Identifier: Apache-2.0
"""The helpers of Anthropic's Python SDK, whatever protocol the provider speaks."""

import unittest

import pydantic

from sdk_case import HELLO, SdkCase, each_way
from sdk_world import PNG, TEXT

SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
TOOLS = [{"name": n, "description": "d", "input_schema": SCHEMA} for n in ("weather", "time")]
CALLS = [
    {"name": "weather", "arguments": {"city": "Berlin"}},
    {"name": "time", "arguments": {"city": "Zürich 語"}},
    {"name": "time", "arguments": {}},
]
TURNS = [{"text": "I look.", "tool_calls": CALLS}, {"text": "Sunny."}]


class Weather(pydantic.BaseModel):
    city: str
    degrees: int


def results_of(message):
    return [
        {"type": "tool_result", "tool_use_id": each.id, "content": each.name}
        for each in message.content
        if each.type == "tool_use"
    ]


class AnthropicClient(SdkCase):
    def ask(self, upstream, stream, **request):
        """The whole answer, put together by the SDK where it was streamed."""
        request = {"model": f"by-{upstream}", "max_tokens": 4000, "messages": HELLO, **request}
        if not stream:
            return self.anthropic.messages.create(**request)
        with self.anthropic.messages.stream(**request) as answer:
            return answer.get_final_message()

    @each_way
    def test_text(self, upstream, stream):
        answer = self.ask(upstream, stream)
        self.assertEqual([each.text for each in answer.content], [TEXT])
        self.assertEqual(answer.stop_reason, "end_turn")
        self.assertEqual((answer.type, answer.role), ("message", "assistant"))

    @each_way
    def test_events_of_a_stream(self, upstream, stream):
        if not stream:
            return
        request = {"model": f"by-{upstream}", "max_tokens": 100, "messages": HELLO}
        kinds = [e.type for e in self.anthropic.messages.create(stream=True, **request)]
        deltas = kinds.count("content_block_delta")
        self.assertEqual(
            kinds,
            [
                "message_start",
                "content_block_start",
                *["content_block_delta"] * deltas,
                "content_block_stop",
                "message_delta",
                "message_stop",
            ],
        )
        self.assertEqual(deltas, 16)
        with self.anthropic.messages.stream(**request) as answer:
            self.assertEqual("".join(answer.text_stream), TEXT)

    @each_way
    def test_a_limit_that_is_met(self, upstream, stream):
        answer = self.ask(upstream, stream, max_tokens=2)
        self.assertEqual(answer.stop_reason, "max_tokens")
        self.assertEqual(answer.content[0].text, "The river")

    @each_way
    def test_usage(self, upstream, stream):
        self.script(input_tokens=1200, cached_tokens=1000)
        usage = self.ask(upstream, stream).usage
        self.assertEqual(usage.input_tokens, 200)
        self.assertEqual(usage.cache_read_input_tokens, 1000)
        self.assertEqual(usage.output_tokens, 16)

    @each_way
    def test_several_calls_at_once_and_their_results(self, upstream, stream):
        self.script(turns=TURNS)
        answer = self.ask(upstream, stream, tools=TOOLS)
        self.assertEqual(answer.stop_reason, "tool_use")
        self.assertEqual(answer.content[0].text, "I look.")
        made = [(each.name, each.input) for each in answer.content[1:]]
        self.assertEqual(made, [(each["name"], each["arguments"]) for each in CALLS])
        results = results_of(answer)
        self.assertEqual(len({each["tool_use_id"] for each in results}), 3)
        results[1].update(is_error=True)
        results[2].update(content=[{"type": "text", "text": "noon"}])
        more = {"type": "text", "text": "and?"}
        history = [
            *HELLO,
            {"role": "assistant", "content": answer.content},
            {"role": "user", "content": [*reversed(results), more]},
        ]
        answer = self.ask(upstream, stream, tools=TOOLS, messages=history)
        self.assertEqual(answer.content[0].text, "Sunny.")

    @each_way
    def test_metadata_of_the_agents_own_does_no_harm(self, upstream, stream):
        answer = self.ask(upstream, stream, extra_headers={"X-Weir-Metadata": "enabled"})
        self.assertEqual(answer.content[0].text, TEXT)
        if not stream:
            self.assertEqual(answer.model_extra["weir"]["provider"], upstream)

    @each_way
    def test_tool_choice(self, upstream, stream):
        for choice, name in (
            ({"type": "any"}, "weather"),
            ({"type": "tool", "name": "time"}, "time"),
            ({"type": "none"}, None),
        ):
            answer = self.ask(upstream, stream, tools=TOOLS, tool_choice=choice)
            made = [each.name for each in answer.content if each.type == "tool_use"]
            self.assertEqual(made, [name] if name else [])
        one = {"type": "auto", "disable_parallel_tool_use": True}
        self.ask(upstream, stream, tools=TOOLS, tool_choice=one)
        body = self.upstreams.seen(upstream)[0]
        if upstream == "openai":
            self.assertIs(body["parallel_tool_calls"], False)
        else:
            self.assertEqual(body["tool_choice"], one)

    @each_way
    def test_structured_answers_are_parsed(self, upstream, stream):
        request = {"model": f"by-{upstream}", "max_tokens": 100, "messages": HELLO}
        if stream:
            with self.anthropic.messages.stream(output_format=Weather, **request) as answer:
                message = answer.get_final_message()
        else:
            message = self.anthropic.messages.parse(output_format=Weather, **request)
        self.assertEqual(message.parsed_output, Weather(city="Berlin", degrees=1))

    @each_way
    def test_images(self, upstream, stream):
        source = {"type": "base64", "media_type": "image/png", "data": PNG}
        picture = {"type": "image", "source": source}
        asked = [{"role": "user", "content": [{"type": "text", "text": "what is it?"}, picture]}]
        url = {"url": f"data:image/png;base64,{PNG}"}
        self.assertEqual(self.ask(upstream, stream, messages=asked).content[0].text, TEXT)
        part = self.upstreams.seen(upstream)[0]["messages"][0]["content"][1]
        if upstream == "anthropic":
            self.assertEqual(part, picture)
        else:
            self.assertEqual((part["type"], part["image_url"]["url"]), ("image_url", url["url"]))

    @each_way
    def test_an_image_in_a_tools_result(self, upstream, stream):
        source = {"type": "base64", "media_type": "image/png", "data": PNG}
        self.script(turns=[{"tool_calls": CALLS[:1]}, {"text": "Sunny."}])
        answer = self.ask(upstream, stream, tools=TOOLS)
        result = results_of(answer)[0]
        result["content"] = [
            {"type": "text", "text": "a picture"},
            {"type": "image", "source": source},
        ]
        history = [
            *HELLO,
            {"role": "assistant", "content": answer.content},
            {"role": "user", "content": [result]},
        ]
        answer = self.ask(upstream, stream, tools=TOOLS, messages=history)
        self.assertEqual(answer.content[0].text, "Sunny.")
        if upstream == "openai":
            # Where a tool message cannot hold it, the user's next one does.
            last = self.upstreams.seen(upstream)[0]["messages"][-1]
            self.assertEqual(last["role"], "user")
            self.assertIn(PNG, str(last))

    @each_way
    def test_thinking_over_several_turns(self, upstream, stream):
        """Blocks go back as they came, to the provider that signed them. What a server of OpenAI's
        protocol reasoned goes back to it in its own way."""
        thinking = {"type": "enabled", "budget_tokens": 1024}
        self.script(
            turns=[
                {"reasoning_tokens": 2, "tool_calls": CALLS[:1]},
                {"reasoning_tokens": 3, "tool_calls": CALLS[1:2]},
                {"reasoning_tokens": 1, "text": "Sunny."},
            ],
            strict_also=["reasoning_content"],
        )
        history, blocks = list(HELLO), []
        for _ in range(3):
            answer = self.ask(
                upstream, stream, tools=TOOLS, messages=history, thinking=thinking
            )
            blocks.append(answer.content[0])
            history.append({"role": "assistant", "content": answer.content})
            if answer.stop_reason == "tool_use":
                history.append({"role": "user", "content": results_of(answer)})
        self.assertEqual([each.thinking for each in blocks], [" hm hm", " hm hm hm", " hm"])
        self.assertTrue(all(each.signature for each in blocks))
        self.assertEqual(answer.content[-1].text, "Sunny.")
        last = self.upstreams.seen(upstream)[0]["messages"]
        if upstream == "anthropic":
            sent = [last[1]["content"][0], last[3]["content"][0]]
            self.assertEqual(sent, [each.to_dict() for each in blocks[:2]])
        else:
            self.assertEqual(last[1]["reasoning_content"], " hm hm")
            self.assertNotIn("signature", str(last))

    def test_what_openai_reasoned_is_not_sent_to_anthropic(self):
        self.script(reasoning_tokens=2)
        answer = self.ask("openai", False)
        history = [*HELLO, {"role": "assistant", "content": answer.content}, *HELLO]
        # Nobody signed it, so the conversation may go on elsewhere.
        answer = self.ask("anthropic", False, messages=history)
        sent = self.upstreams.seen("anthropic")[0]["messages"][1]["content"]
        self.assertEqual([block["type"] for block in sent], ["text"])

    @each_way
    def test_system_blocks_and_cache_marks(self, upstream, stream):
        mark = {"cache_control": {"type": "ephemeral"}}
        system = [
            {"type": "text", "text": "Be brief.", **mark},
            {"type": "text", "text": "Be kind."},
        ]
        self.ask(upstream, stream, system=system)
        body = self.upstreams.seen(upstream)[0]
        if upstream == "anthropic":
            self.assertEqual(body["system"], system)
        else:
            text = str([each for each in body["messages"] if each["role"] == "system"])
            self.assertLess(text.index("Be brief."), text.index("Be kind."))
            self.assertNotIn("cache_control", text)


if __name__ == "__main__":
    unittest.main()
