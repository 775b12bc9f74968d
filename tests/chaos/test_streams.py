# SPDX-License-Identifier: Apache-2.0
"""Streams under strain: a client that does not read, a provider that dribbles, a client that goes."""

import json
import socket
import time
import unittest

from weir_harness import PATIENCE_S, Config, World, request, wait_until

HUGE = 200_000_000
# What the kernel's buffers on both legs may hold, and some for the agent's own.
IN_FLIGHT_MAX = 48_000_000
# About 1.5 MB, more in a sanitizer build; without back-pressure it would be 800 MB.
RSS_GROWTH_MAX = 24_000_000
SILENT_CLIENTS = 4


def raw_request(port, path, body):
    """Sends a request and leaves the answer in the socket."""
    connection = socket.socket()
    connection.settimeout(PATIENCE_S)
    connection.connect(("127.0.0.1", port))
    data = json.dumps(body).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: weir\r\nContent-Length: {len(data)}\r\n\r\n"
    connection.sendall(head.encode() + data)
    return connection


def chat_body(stream=True, **more):
    body = {"model": "m", "messages": [{"role": "user", "content": "hi"}], "stream": stream}
    body.update(more)
    return body


class Streams(unittest.TestCase):
    def setUp(self):
        self.world = World()
        self.addCleanup(self.world.close)
        self.fake = self.world.fake()
        config = Config().provider("p", self.fake.port).model("m", ["p"])
        config.provider("a", self.fake.port, "anthropic").model("claude", ["a"])
        config.sections["limits"]["client_write_stall_s"] = 120
        self.agent = self.world.agent(config)

    def settled_bytes(self):
        """The provider's bytes once it can send no more."""
        last = {"bytes": -(10**6), "since": time.monotonic()}

        def still():
            sent = self.fake.stats()["bytes_out"]
            if sent - last["bytes"] > 10_000:
                last.update(bytes=sent, since=time.monotonic())
            return sent > 1_000_000 and time.monotonic() - last["since"] > 0.5

        wait_until(still, "the provider to be held up")
        return last["bytes"]

    # Wire case B136.
    def test_a_client_that_reads_nothing_costs_no_memory(self):
        self.assertEqual(self.agent.chat(stream=True).status, 200)
        self.fake.reset(stream_bytes=HUGE)
        before = self.agent.rss_bytes()
        path = "/v1/chat/completions"
        clients = [
            self.world.enter_context(raw_request(self.agent.port, path, chat_body()))
            for _ in range(SILENT_CLIENTS)
        ]
        wait_until(lambda: self.fake.stats()["in_flight"] == SILENT_CLIENTS, "all streams")
        sent = self.settled_bytes()
        growth = self.agent.rss_bytes() - before
        print(f"{SILENT_CLIENTS} silent clients: provider held at {sent}, agent grew {growth}")
        self.assertLess(sent, SILENT_CLIENTS * IN_FLIGHT_MAX)
        self.assertLess(growth, RSS_GROWTH_MAX)
        for client in clients[1:]:
            client.close()
        cancelled = SILENT_CLIENTS - 1
        wait_until(lambda: self.fake.stats()["cancelled"] == cancelled, "cancelled streams")
        self.read_whole(clients[0])
        self.assertLess(self.agent.rss_bytes() - before, RSS_GROWTH_MAX)

    def read_whole(self, client):
        total = 0
        tail = b""
        while not tail.endswith(b"0\r\n\r\n"):
            piece = client.recv(1 << 20)
            self.assertTrue(piece, f"the stream ended after {total} bytes")
            total += len(piece)
            tail = (tail + piece)[-64:]
        # The agent's chunks are not the provider's, so the framing takes a little less or more.
        self.assertGreater(total, HUGE * 0.99)
        self.assertIn(b"data: [DONE]", tail)

    def test_a_byte_per_segment_arrives_unchanged(self):
        unusual = {"segment_bytes": 1, "comments": 2}
        for path, model, more in (
            ("/v1/chat/completions", "m", {"stream_options": {"include_usage": True}}),
            ("/v1/messages", "claude", {"max_tokens": 50}),
        ):
            for line_end in ("lf", "crlf", "cr"):
                for stream in (True, False):
                    with self.subTest(path=path, line_end=line_end, stream=stream):
                        self.fake.reset(line_end=line_end, **unusual)
                        body = chat_body(stream, **{**(more if stream or model == "claude" else {})})
                        body["model"] = f"up/{'p' if model == 'm' else 'a'}/{model}"
                        direct = request(self.fake.port, "POST", path, body)
                        self.fake.reset(line_end=line_end, **unusual)
                        body["model"] = model
                        relayed = self.agent.post(path, body)
                        self.assertEqual(relayed.status, 200)
                        self.assertTrue(relayed.complete)
                        self.assertEqual(relayed.body, direct.body)

    def test_a_client_that_goes_cancels_its_upstream_call(self):
        cases = {
            "waiting for the first token": (True, {"ttft_ms": 60000}),
            "in the middle of a stream": (True, {"tokens_per_s": 5, "output_tokens": 1000}),
            "waiting for a whole answer": (False, {"ttft_ms": 60000}),
        }
        for name, (stream, script) in cases.items():
            with self.subTest(name):
                self.fake.reset(**script)
                seen = len(self.agent.ledger("outcome = 'client_cancelled'"))
                client = raw_request(self.agent.port, "/v1/chat/completions", chat_body(stream))
                wait_until(lambda: self.fake.stats()["in_flight"] == 1, "the upstream call")
                if "middle" in name:
                    self.assertIn(b"200 OK", client.recv(4096))
                client.close()
                wait_until(lambda: self.fake.stats()["cancelled"] == 1, "the cancellation", 5)
                wait_until(
                    lambda: len(self.agent.ledger("outcome = 'client_cancelled'")) == seen + 1,
                    "its ledger row",
                )


if __name__ == "__main__":
    unittest.main()
