# SPDX-License-Identifier: Apache-2.0
"""What agents in terminals send, as it comes from them, to providers of both protocols that refuse
what the real ones refuse."""

import json
import unittest
from pathlib import Path

from sdk_world import PROTOCOLS, Upstreams
from weir_harness import World

REQUESTS = Path(__file__).parent / "requests"
ANTHROPIC_HEADERS = {
    "anthropic-version": "2023-06-01",
    "anthropic-beta": "claude-code-20250219,interleaved-thinking-2025-05-14,"
    "context-management-2025-06-27,fine-grained-tool-streaming-2025-05-14",
    "anthropic-dangerous-direct-browser-access": "true",
    "x-app": "cli",
    "User-Agent": "claude-cli/2.1.0 (external, cli)",
    "x-stainless-lang": "js",
    "x-stainless-retry-count": "0",
    "Accept": "application/json",
}
BETAS = (
    "claude-code",
    "interleaved-thinking",
    "context-management",
    "fine-grained-tool-streaming",
)
OPENAI_HEADERS = {
    "User-Agent": "codex_cli_rs/0.90.0 (Debian 12; x86_64)",
    "originator": "codex_cli_rs",
    "session_id": "0199a213-81c0-7800-8aa1-bbab2a035a53",
    "Accept": "text/event-stream",
}
CALL = {"name": "Bash", "arguments": {"command": "ls"}}


def request_of(name, model):
    text = (REQUESTS / f"{name}.json").read_text()
    return json.loads(text.replace('"MODEL"', json.dumps(model)))


def texts_of(content):
    if isinstance(content, str):
        return [content]
    return [part["text"] for part in content or [] if part.get("type") == "text"]


class Programs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = World()
        cls.addClassCleanup(cls.world.close)
        # What the program asks for and can do without; its own provider knows it.
        betas = [f"{each}-*" for each in BETAS]
        cls.upstreams = Upstreams(cls.world, optional_betas=betas, anthropic_betas=["*"])

    def setUp(self):
        self.upstreams.reset()

    def post(self, path, body, headers):
        answer = self.upstreams.agent.post(path, body, headers)
        self.assertEqual(answer.status, 200, answer.body)
        self.assertTrue(answer.complete)
        return answer

    def coding_agent(self, upstream, **more):
        body = {**request_of("coding_agent", f"by-{upstream}"), **more}
        return self.post("/v1/messages?beta=true", body, ANTHROPIC_HEADERS)

    def terminal_agent(self, upstream, **more):
        body = {**request_of("terminal_agent", f"by-{upstream}"), **more}
        return self.post("/v1/chat/completions", body, OPENAI_HEADERS)

    def test_coding_agent_with_anthropic(self):
        self.coding_agent("anthropic")
        sent = self.upstreams.seen("anthropic")[0]
        expected = request_of("coding_agent", "up/anthropic/by-anthropic")
        self.assertEqual(sent, expected)
        head = self.upstreams.seen_head("anthropic")
        for beta in BETAS:
            self.assertIn(beta, head)
        self.assertIn("post /v1/messages?beta=true ", head)

    def test_coding_agent_with_openai(self):
        for stream in (True, False):
            with self.subTest(stream=stream):
                self.coding_agent("openai", stream=stream)
                sent = self.upstreams.seen("openai")[0]
                given = request_of("coding_agent", "-")
                system = [m for m in sent["messages"] if m["role"] in ("system", "developer")]
                found = [text for each in system for text in texts_of(each["content"])]
                self.assertEqual(found, texts_of(given["system"]))
                names = [each["function"]["name"] for each in sent["tools"]]
                self.assertEqual(names, [each["name"] for each in given["tools"]])
                schemas = [each["function"]["parameters"] for each in sent["tools"]]
                self.assertEqual(schemas, [each["input_schema"] for each in given["tools"]])
                roles = [each["role"] for each in sent["messages"] if each not in system]
                self.assertEqual(roles, ["user", "assistant", "tool", "tool", "user"])
                self.assertEqual(sent["reasoning_effort"], "high")
                self.assertNotIn("cache_control", json.dumps(sent))
                self.assertNotIn("anthropic-", self.upstreams.seen_head("openai"))

    def test_the_coding_agent_hears_what_the_other_protocol_says(self):
        """Thinking, a text and a call, as its own provider would stream them."""
        self.upstreams.reset(reasoning_tokens=2, text="I look.", tools="always", tool_calls=[CALL])
        kinds = {}
        for upstream in PROTOCOLS:
            answer = self.coding_agent(upstream)
            events = [json.loads(each) for each in answer.events()]
            kinds[upstream] = [each["type"] for each in events if each["type"] != "ping"]
            starts = [e["content_block"]["type"] for e in events if "content_block" in e]
            self.assertEqual(starts, ["thinking", "text", "tool_use"])
            self.assertEqual(events[-2]["delta"]["stop_reason"], "tool_use")
            fragments = [e["delta"].get("partial_json", "") for e in events if "delta" in e]
            self.assertEqual(json.loads("".join(fragments)), CALL["arguments"])
        self.assertEqual(kinds["openai"], kinds["anthropic"])

    def test_terminal_agent_with_openai(self):
        self.terminal_agent("openai")
        expected = request_of("terminal_agent", "up/openai/by-openai")
        self.assertEqual(self.upstreams.seen("openai")[0], expected)

    def test_terminal_agent_with_anthropic(self):
        for stream in (True, False):
            with self.subTest(stream=stream):
                more = {} if stream else {"stream": False, "stream_options": None}
                self.terminal_agent("anthropic", **more)
                sent = self.upstreams.seen("anthropic")[0]
                given = request_of("terminal_agent", "-")
                found = texts_of(sent["system"])
                self.assertEqual(
                    found, [texts_of(each["content"])[0] for each in given["messages"][:2]]
                )
                roles = [each["role"] for each in sent["messages"]]
                self.assertEqual(roles, ["user", "assistant", "user", "assistant", "user"])
                calls = [b for b in sent["messages"][1]["content"] if b["type"] == "tool_use"]
                results = [b for b in sent["messages"][2]["content"] if b["type"] == "tool_result"]
                self.assertEqual(
                    [each["id"] for each in calls], [each["tool_use_id"] for each in results]
                )
                self.assertEqual(sent["messages"][3]["content"][0]["input"], {})
                self.assertEqual(sent["max_tokens"], 8000)
                self.assertEqual(sent["output_config"]["effort"], "medium")

    def test_the_terminal_agent_hears_what_the_other_protocol_says(self):
        call = {"name": "shell", "arguments": {"command": ["ls"]}}
        for upstream in PROTOCOLS:
            with self.subTest(upstream=upstream):
                self.upstreams.reset(
                    reasoning_tokens=2, text="I look.", tools="always", tool_calls=[call]
                )
                events = self.terminal_agent(upstream).events()
                self.assertEqual(events[-1], "[DONE]")
                chunks = [json.loads(each) for each in events[:-1]]
                self.assertEqual(chunks[-1]["choices"], [])
                self.assertGreater(chunks[-1]["usage"]["completion_tokens"], 0)
                deltas = [each["choices"][0]["delta"] for each in chunks[:-1]]
                said = "".join(each.get("content") or "" for each in deltas)
                self.assertEqual(said, "I look.")
                thought = "".join(each.get("reasoning_content") or "" for each in deltas)
                self.assertEqual(thought, " hm hm")
                made = [each["tool_calls"][0] for each in deltas if each.get("tool_calls")]
                self.assertEqual(made[0]["function"]["name"], "shell")
                arguments = "".join(each["function"].get("arguments", "") for each in made)
                self.assertEqual(json.loads(arguments), call["arguments"])
                self.assertEqual(chunks[-2]["choices"][0]["finish_reason"], "tool_calls")


if __name__ == "__main__":
    unittest.main()
