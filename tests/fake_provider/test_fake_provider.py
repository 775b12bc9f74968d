# SPDX-License-Identifier: Apache-2.0
"""weir-fake-provider over real sockets: what the other tests lean on."""

import http.client
import json
import re
import socket
import subprocess
import unittest
from pathlib import Path

from weir_harness import BIN_DIR, World, request, wait_until

CHAT = "/v1/chat/completions"
MESSAGES = "/some/base/path/messages"
TOOL = {
    "name": "weather",
    "parameters": {
        "type": "object",
        "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
        "required": ["city", "days"],
    },
}


def ask(port, path=CHAT, text="hello", **more):
    body = {"model": "m", "max_tokens": 100, "messages": [{"role": "user", "content": text}]}
    body.update(more)
    return request(port, "POST", path, body)


class FakeProvider(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = World()
        cls.addClassCleanup(cls.world.close)
        cls.fake = cls.world.fake()
        cls.port = cls.fake.port

    def setUp(self):
        self.fake.reset()

    def outcome(self, **more):
        """What a client meets: a status, or the way in which it was let down."""
        try:
            answer = ask(self.port, **more)
        except http.client.BadStatusLine as odd:
            return "closed" if isinstance(odd, http.client.RemoteDisconnected) else "garbage"
        except ConnectionResetError:
            return "reset"
        except http.client.HTTPException:
            return "broken"
        return answer.status if answer.complete else "cut"

    def test_the_bill(self):
        """What was sent whole costs what the price list says; nothing else costs anything."""
        price = {"input": 0.6, "cached_input": 0.11, "cache_write": 0.75, "output": 2.2}
        self.fake.script(price=price, input_tokens=1001, cached_tokens=100, cache_creation_tokens=10)
        chat = ask(self.port, text="first")
        ask(self.port, stream=True)
        ask(self.port, path=MESSAGES, model="claude", stream=True)
        for script in ({"status": 500}, {"fault": "cut_rst"}, {"fault": "error_in_200"}):
            self.fake.script(**script)
            self.outcome()
        usage = chat.json()["usage"]
        self.assertEqual((usage["prompt_tokens"], usage["completion_tokens"]), (1001, 16))
        # 901 x 0.6 + 100 x 0.11 + 16 x 2.2 = 586.8; Messages has a word for the 10 written ones.
        billed = wait_until(
            lambda: (bill := self.fake.stats()["billed"]).get("claude") and bill, "the bill"
        )
        tokens = {"input_cached": 200, "output": 32}
        self.assertEqual(
            billed["m"],
            {"calls": 2, "input_uncached": 1802, "cache_write": 0, "micro_usd": 1174, **tokens},
        )
        tokens = {"input_cached": 100, "output": 16}
        self.assertEqual(
            billed["claude"],
            {"calls": 1, "input_uncached": 891, "cache_write": 10, "micro_usd": 588, **tokens},
        )
        seen = self.fake.requests(10)
        self.assertIn("first", seen[0]["body"])
        self.assertEqual([each.get("billed_micro_usd") for each in seen], [587, 587, 588, *[None] * 3])
        self.assertIn("price", self.fake_refuses(price={"in": 1}))

    def fake_refuses(self, **script):
        answer = request(self.fake.control_port, "POST", "/_control", script)
        self.assertEqual(answer.status, 400)
        return answer.json()["error"]["message"]

    def test_openai_stream(self):
        answer = ask(self.port, stream=True, max_tokens=2, stream_options={"include_usage": True})
        self.assertEqual(answer.headers["Content-Type"], "text/event-stream; charset=utf-8")
        events = answer.events()
        self.assertEqual(events[-1], "[DONE]")
        chunks = [json.loads(event) for event in events[:-1]]
        self.assertEqual(chunks[0]["choices"][0]["delta"]["role"], "assistant")
        text = "".join(c["choices"][0]["delta"].get("content", "") for c in chunks[:-1])
        self.assertEqual(text, "The river")
        self.assertEqual(chunks[-2]["choices"][0]["finish_reason"], "length")
        self.assertEqual(chunks[-1]["choices"], [])
        self.assertEqual(chunks[-1]["usage"]["completion_tokens"], 2)
        without = ask(self.port, stream=True, max_tokens=2)
        self.assertNotIn(b'"usage"', without.body)

    def test_anthropic_stream(self):
        answer = ask(self.port, MESSAGES, stream=True, max_tokens=2)
        names = re.findall(r"^event: (\w+)$", answer.body.decode(), re.MULTILINE)
        self.assertEqual(
            names,
            [
                "message_start",
                "content_block_start",
                "ping",
                "content_block_delta",
                "content_block_delta",
                "content_block_stop",
                "message_delta",
                "message_stop",
            ],
        )

    def test_tools(self):
        openai = ask(self.port, text="use a tool", tools=[{"type": "function", "function": TOOL}])
        call = openai.json()["choices"][0]["message"]["tool_calls"][0]["function"]
        self.assertEqual(json.loads(call["arguments"]), {"city": "Berlin", "days": 1})
        tool = {"name": "weather", "input_schema": TOOL["parameters"]}
        anthropic = ask(self.port, MESSAGES, text="use a tool", tools=[tool])
        self.assertEqual(anthropic.json()["content"][0]["input"], {"city": "Berlin", "days": 1})
        self.assertEqual(anthropic.json()["stop_reason"], "tool_use")

    def test_cached_tokens(self):
        self.fake.script(cached_tokens=30, cache_creation_tokens=20, input_tokens=100)
        usage = ask(self.port).json()["usage"]
        self.assertEqual(usage["prompt_tokens"], 100)
        self.assertEqual(usage["prompt_tokens_details"]["cached_tokens"], 30)
        usage = ask(self.port, MESSAGES).json()["usage"]
        self.assertEqual(usage["input_tokens"], 50)
        self.assertEqual(usage["cache_read_input_tokens"], 30)
        self.assertEqual(usage["cache_creation_input_tokens"], 20)

    def test_a_prompt_that_goes_on_reads_its_beginning_from_cache(self):
        self.fake.script(cache={"hit_warm": 1.0, "ttl_s": 100})
        first = {"role": "user", "content": "x" * 400}
        history = [first, {"role": "assistant", "content": "y"}, {"role": "user", "content": "z"}]
        cached = [
            ask(self.port, messages=messages).json()["usage"]["prompt_tokens_details"]
            for messages in ([first], history)
        ]
        self.assertEqual(cached, [{"cached_tokens": 0}, {"cached_tokens": 101}])

    def test_statuses(self):
        for status in (400, 401, 402, 404, 429, 500, 503, 529):
            with self.subTest(status):
                self.fake.script(status=status, retry_after=7)
                answer = ask(self.port, stream=True)
                self.assertEqual(answer.status, status)
                self.assertEqual(answer.headers["Retry-After"], "7")
                self.assertIn("message", answer.json()["error"])
                self.assertEqual(ask(self.port, MESSAGES).json()["type"], "error")

    def test_faults(self):
        for fault, whole, streamed in (
            ("reset", "reset", "reset"),
            ("close", "closed", "closed"),
            ("garbage_head", "garbage", "garbage"),
            ("cut_fin", "cut", "cut"),
            ("cut_rst", "cut", "cut"),
            ("short_length", "cut", "cut"),
            ("html_200", 200, 200),
            ("bad_chunk", 200, "cut"),
        ):
            with self.subTest(fault):
                self.fake.script(fault=fault)
                self.assertEqual(self.outcome(), whole)
                self.assertEqual(self.outcome(stream=True), streamed)

    def test_faults_of_events(self):
        for fault, last in (
            ("error_first_event", "error"),
            ("error_after", "error"),
            ("no_done", "usage"),
            ("no_finish", "choices"),
            ("no_choices", None),
        ):
            with self.subTest(fault):
                self.fake.script(fault=fault, usage="always" if last == "usage" else "asked")
                events = ask(self.port, stream=True).events()
                self.assertIn(last, [*json.loads(events[-1]), None])
        self.fake.script(fault="empty")
        self.assertEqual(ask(self.port, stream=True).body, b"")

    def test_times_and_share(self):
        self.fake.script(status=500, times=2)
        self.assertEqual([self.outcome() for _ in range(4)], [500, 500, 200, 200])
        self.fake.reset(success=0.5)
        first = [self.outcome() for _ in range(8)]
        self.fake.reset(success=0.5)
        self.assertEqual([self.outcome() for _ in range(8)], first)
        self.assertEqual(set(first), {200, 503})

    def test_capacity_and_burst(self):
        self.fake.script(capacity_rps=2)
        answers = [self.outcome() for _ in range(20)]
        self.assertEqual(answers[:2], [200, 200])
        self.assertIn(429, answers)
        self.fake.reset(burst_429_s=1000)
        self.assertEqual(self.outcome(), 429)
        self.fake.script(burst_429_s=0)
        self.assertEqual(self.outcome(), 200)

    def test_refused_connections_and_back(self):
        self.fake.script(listening=False)
        with self.assertRaises(ConnectionRefusedError):
            ask(self.port)
        self.fake.script(listening=True)
        self.assertEqual(self.outcome(), 200)

    def test_a_client_that_leaves_is_counted(self):
        for fault in ("hang", "stall_after_head", "stall_mid_stream"):
            with self.subTest(fault):
                self.fake.reset(fault=fault)
                with socket.create_connection(("127.0.0.1", self.port)) as client:
                    body = b'{"model":"m","messages":[{"role":"user","content":"x"}]}'
                    head = f"POST {CHAT} HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n"
                    client.sendall(head.encode() + body)
                    wait_until(lambda: self.fake.stats()["in_flight"] == 1, "the request")
                wait_until(lambda: self.fake.stats()["cancelled"] == 1, "the cancellation")

    def test_idle_connections_close(self):
        self.fake.script(idle_close_ms=20)
        with socket.create_connection(("127.0.0.1", self.port)) as client:
            client.settimeout(10)
            client.sendall(b"GET /v1/models HTTP/1.1\r\nHost: x\r\n\r\n")
            data = b""
            while piece := client.recv(4096):
                data += piece
        self.assertIn(b"200 OK", data)

    def test_keys_models_and_parameters(self):
        self.fake.script(expect_key="right", models=["a"], reject_params=["logprobs"])
        body = {"model": "a", "messages": [{"role": "user", "content": "x"}]}
        for headers, more, status in (
            ({}, {}, 401),
            ({"Authorization": "Bearer right"}, {}, 200),
            ({"x-api-key": "right"}, {}, 200),
            ({"x-api-key": "right"}, {"model": "b"}, 404),
            ({"x-api-key": "right"}, {"logprobs": True}, 400),
        ):
            with self.subTest(headers=headers, more=more):
                answer = request(self.port, "POST", CHAT, {**body, **more}, headers)
                self.assertEqual(answer.status, status)
        self.assertEqual(self.fake.stats()["keys_rejected"], 1)

    def test_bad_bodies(self):
        for body in (b"{", b"[]", b'{"model":"m"}', b'{"model":1,"messages":[]}'):
            self.assertEqual(request(self.port, "POST", CHAT, body).status, 400)

    def test_requests_are_kept_to_the_byte(self):
        body = b'{ "model":"m", "x": 1.0,"messages":[{"role":"user","content":"\\u00e9"}]}'
        request(self.port, "POST", CHAT, body, {"X-Odd": "  two  spaces"})
        seen = self.fake.requests()[0]
        self.assertEqual(seen["body"].encode(), body)
        self.assertTrue(seen["head"].startswith(f"POST {CHAT} HTTP/1.1\r\n"))
        self.assertIn("X-Odd:   two  spaces\r\n", seen["head"])
        request(self.port, "POST", CHAT, b"\xff")
        self.assertEqual(self.fake.requests()[0]["body_base64"], "/w==")

    def test_a_wrong_script_changes_nothing(self):
        for patch, word in (
            ({"nope": 1}, "nope"),
            ({"fault": "sneeze"}, "hang"),
            ({"success": 2}, "success"),
            ({"status": 500, "ttft_ms": -1}, "ttft_ms"),
        ):
            with self.subTest(patch):
                answer = request(self.fake.control_port, "POST", "/_control", patch)
                self.assertEqual(answer.status, 400)
                self.assertIn(word, answer.json()["error"]["message"])
                self.assertEqual(self.outcome(), 200)
        command = [str(BIN_DIR / "weir-fake-provider"), "--set", '{"nope":1}']
        self.assertEqual(subprocess.run(command, capture_output=True, check=False).returncode, 2)

    def test_the_readme_knows_every_key(self):
        command = [str(BIN_DIR / "weir-fake-provider"), "--help"]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        keys = re.findall(r"^  (\w+)(?: \[.*\])?$", text.split("Keys of the script")[1], re.MULTILINE)
        readme = (Path(__file__).parent / "README.md").read_text()
        self.assertGreater(len(keys), 40)
        self.assertEqual([key for key in keys if f"| `{key}` |" not in readme], [])


if __name__ == "__main__":
    unittest.main()
