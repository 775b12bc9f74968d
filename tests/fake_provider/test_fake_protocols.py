# SPDX-License-Identifier: Apache-2.0
"""weir-fake-provider as the providers it stands for: Responses, reasoning, an agent's loop,
and what the real ones refuse."""

import json
import re
import unittest

from weir_harness import World, request

CHAT, MESSAGES, RESPONSES = "/v1/chat/completions", "/v1/messages", "/v1/responses"
SCHEMA = {
    "type": "object",
    "properties": {
        "city": {"type": "string"},
        "unit": {"enum": ["C", "F"]},
        "where": {"$ref": "#/$defs/Place"},
    },
    "required": ["city", "unit", "where"],
    "$defs": {
        "Place": {"type": "object", "properties": {"x": {"type": "number"}}, "required": ["x"]}
    },
}
EXAMPLE = {"city": "Berlin", "unit": "C", "where": {"x": 1}}
USER = {"role": "user", "content": "hello"}
TURNS = [
    {"text": "I look.", "tool_calls": [{"name": "look", "arguments": {"at": 1}}]},
    {"tool_calls": [{"name": "look"}, {"name": "listen"}]},
    {"text": "Done."},
]


def chat_call(*ids):
    function = {"name": "f", "arguments": "{}"}
    calls = [{"id": each, "type": "function", "function": function} for each in ids]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def chat_result(call):
    return {"role": "tool", "tool_call_id": call, "content": "ok"}


def blocks(role, *content):
    return {"role": role, "content": list(content)}


def use(call):
    return {"type": "tool_use", "id": call, "name": "f", "input": {}}


def result(call):
    return {"type": "tool_result", "tool_use_id": call, "content": "ok"}


def said(text):
    return {"type": "text", "text": text}


class FakeProtocols(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = World()
        cls.addClassCleanup(cls.world.close)
        cls.fake = cls.world.fake()

    def setUp(self):
        self.fake.reset()

    def ask(self, path, headers=None, **more):
        body = {"model": "m", **more}
        if path == RESPONSES:
            body.setdefault("input", "hello")
        else:
            body.setdefault("messages", [USER])
        if path == MESSAGES:
            body.setdefault("max_tokens", 100)
            headers = headers or {"anthropic-version": "2023-06-01"}
        body = {key: value for key, value in body.items() if value is not ...}
        return request(self.fake.port, "POST", path, body, headers)

    def refusal(self, path, headers=None, **more):
        """The message of a 400, or "" for an answer."""
        answer = self.ask(path, headers, **more)
        self.assertIn(answer.status, (200, 400), answer.body)
        return answer.json()["error"]["message"] if answer.status == 400 else ""

    def check_refusal(self, word, path, **more):
        """The refusal says `word`; there is none where `word` is empty."""
        found = self.refusal(path, **more)
        self.assertIn(word, found)
        self.assertEqual(bool(word), bool(found), found)

    def test_responses_whole(self):
        self.fake.script(text="one two", reasoning_tokens=2, cached_tokens=1, input_tokens=9)
        answer = self.ask(RESPONSES, include=["reasoning.encrypted_content"]).json()
        reasoning, message = answer["output"]
        self.assertEqual(reasoning["summary"][0]["text"], " hm hm")
        self.assertTrue(reasoning["encrypted_content"])
        self.assertEqual(message["content"][0]["text"], "one two")
        self.assertEqual(answer["status"], "completed")
        self.assertEqual(answer["usage"]["output_tokens_details"]["reasoning_tokens"], 2)
        self.assertEqual(answer["usage"]["input_tokens_details"]["cached_tokens"], 1)
        self.assertNotIn("encrypted_content", self.ask(RESPONSES).json()["output"][0])
        cut = self.ask(RESPONSES, max_output_tokens=1).json()
        self.assertEqual(cut["incomplete_details"], {"reason": "max_output_tokens"})

    def test_responses_streamed(self):
        self.fake.script(text="one two", reasoning_tokens=1, tools="always")
        tool = {"type": "function", "name": "look", "parameters": SCHEMA}
        answer = self.ask(RESPONSES, stream=True, tools=[tool])
        names = re.findall(r"^event: (\S+)$", answer.body.decode(), re.MULTILINE)
        item = ["response.output_item.added", "response.output_item.done"]
        summary = "response.reasoning_summary"
        self.assertEqual(
            names,
            [
                "response.created",
                "response.in_progress",
                item[0],
                f"{summary}_part.added",
                f"{summary}_text.delta",
                f"{summary}_text.done",
                f"{summary}_part.done",
                item[1],
                item[0],
                "response.content_part.added",
                "response.output_text.delta",
                "response.output_text.delta",
                "response.output_text.done",
                "response.content_part.done",
                item[1],
                item[0],
                "response.function_call_arguments.delta",
                "response.function_call_arguments.delta",
                "response.function_call_arguments.done",
                item[1],
                "response.completed",
            ],
        )
        events = [json.loads(each) for each in answer.events()]
        self.assertEqual([each["sequence_number"] for each in events], list(range(len(events))))
        self.assertEqual([each["type"] for each in events], names)
        output = events[-1]["response"]["output"]
        kinds = [each["type"] for each in output]
        self.assertEqual(kinds, ["reasoning", "message", "function_call"])
        self.assertEqual(json.loads(output[2]["arguments"]), EXAMPLE)

    def test_fragments_of_arguments_cut_no_character(self):
        self.fake.script(tool_calls=[{"name": "f", "arguments": {"a": "語"}}], tools="always")
        for path in (CHAT, MESSAGES, RESPONSES):
            self.assertNotIn("\ufffd", self.ask(path, stream=True).body.decode())

    def test_structured_answers_satisfy_their_schema(self):
        schema = {"type": "json_schema", "json_schema": {"name": "s", "schema": SCHEMA}}
        text = self.ask(CHAT, response_format=schema).json()["choices"][0]["message"]["content"]
        self.assertEqual(json.loads(text), EXAMPLE)
        schema = {"type": "json_schema", "name": "s", "schema": SCHEMA}
        answer = self.ask(MESSAGES, output_config={"format": schema}).json()
        self.assertEqual(json.loads(answer["content"][0]["text"]), EXAMPLE)
        answer = self.ask(RESPONSES, text={"format": schema}).json()
        self.assertEqual(json.loads(answer["output"][0]["content"][0]["text"]), EXAMPLE)

    def test_embeddings_as_numbers_and_as_bytes(self):
        body = {"model": "m", "input": ["a", "b"]}
        data = request(self.fake.port, "POST", "/v1/embeddings", body).json()["data"]
        self.assertEqual([each["embedding"] for each in data], [[0.25, -0.5, 0.125, 1.0]] * 2)
        body["encoding_format"] = "base64"
        data = request(self.fake.port, "POST", "/v1/embeddings", body).json()["data"]
        self.assertEqual(data[0]["embedding"], "AACAPgAAAL8AAAA+AACAPw==")

    def test_reasoning_is_signed_for_its_text_and_its_provider(self):
        self.fake.script(reasoning_tokens=2, seed=7)
        block = self.ask(MESSAGES).json()["content"][0]
        self.assertEqual(block["thinking"], " hm hm")
        events = [json.loads(each) for each in self.ask(MESSAGES, stream=True).events()]
        deltas = [each["delta"] for each in events if each["type"] == "content_block_delta"]
        self.assertEqual(deltas[2], {"type": "signature_delta", "signature": block["signature"]})
        self.fake.script(strict=True)
        for change, word in (({}, ""), ({"thinking": "um"}, "signature"), ({"x": 1}, "Extra")):
            history = [USER, blocks("assistant", {**block, **change}, said("a")), USER]
            self.check_refusal(word, MESSAGES, messages=history)
        self.fake.script(seed=8)
        history = [USER, blocks("assistant", block, said("a")), USER]
        self.assertIn("signature", self.refusal(MESSAGES, messages=history))
        self.fake.script(redacted=True)
        self.assertEqual(self.ask(MESSAGES).json()["content"][0]["type"], "redacted_thinking")

    def test_reasoning_of_openai_servers(self):
        for field in ("reasoning_content", "reasoning"):
            self.fake.script(reasoning_tokens=1, reasoning_field=field)
            message = self.ask(CHAT).json()["choices"][0]["message"]
            self.assertEqual(message[field], " hm")
            self.assertIn(f'{{"{field}":" hm"}}'.encode(), self.ask(CHAT, stream=True).body)

    def test_turns_go_by_the_results_of_their_calls(self):
        self.fake.script(turns=TURNS)
        for results, text, names in (
            (0, "I look.", ["look"]),
            (1, None, ["look", "listen"]),
            (2, None, ["look", "listen"]),
            (3, "Done.", []),
            (9, "Done.", []),
        ):
            calls = [f"c{at}" for at in range(results)]
            chat = [chat_call(*calls), *map(chat_result, calls)] if calls else []
            message = self.ask(CHAT, messages=[USER, *chat]).json()["choices"][0]["message"]
            self.assertEqual(message["content"], text)
            found = [each["function"]["name"] for each in message.get("tool_calls", [])]
            self.assertEqual(found, names)
            turns = [blocks("assistant", *map(use, calls)), blocks("user", *map(result, calls))]
            answer = self.ask(MESSAGES, messages=[USER, *turns] if calls else [USER])
            content = answer.json()["content"]
            found = [each["name"] for each in content if each["type"] == "tool_use"]
            self.assertEqual(found, names)

    def test_a_turn_may_fail(self):
        self.fake.script(turns=[{"status": 503, "times": 2, "text": "up again"}])
        statuses = [self.ask(CHAT).status for _ in range(3)]
        self.assertEqual(statuses, [503, 503, 200])
        self.fake.script(fault="none")
        self.assertEqual(self.ask(CHAT).status, 503)

    def test_an_answer_goes_on_behind_a_prefill(self):
        self.fake.script(text="one two three")
        history = [USER, {"role": "assistant", "content": "one two"}]
        message = self.ask(CHAT, messages=history).json()["choices"][0]["message"]
        self.assertEqual(message["content"], " three")
        content = self.ask(MESSAGES, messages=history).json()["content"]
        self.assertEqual(content[0]["text"], " three")
        self.fake.script(prefill=False)
        self.assertIn("prefill", self.refusal(MESSAGES, messages=history))

    def test_calls_and_results_belong_together(self):
        chat_cases = (
            ([USER, chat_call("a", "b"), chat_result("b"), chat_result("a"), USER], ""),
            ([USER, chat_call("a", "b"), chat_result("a"), USER], "did not have response"),
            ([USER, chat_call("a")], "did not have response"),
            ([USER, chat_result("a")], "must be a response to a preceeding"),
            ([USER, chat_call("a"), USER, chat_result("a")], "did not have response"),
        )
        for messages, word in chat_cases:
            with self.subTest(messages=messages):
                self.check_refusal(word, CHAT, messages=messages)
        message_cases = (
            ([blocks("user", result("a"), result("b"), said("go on"))], ""),
            ([blocks("user", result("a")), blocks("user", result("b"))], ""),
            ([blocks("user", result("a"))], "immediately after: b"),
            ([blocks("user", said("wait"), result("a"), result("b"))], "immediately after: a, b"),
            ([blocks("user", result("a"), result("b"), result("c"))], "unexpected `tool_use_id`"),
            ([], "immediately after"),
        )
        for turns, word in message_cases:
            messages = [USER, blocks("assistant", use("a"), use("b")), *turns]
            with self.subTest(messages=messages):
                self.check_refusal(word, MESSAGES, messages=messages)
        call = {"type": "function_call", "call_id": "a", "name": "f", "arguments": "{}"}
        output = {"type": "function_call_output", "call_id": "a", "output": "ok"}
        self.assertEqual(self.refusal(RESPONSES, input=[USER, call, output]), "")
        self.assertIn("No tool output found", self.refusal(RESPONSES, input=[USER, call]))
        self.assertIn("No tool call found", self.refusal(RESPONSES, input=[USER, output]))
        self.assertEqual(self.refusal(RESPONSES, input=[output], previous_response_id="r"), "")

    def test_strict_anthropic(self):
        self.fake.script(strict=True, betas=["interleaved-thinking-2025-05-14"])
        tool = {"name": "f", "input_schema": {"type": "object"}}
        thinking = {"type": "enabled", "budget_tokens": 1024}
        mark = {"cache_control": {"type": "ephemeral"}}
        loop = [USER, blocks("assistant", use("a")), blocks("user", result("a"))]
        odd_loop = [USER, blocks("assistant", use("a:1")), blocks("user", result("a:1"))]
        picture = {"type": "base64", "media_type": "image/png", "data": "AAAA"}
        for more, word in (
            ({}, ""),
            ({"system": [{**said("s"), **mark}], "tools": [{**tool, **mark}]}, ""),
            ({"max_tokens": 2000, "thinking": thinking, "temperature": 1}, ""),
            ({"messages": loop, "max_tokens": 2000}, ""),
            ({"messages": [blocks("user", {"type": "image", "source": picture})]}, ""),
            ({"max_tokens": ...}, "max_tokens: Field required"),
            ({"stream_options": {}}, "stream_options: Extra inputs"),
            ({"context_management": {}}, "context_management: Extra inputs"),
            ({"metadata": {"trace": "x"}}, "metadata.trace: Extra inputs"),
            ({"temperature": 1.2}, "temperature: range"),
            ({"stop_sequences": ["\n"]}, "non-whitespace"),
            ({"thinking": thinking}, "must be greater than"),
            ({"thinking": {**thinking, "budget_tokens": 100}}, "1024"),
            ({"max_tokens": 2000, "thinking": thinking, "temperature": 0.5}, "only be set to 1"),
            ({"max_tokens": 2000, "thinking": thinking, "messages": loop}, "Expected `thinking`"),
            ({"system": [said("")]}, "system: text content blocks must be non-empty"),
            ({"system": [{**said("s"), **mark}] * 5}, "maximum of 4"),
            ({"tools": [{"name": "f", "parameters": {}}]}, "parameters: Extra inputs"),
            ({"tools": [{**tool, "name": "a.b"}]}, "should match pattern"),
            ({"tools": [tool, tool]}, "unique"),
            ({"tool_choice": {"type": "auto"}}, "while providing tools"),
            ({"tools": [tool], "tool_choice": {"type": "required"}}, "does not match"),
            ({"messages": [{"role": "system", "content": "s"}, USER]}, "Unexpected role"),
            ({"messages": [{"role": "user", "content": ""}]}, "non-empty content"),
            ({"messages": [blocks("user", said(" "))]}, "non-whitespace"),
            ({"messages": [{**USER, "name": "n"}]}, "messages.0.name: Extra inputs"),
            ({"messages": [{"role": "assistant", "content": "a"}, USER]}, "first message"),
            ({"messages": [blocks("user", {"type": "image_url"})]}, "expected tags"),
            ({"messages": odd_loop}, "id: String"),
        ):
            with self.subTest(more=more):
                self.check_refusal(word, MESSAGES, **more)
        self.assertIn("header is required", self.refusal(MESSAGES, {"x": "y"}))
        version = {"anthropic-version": "2023-06-01"}
        for beta, word in (("interleaved-thinking-2025-05-14", ""), ("nope-1", "`nope-1`")):
            self.assertIn(word, self.refusal(MESSAGES, {**version, "anthropic-beta": beta}))
        self.fake.script(strict_also=["context_management"])
        self.assertEqual(self.refusal(MESSAGES, context_management={}), "")

    def test_strict_openai(self):
        self.fake.script(strict=True)
        function = {"name": "f", "parameters": {"type": "object"}}
        tool = {"type": "function", "function": function}
        thinker = {"role": "assistant", "content": "a", "reasoning_content": "b"}
        url = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
        pictured = {**chat_result("a"), "content": [url]}
        for more, word in (
            ({}, ""),
            ({"tools": [tool], "tool_choice": "required", "parallel_tool_calls": False}, ""),
            ({"messages": [blocks("user", said("s"), url)]}, ""),
            ({"stream": True, "stream_options": {"include_usage": True}}, ""),
            ({"thinking": {}}, "'thinking'"),
            ({"top_k": 3}, "'top_k'"),
            ({"stream_options": {"include_usage": True}}, "only allowed when 'stream'"),
            ({"max_tokens": 5, "max_completion_tokens": 5}, "at the same time"),
            ({"temperature": 3}, "temperature"),
            ({"stop": list("abcde")}, "stop"),
            ({"tools": []}, "empty array"),
            ({"tool_choice": "auto"}, "'tools' are specified"),
            ({"tools": [{**tool, "cache_control": {}}]}, "tools[0].cache_control"),
            ({"tools": [{**tool, "function": {**function, "name": "n" * 65}}]}, "64"),
            ({"tools": [{**tool, "function": {**function, "strict": True}}]}, "additional"),
            ({"response_format": {"type": "json_schema", "json_schema": {}}}, "name"),
            ({"messages": [{"role": "user", "content": None}]}, "got null"),
            ({"messages": [{"role": "user", "content": []}]}, "empty array"),
            ({"messages": [USER, {"role": "assistant", "content": None}]}, "got null"),
            ({"messages": [USER, {**chat_call(), "content": "a"}]}, "empty array"),
            ({"messages": [USER, chat_call("c" * 41), chat_result("c" * 41)]}, "maximum length 40"),
            ({"messages": [USER, thinker]}, "reasoning_content"),
            ({"messages": [blocks("user", {**said("s"), "cache_control": {}})]}, "cache_control"),
            ({"messages": [USER, chat_call("a"), pictured]}, "image_url"),
            ({"messages": [{"role": "human", "content": "x"}]}, "'human'"),
        ):
            with self.subTest(more=more):
                self.check_refusal(word, CHAT, **more)
        answer = self.ask(CHAT, thinking={}).json()["error"]
        self.assertEqual((answer["param"], answer["code"]), ("thinking", "unknown_parameter"))
        options = {"include_usage": True}
        self.check_refusal("include_usage", RESPONSES, stream_options=options)
        self.fake.script(strict_also=["top_k", "cache_control"])
        marked = blocks("user", {**said("s"), "cache_control": {}})
        self.assertEqual(self.refusal(CHAT, top_k=3, messages=[marked]), "")


if __name__ == "__main__":
    unittest.main()
