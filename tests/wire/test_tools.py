# SPDX-License-Identifier: Apache-2.0
"""Tool calls across the two protocols: each call whole, none dropped, none glued to another."""

import itertools
import json
import unittest

from dialects import ANTHROPIC, OPENAI, good
from meanings import meaning_of
from raw_provider import sse, whole
from wire_case import WireCase

SCHEMA = {"type": "object", "properties": {"x": {"type": "integer"}}}
OPENAI_TOOLS = [
    {"type": "function", "function": {"name": each, "parameters": SCHEMA}} for each in "fg"
]
ANTHROPIC_TOOLS = [{"name": each, "input_schema": SCHEMA} for each in "fg"]


class Tools(WireCase):
    TRANSLATED = True
    CHAINS = {("one",): 40}

    def from_chat(self, *events, reason="tool_calls"):
        """What an Anthropic client hears of these events of an OpenAI stream."""
        end = [*OPENAI.finish(reason), OPENAI.usage_event(), OPENAI.done]
        self.one.play(sse([*OPENAI.preamble(), *events, *end]))
        answer = self.ask(ANTHROPIC, True, tools=ANTHROPIC_TOOLS)
        self.assertEqual(answer.status, 200, answer.body)
        self.assertTrue(answer.complete, answer.body)
        return meaning_of(ANTHROPIC, answer)

    def test_b070_one_index_for_two_calls_is_two_calls(self):
        """A different id on an index that is open starts a new call."""
        calls = [
            OPENAI.call_part(0, "f", '{"p":"a"}', "call_a"),
            OPENAI.call_part(0, "f", '{"p":"b"}', "call_b"),
        ]
        meaning = self.from_chat(*calls)
        self.assertEqual(meaning.calls, [("call_a", "f", {"p": "a"}), ("call_b", "f", {"p": "b"})])
        self.assertEqual(meaning.reason, "tool_use")

    def test_b071_interleaved_pieces_find_their_calls(self):
        """Only one block may be open at a time, so the second call waits for the first one."""
        meaning = self.from_chat(
            OPENAI.text("both: "),
            OPENAI.call_part(0, "f", '{"x":', "a"),
            OPENAI.call_part(1, "g", '{"y":', "b"),
            OPENAI.call_part(0, arguments="1}"),
            OPENAI.call_part(1, arguments="2}"),
        )
        self.assertEqual(meaning.text, "both: ")
        self.assertEqual(meaning.calls, [("a", "f", {"x": 1}), ("b", "g", {"y": 2})])

    def history(self, arguments):
        function = {"name": "f"} if arguments is ... else {"name": "f", "arguments": arguments}
        call = {"id": "a", "type": "function", "function": function}
        return [
            {"role": "user", "content": "hi"},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "a", "content": "done"},
        ]

    def test_b073_no_arguments_are_an_empty_object(self):
        """Upstream an input is always an object; what is no JSON is refused, not sent on."""
        for arguments in ("", None, ..., "  ", "null", "{}"):
            with self.subTest(arguments=arguments):
                self.one.play(good(ANTHROPIC, False, "fine"))
                messages = self.history(arguments)
                answer = self.ask(OPENAI, messages=messages, tools=OPENAI_TOOLS)
                self.assertEqual(answer.status, 200, answer.body)
                blocks = self.one.requests[0].json()["messages"][1]["content"]
                self.assertEqual([block["input"] for block in blocks], [{}])
        for arguments in ("[1]", '"text"', "1", '{"x":', "{x}"):
            with self.subTest(arguments=arguments):
                self.one.play(good(ANTHROPIC, False, "fine"))
                messages = self.history(arguments)
                answer = self.ask(OPENAI, messages=messages, tools=OPENAI_TOOLS)
                if answer.status == 400:
                    self.assertEqual(self.one.requests, [])
                    self.assertIn("arguments", json.dumps(answer.json()))
                else:
                    blocks = self.one.requests[0].json()["messages"][1]["content"]
                    self.assertIsInstance(blocks[0]["input"], dict)

    def test_b073_a_call_without_input_has_empty_arguments(self):
        """The other way: no piece of input came, so the arguments are "{}"."""
        for stream in (False, True):
            with self.subTest(stream=stream):
                block = {"type": "tool_use", "id": "t", "name": "f", "input": {}}
                body = {**ANTHROPIC.whole("", "tool_use"), "content": [block]}
                start, *_ = ANTHROPIC.preamble()
                end = [ANTHROPIC.finish("tool_use")[1], ANTHROPIC.done]
                events = [start, *ANTHROPIC.call(0, "t", "f"), *end]
                self.one.play(sse(events) if stream else whole(body))
                answer = self.ask(OPENAI, stream, tools=OPENAI_TOOLS)
                meaning = meaning_of(OPENAI, answer)
                self.assertEqual(meaning.calls, [("t", "f", {})])
                self.assertEqual(meaning.reason, "tool_calls")

    def test_b074_results_follow_their_calls_at_once(self):
        """One user message: the results in the calls' order, then the texts."""
        calls = [
            {"id": each, "type": "function", "function": {"name": "f", "arguments": "{}"}}
            for each in "ab"
        ]

        def tool(name):
            return {"role": "tool", "tool_call_id": name, "content": f"result {name}"}

        go_on = {"role": "user", "content": "go on"}
        between = {"role": "user", "content": "wait"}
        for name, (content, rest, texts) in {
            "null": (None, [tool("b"), tool("a"), go_on], ["go on"]),
            "empty": ("", [tool("b"), tool("a"), go_on], ["go on"]),
            "text": ("thinking", [tool("a"), tool("b"), go_on], ["go on"]),
            "text between": (None, [tool("b"), between, tool("a"), go_on], ["wait", "go on"]),
            "results alone": (None, [tool("b"), tool("a")], []),
        }.items():
            with self.subTest(name):
                self.one.play(good(ANTHROPIC, False, "fine"))
                assistant = {"role": "assistant", "content": content, "tool_calls": calls}
                messages = [{"role": "user", "content": "hi"}, assistant, *rest]
                answer = self.ask(OPENAI, messages=messages, tools=OPENAI_TOOLS)
                self.assertEqual(answer.status, 200, answer.body)
                sent = self.one.requests[0].json()["messages"]
                self.assertEqual([each["role"] for each in sent], ["user", "assistant", "user"])
                ids = [block["id"] for block in sent[1]["content"] if block["type"] == "tool_use"]
                self.assertEqual(ids, ["a", "b"])
                blocks = sent[2]["content"]
                results = [block.get("tool_use_id") for block in blocks[:2]]
                self.assertEqual(results, ["a", "b"])
                self.assertEqual([block["text"] for block in blocks[2:]], texts)
                self.assertNotIn("", [block.get("text") for block in sent[1]["content"]])

    CHOICES = {
        "required": ("required", {"type": "any"}),
        "auto": ("auto", {"type": "auto"}),
        "none": ("none", {"type": "none"}),
        "named": (
            {"type": "function", "function": {"name": "g"}},
            {"type": "tool", "name": "g"},
        ),
    }

    def test_b075_tools_and_the_choice_of_them_go_along(self):
        """Schemas, choice and the wish for one call at a time, in the target's words."""
        for (name, (openai, anthropic)), single in itertools.product(
            self.CHOICES.items(), (False, True)
        ):
            with self.subTest(name, single=single):
                self.one.play(good(ANTHROPIC, False, "fine"))
                more = {"parallel_tool_calls": False} if single else {}
                answer = self.ask(OPENAI, tools=OPENAI_TOOLS, tool_choice=openai, **more)
                self.assertEqual(answer.status, 200, answer.body)
                sent = self.one.requests[0].json()
                self.assertEqual([each["name"] for each in sent["tools"]], ["f", "g"])
                self.assertEqual([each["input_schema"] for each in sent["tools"]], [SCHEMA] * 2)
                choice = dict(sent["tool_choice"])
                wish = choice.pop("disable_parallel_tool_use", False)
                self.assertEqual(choice, anthropic)
                if name != "none":
                    self.assertEqual(wish, single)

    def test_b075_text_and_both_calls_come_back(self):
        """An answer of text and two calls, with and without streaming."""
        calls = [("t1", "f", {"x": 1}), ("t2", "g", {})]
        blocks = [{"type": "tool_use", "id": i, "name": n, "input": v} for i, n, v in calls]
        text = {"type": "text", "text": "both"}
        body = {**ANTHROPIC.whole("", "tool_use"), "content": [text, *blocks]}
        stop, delta = ANTHROPIC.finish("tool_use")
        events = [*ANTHROPIC.preamble(), ANTHROPIC.text("both"), stop]
        events += ANTHROPIC.call(1, "t1", "f", '{"x"', ": 1}") + ANTHROPIC.call(2, "t2", "g")
        for stream in (False, True):
            with self.subTest(stream=stream):
                self.one.play(sse([*events, delta, ANTHROPIC.done]) if stream else whole(body))
                answer = self.ask(OPENAI, stream, tools=OPENAI_TOOLS)
                self.assertEqual(answer.status, 200, answer.body)
                meaning = meaning_of(OPENAI, answer)
                self.assertEqual((meaning.text, meaning.calls), ("both", calls))
                self.assertEqual(meaning.reason, "tool_calls")

    def test_b076_a_call_ends_in_tool_use_whatever_the_server_says(self):
        """`stop` behind a call is tool_use; `length` stays a length."""
        for reason, wanted in (
            ("stop", "tool_use"),
            ("tool_calls", "tool_use"),
            ("length", "max_tokens"),
        ):
            with self.subTest(reason, stream=True):
                call = OPENAI.call_part(0, "f", '{"x":1}', "a")
                meaning = self.from_chat(OPENAI.text("now: "), call, reason=reason)
                self.assertEqual(meaning.calls, [("a", "f", {"x": 1})])
                self.assertEqual(meaning.reason, wanted)
            with self.subTest(reason, stream=False):
                body = OPENAI.whole("now: ", reason)
                function = {"name": "f", "arguments": '{"x":1}'}
                call = {"id": "a", "type": "function", "function": function}
                body["choices"][0]["message"]["tool_calls"] = [call]
                self.one.play(whole(body))
                meaning = meaning_of(ANTHROPIC, self.ask(ANTHROPIC, tools=ANTHROPIC_TOOLS))
                self.assertEqual(meaning.calls, [("a", "f", {"x": 1})])
                self.assertEqual(meaning.reason, wanted)

    def test_b093_tools_work_in_all_four_combinations(self):
        """Client's protocol by streaming: the same request upstream, the same call back."""
        for stream in (False, True):
            with self.subTest(client="anthropic", stream=stream):
                call = {"id": "a", "type": "function"}
                call["function"] = {"name": "f", "arguments": '{"x": 1}'}
                body = OPENAI.whole(None, "tool_calls")
                body["choices"][0]["message"]["tool_calls"] = [call]
                parts = [OPENAI.call_part(0, "f", '{"x"', "a"), OPENAI.call_part(0, None, ": 1}")]
                end = [*OPENAI.finish("tool_calls"), OPENAI.done]
                self.one.play(sse([*OPENAI.preamble(), *parts, *end]) if stream else whole(body))
                choice = {"type": "any", "disable_parallel_tool_use": True}
                answer = self.ask(ANTHROPIC, stream, tools=ANTHROPIC_TOOLS, tool_choice=choice)
                self.assertEqual(answer.status, 200, answer.body)
                sent = self.one.requests[0].json()
                functions = [each["function"] for each in sent["tools"]]
                self.assertEqual([each["name"] for each in functions], ["f", "g"])
                self.assertEqual([each["parameters"] for each in functions], [SCHEMA] * 2)
                self.assertEqual(sent["tool_choice"], "required")
                self.assertIs(sent["parallel_tool_calls"], False)
                meaning = meaning_of(ANTHROPIC, answer)
                self.assertEqual(meaning.calls, [("a", "f", {"x": 1})])
                self.assertEqual(meaning.reason, "tool_use")
            with self.subTest(client="openai", stream=stream):
                block = {"type": "tool_use", "id": "a", "name": "f", "input": {"x": 1}}
                body = {**ANTHROPIC.whole("", "tool_use"), "content": [block]}
                start, *_ = ANTHROPIC.preamble()
                events = [start, *ANTHROPIC.call(0, "a", "f", '{"x"', ": 1}")]
                events += [ANTHROPIC.finish("tool_use")[1], ANTHROPIC.done]
                self.one.play(sse(events) if stream else whole(body))
                choice = "required"
                answer = self.ask(OPENAI, stream, tools=OPENAI_TOOLS, tool_choice=choice)
                meaning = meaning_of(OPENAI, answer)
                self.assertEqual(meaning.calls, [("a", "f", {"x": 1})])
                self.assertEqual(meaning.reason, "tool_calls")


if __name__ == "__main__":
    unittest.main()
