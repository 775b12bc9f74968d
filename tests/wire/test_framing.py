# SPDX-License-Identifier: Apache-2.0
"""HTTP/1.1 as bytes: what is refused, what is recomputed, what stays behind."""

import unittest

from dialects import DIALECTS, OPENAI, good
from raw_client import RawClient, request_bytes
from raw_provider import sse, whole
from weir_harness import request
from wire_case import MODES, WireCase

BODY = b'{"model":"%s","messages":[{"role":"user","content":"hi"}]}'
POST = b"POST /v1/chat/completions HTTP/1.1\r\n"


def chunked(*lines, body=b"", ending=b"0\r\n\r\n"):
    """A chunked request whose head has these lines more."""
    head = b"Host: weir\r\nTransfer-Encoding: chunked\r\n" + b"".join(
        each + b"\r\n" for each in lines
    )
    return POST + head + b"\r\n" + body + ending


class Smuggling(WireCase):
    CHAINS = {("one", "two"): 12}

    def answer_to(self, data):
        """The answer to these bytes, and whether the connection was closed behind it."""
        client = RawClient(self.agent.port)
        self.addCleanup(client.close)
        client.send(data)
        answer = client.wait_answer()
        return answer, client

    def ambiguous(self, body):
        size = b"%d" % len(body)
        length = b"Content-Length: " + size + b"\r\n"
        host = b"Host: weir\r\n"
        whole_chunk = b"%x\r\n%s\r\n" % (len(body), body)

        def plain(*fields):
            return POST + b"".join(fields) + b"\r\n" + body

        yield "both framings", chunked(b"Content-Length: " + size, body=whole_chunk)
        yield "two equal lengths", plain(host, length, length)
        yield "two lengths", plain(host, length, b"Content-Length: 5\r\n")
        for value in (b"+" + size, size + b", " + size, b"0x3a", b"-1", b"", b"1" * 20):
            yield f"length {value!r}", plain(host, b"Content-Length: " + value + b"\r\n")
        for value in (b"chunked, identity", b"identity", b"xchunked", b"chunked, chunked", b"gzip"):
            head = POST + host + b"Transfer-Encoding: " + value + b"\r\n\r\n"
            yield f"coding {value!r}", head + whole_chunk + b"0\r\n\r\n"
        yield "space before the colon", plain(host, b"Content-Length : " + size + b"\r\n")
        yield "bare LF", POST + b"Host: weir\nContent-Length: " + size + b"\r\n\r\n" + body
        yield "LF alone", (POST + host + length + b"\r\n").replace(b"\r\n", b"\n") + body
        yield "folded field", plain(host, length, b"X-A: 1\r\n b: 2\r\n")
        yield "no Host", plain(length)
        yield "two Hosts", plain(host, b"Host: other\r\n", length)
        for digits in (b"+5", b"0x5", b"-5", b"f" * 17, b"8" + b"0" * 15, b" 5", b""):
            yield f"chunk size {digits!r}", chunked(body=digits + b"\r\n" + body + b"\r\n")
        yield "chunk longer than said", chunked(body=b"5\r\n" + body + b"\r\n")

    def test_b127_ambiguous_framing_is_refused_and_the_connection_closed(self):
        """400, close, and nothing of it goes upstream."""
        self.one.play(good(OPENAI, False, "fine"))
        body = BODY % self.fresh(OPENAI).encode()
        for name, data in self.ambiguous(body):
            with self.subTest(name):
                smuggled = b"GET /v1/models HTTP/1.1\r\nHost: weir\r\n\r\n"
                answer, client = self.answer_to(data + smuggled)
                self.assertEqual(answer.status, 400, answer.body)
                self.assertIn("message", answer.json()["error"])
                self.assertEqual(answer.headers["Connection"], "close")
                client.stream.shutdown(1)
                client.wait_end()
                self.assertEqual(client.data.count(b"HTTP/1.1 "), 1)
        self.assertEqual(self.one.requests, [])

    def test_b127_chunk_extensions_and_trailers_are_ignored(self):
        """They are legal and mean nothing here."""
        self.one.play(good(OPENAI, False, "fine"))
        for name, body, ending in (
            ("extension", b"%x;name=value\r\n%s\r\n", b"0\r\n\r\n"),
            ("extension in quotes", b'%x;a="b;c"\r\n%s\r\n', b"0;last\r\n\r\n"),
            ("trailer", b"%x\r\n%s\r\n", b"0\r\nX-Checksum: abc\r\nContent-Length: 5\r\n\r\n"),
            ("zeros first", b"000%x\r\n%s\r\n", b"000\r\n\r\n"),
        ):
            with self.subTest(name):
                text = BODY % self.fresh(OPENAI).encode()
                answer, client = self.answer_to(
                    chunked(body=body % (len(text), text), ending=ending)
                )
                self.assertEqual(answer.status, 200, answer.body)
                client.data = b""
                client.send(b"GET /v1/models HTTP/1.1\r\nHost: weir\r\n\r\n")
                self.assertEqual(client.wait_answer().status, 200)
                head = self.one.requests[-1].head
                self.assertNotIn(b"chunked", head)
                self.assertNotIn(b"X-Checksum", head)

    def test_b126_framing_is_computed_anew(self):
        """The body grows by stream_options, so its length does; never two framings upstream."""
        for dialect, stream in MODES:
            with self.subTest(protocol=dialect.name, stream=stream):
                self.one.play(good(dialect, stream, "fine"))
                headers = {
                    "Authorization": "Bearer client-secret",
                    "x-api-key": "client-secret",
                    "Connection": "keep-alive, X-Hop",
                    "X-Hop": "client-secret",
                    "Keep-Alive": "timeout=5",
                    "TE": "trailers",
                    "Upgrade": "h2c",
                    "Proxy-Authorization": "client-secret",
                    "Accept-Encoding": "br",
                    "Expect": "100-continue",
                    "Cookie": "client-secret",
                }
                body = dialect.request(self.fresh(dialect), stream)
                client = RawClient(self.agent.port)
                self.addCleanup(client.close)
                self.assertEqual(client.ask(dialect.path, body, headers).wait_answer().status, 200)
                sent = self.one.requests[0]
                self.assertEqual(sent.headers.get_all("Content-Length"), [str(len(sent.body))])
                self.assertEqual(sent.json()["messages"], body["messages"])
                self.assertEqual(sent.headers.get_all("Host"), [f"127.0.0.1:{self.one.port}"])
                for name in ("Transfer-Encoding", "X-Hop", "Keep-Alive", "TE", "Upgrade", "Expect"):
                    self.assertIsNone(sent.headers[name], name)
                self.assertNotIn(b"client-secret", sent.head)
                self.assertNotIn(b"br", (sent.headers["Accept-Encoding"] or "").encode())

    def test_b126_the_answers_framing_is_ours(self):
        """A stream of known length is sent in chunks, and then without that length."""
        for dialect in DIALECTS:
            with self.subTest(protocol=dialect.name):
                hop = {"Keep-Alive": "timeout=1", "X-Secret": "internal", "Set-Cookie": "a=b"}
                self.one.play(sse(dialect.events("fine"), framing="length", headers=hop))
                answer = self.client(dialect).wait_answer()
                self.assert_served(answer, dialect, "one", "fine")
                self.assertEqual(answer.headers.get_all("Transfer-Encoding"), ["chunked"])
                for name in ("Content-Length", *hop):
                    self.assertIsNone(answer.headers[name], name)


class Keys(WireCase):
    CHAINS = {("one", "two"): 1}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        config = cls.config
        config.agent["client_keys_env"] = "CLIENT_KEY"
        cls.guarded = cls.world.agent(config, {"CLIENT_KEY": "sk-good"})

    def test_b143_an_unknown_key_learns_nothing(self):
        """One constant message in the client's shape, whatever the key, the path and the body."""
        self.one.play(whole(b"never asked"))
        for dialect in DIALECTS:
            bodies = set()
            for headers in (
                {},
                {"Authorization": "Bearer wrong-secret-key"},
                {"Authorization": "Bearer sk-goo"},
                {"Authorization": "Bearer sk-good "[:-2]},
                {"Authorization": "sk-good"},
                {"x-api-key": "wrong-secret-key"},
            ):
                for model in (self.config.models.copy().popitem()[0], "no-such-model"):
                    raw = request_bytes(dialect.path, dialect.request(model))
                    body = raw.partition(b"\r\n\r\n")[2]
                    answer = request(self.guarded.port, "POST", dialect.path, body, headers)
                    self.assertEqual(answer.status, 401)
                    self.assertNotIn(b"wrong-secret-key", bytes(answer.headers) + answer.body)
                    self.assertIsNone(answer.headers["X-Weir-Provider"])
                    bodies.add(answer.body)
            with self.subTest(protocol=dialect.name):
                self.assertEqual(len(bodies), 1)
                error = answer.json()["error"]
                self.assertEqual(error["type"], "authentication_error")
                self.assertNotIn("sk-", error["message"])
        self.assertEqual(self.one.requests, [])


if __name__ == "__main__":
    unittest.main()
