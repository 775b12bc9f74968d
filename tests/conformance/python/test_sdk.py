# SPDX-License-Identifier: Apache-2.0
"""The official Python SDKs as clients of an agent. Their own retries are off: nothing else may hide a
failed provider."""

import json
import unittest

import anthropic
import openai

from faults import FAULTS, Pools
from weir_harness import World

TEXT = "The river rises over the weir and finds its level, 語🌍 slowly für everyone who waits."
HELLO = [{"role": "user", "content": "hello"}]
ASK_TOOL = [{"role": "user", "content": "please use a tool"}]
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
OPENAI_TOOLS = [{"type": "function", "function": {"name": "weather", "parameters": SCHEMA}}]
ANTHROPIC_TOOLS = [{"name": "weather", "input_schema": SCHEMA}]
HEADERS = ("request-id", "route", "mode", "reason", "level", "attempts")


class PythonSdk(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = World()
        cls.addClassCleanup(cls.world.close)
        cls.pools = Pools(cls.world)
        url = f"http://127.0.0.1:{cls.pools.agent.port}"
        cls.openai = openai.OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0)
        cls.anthropic = anthropic.Anthropic(base_url=url, api_key="none", max_retries=0)
        cls.addClassCleanup(cls.openai.close)
        cls.addClassCleanup(cls.anthropic.close)

    def check_headers(self, headers, provider):
        self.assertEqual(headers["x-weir-provider"], provider)
        for name in HEADERS:
            self.assertTrue(headers.get(f"x-weir-{name}"), f"X-Weir-{name} is missing")

    def openai_text(self, model, stream):
        raw = self.openai.chat.completions.with_raw_response
        answer = raw.create(model=model, messages=HELLO, stream=stream)
        self.check_headers(answer.headers, "ok_openai")
        parsed = answer.parse()
        if not stream:
            return parsed.choices[0].message.content
        return "".join(chunk.choices[0].delta.content or "" for chunk in parsed)

    def anthropic_text(self, model, stream):
        raw = self.anthropic.messages.with_raw_response
        answer = raw.create(model=model, max_tokens=100, messages=HELLO, stream=stream)
        self.check_headers(answer.headers, "ok_anthropic")
        parsed = answer.parse()
        if not stream:
            return parsed.content[0].text
        return "".join(e.delta.text for e in parsed if e.type == "content_block_delta")

    def test_chat(self):
        for stream in (False, True):
            with self.subTest(stream=stream):
                self.assertEqual(self.openai_text("m", stream), TEXT)
                self.assertEqual(self.anthropic_text("claude", stream), TEXT)

    def test_a_failing_first_provider_is_not_noticed(self):
        for fault in FAULTS:
            for stream in (False, True):
                with self.subTest(fault=fault, stream=stream):
                    self.assertEqual(self.openai_text(f"{fault}-openai", stream), TEXT)
                    self.assertEqual(self.anthropic_text(f"{fault}-anthropic", stream), TEXT)

    def test_usage_is_streamed_to_who_asked(self):
        request = {"model": "m", "messages": HELLO, "stream": True}
        chunks = list(self.openai.chat.completions.create(**request))
        self.assertTrue(all(chunk.choices for chunk in chunks))
        options = {"include_usage": True}
        chunks = list(self.openai.chat.completions.create(stream_options=options, **request))
        self.assertEqual(chunks[-1].choices, [])
        self.assertEqual(chunks[-1].usage.completion_tokens, 16)

    def test_openai_tools(self):
        request = {"model": "m", "tools": OPENAI_TOOLS}
        answer = self.openai.chat.completions.create(messages=ASK_TOOL, **request)
        message = answer.choices[0].message
        self.assertEqual(answer.choices[0].finish_reason, "tool_calls")
        self.assertEqual(json.loads(message.tool_calls[0].function.arguments), {"city": "Berlin"})
        result = {"role": "tool", "tool_call_id": message.tool_calls[0].id, "content": "sunny"}
        history = [*ASK_TOOL, message.model_dump(exclude_none=True), result]
        answer = self.openai.chat.completions.create(messages=history, **request)
        self.assertEqual(answer.choices[0].message.content, TEXT)
        with self.openai.chat.completions.stream(messages=ASK_TOOL, **request) as stream:
            call = stream.get_final_completion().choices[0].message.tool_calls[0]
        self.assertEqual(json.loads(call.function.arguments), {"city": "Berlin"})

    def test_anthropic_tools(self):
        request = {"model": "claude", "max_tokens": 100, "tools": ANTHROPIC_TOOLS}
        answer = self.anthropic.messages.create(messages=ASK_TOOL, **request)
        self.assertEqual(answer.stop_reason, "tool_use")
        self.assertEqual(answer.content[0].input, {"city": "Berlin"})
        with self.anthropic.messages.stream(messages=ASK_TOOL, **request) as stream:
            streamed = stream.get_final_message()
        self.assertEqual(streamed.content[0].input, {"city": "Berlin"})
        result = {"type": "tool_result", "tool_use_id": answer.content[0].id, "content": "sunny"}
        history = [
            *ASK_TOOL,
            {"role": "assistant", "content": [answer.content[0].model_dump(exclude_none=True)]},
            {"role": "user", "content": [result]},
        ]
        answer = self.anthropic.messages.create(messages=history, **request)
        self.assertEqual(answer.content[0].text, TEXT)

    def test_models(self):
        names = {model.id for model in self.openai.models.list()}
        self.assertLessEqual({"m", "claude", "s500-openai"}, names)

    def test_an_unknown_model_is_not_found(self):
        with self.assertRaises(openai.NotFoundError) as caught:
            self.openai.chat.completions.create(model="nobody", messages=HELLO)
        self.assertIn("claude", str(caught.exception))
        with self.assertRaises(anthropic.NotFoundError) as caught:
            self.anthropic.messages.create(model="nobody", max_tokens=5, messages=HELLO)
        self.assertEqual(caught.exception.body["error"]["type"], "not_found_error")
        self.assertIn("claude", str(caught.exception))

    def test_a_bad_body_is_a_bad_request(self):
        with self.assertRaises(openai.BadRequestError):
            self.openai.chat.completions.create(model="m", messages="not a list")
        with self.assertRaises(anthropic.BadRequestError):
            self.anthropic.messages.create(model="claude", max_tokens=5, messages="not a list")

    def test_a_providers_400_is_passed_on_after_one_attempt(self):
        for stream in (False, True):
            with self.subTest(stream=stream):
                with self.assertRaises(openai.BadRequestError) as first:
                    self.openai.chat.completions.create(
                        model="s400-openai", messages=HELLO, stream=stream
                    )
                with self.assertRaises(anthropic.BadRequestError) as second:
                    self.anthropic.messages.create(
                        model="s400-anthropic", max_tokens=5, messages=HELLO, stream=stream
                    )
                for caught in (first, second):
                    self.assertIn("The request is not valid", str(caught.exception))
                    headers = caught.exception.response.headers
                    self.assertEqual(headers["x-weir-attempts"], "1")


if __name__ == "__main__":
    unittest.main()
