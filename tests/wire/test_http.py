# SPDX-License-Identifier: Apache-2.0
"""HTTP/1.1 as clients use it besides plain requests: methods, browsers, Expect, pipelining."""

import contextlib
import json
import unittest

from dialects import ANTHROPIC, DIALECTS, OPENAI, good
from raw_client import RawClient, request_bytes
from raw_provider import sse, whole
from weir_harness import request
from wire_case import MODES, WireCase

PATHS = ((OPENAI.path, "POST"), (ANTHROPIC.path, "POST"), ("/v1/models", "GET, HEAD"))
GET_MODELS = b"GET /v1/models HTTP/1.1\r\nHost: weir\r\n\r\n"
ORIGIN = "https://app.example"
CLOSE = b"HTTP/1.1 400 "


def split(data):
    """The answers in these bytes, each with its Content-Length: [(status, head, body)]."""
    answers = []
    while data:
        head, _, rest = data.partition(b"\r\n\r\n")
        fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:])
        size = int(fields[b"content-length"])
        answers.append((int(head.split(b" ")[1]), head, rest[:size]))
        data = rest[size:]
    return answers


class Plain(WireCase):
    def send(self, data):
        client = RawClient(self.agent.port)
        self.addCleanup(client.close)
        return client.send(data)


class Methods(Plain):
    CHAINS = {("one", "two"): 1}

    def test_head_is_get_without_its_body(self):
        """The length is GET's, no byte of a body follows, and the connection goes on."""
        for version in (b"1.1", b"1.0"):
            with self.subTest(version):
                keep = b"Host: weir\r\nConnection: keep-alive\r\n\r\n"
                head = b"HEAD /v1/models HTTP/" + version + b"\r\n" + keep
                get = b"GET /v1/models HTTP/" + version + b"\r\nHost: weir\r\n"
                client = self.send(head + get + b"Connection: close\r\n\r\n")
                client.wait_end()
                first, _, rest = client.data.partition(b"\r\n\r\n")
                ((status, second, body),) = split(rest)
                self.assertTrue(first.startswith(b"HTTP/1.1 200 "), first)
                self.assertEqual(status, 200)
                self.assertEqual(len(json.loads(body)["data"]), len(self.config.models))
                length = b"Content-Length: %d" % len(body)
                self.assertIn(length, first)
                self.assertIn(length, second)

    def test_another_method_hears_which_one_it_is(self):
        """405 with Allow, in the client's shape; to HEAD without a body."""
        for path, allowed in PATHS:
            for method in ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "post"):
                if method in allowed.split(", "):
                    continue
                with self.subTest(method, path=path):
                    client = self.send(f"{method} {path} HTTP/1.1\r\nHost: weir\r\n\r\n".encode())
                    client.wait_end()
                    head, _, body = client.data.partition(b"\r\n\r\n")
                    self.assertTrue(head.startswith(b"HTTP/1.1 405 "), head)
                    self.assertIn(f"Allow: {allowed}".encode(), head.split(b"\r\n"))
                    self.assertNotIn(b"Access-Control", head)
                    if method == "HEAD":
                        self.assertEqual(body, b"")
                    else:
                        self.assertEqual("type" in json.loads(body), path == ANTHROPIC.path)

    def test_an_unknown_path_has_no_methods(self):
        """404, whatever the method; OPTIONS of the server as a whole too."""
        for line in (b"GET /v1/files", b"OPTIONS /v1/files", b"OPTIONS *", b"POST /v1/messages/"):
            with self.subTest(line):
                answer = self.send(line + b" HTTP/1.1\r\nHost: weir\r\n\r\n").wait_answer()
                self.assertEqual(answer.status, 404)
                self.assertIsNone(answer.headers["Allow"])

    def test_a_whole_url_is_its_path(self):
        """RFC 9112 section 3.2.2, as a client behind a proxy setting sends it."""
        for url in (b"http://elsewhere:99/v1/models", b"HTTP://weir/v1/models?limit=5"):
            answer = self.send(b"GET " + url + b" HTTP/1.1\r\nHost: weir\r\n\r\n").wait_answer()
            self.assertEqual(answer.status, 200)


class Browser(Plain):
    CHAINS = {("one", "two"): 16}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.config.agent["client_keys_env"] = "CLIENT_KEY"
        cls.config.agent["cors_origins"] = [ORIGIN, "http://localhost:5173"]
        cls.guarded = cls.world.agent(cls.config, {"CLIENT_KEY": "sk-good"})
        cls.config.agent["cors_origins"] = ["*"]
        cls.public = cls.world.agent(cls.config, {"CLIENT_KEY": "sk-good"})

    def preflight(self, agent, path, origin, method="POST"):
        headers = {
            "Origin": origin,
            "Access-Control-Request-Method": method,
            "Access-Control-Request-Headers": "authorization,content-type,x-stainless-os",
        }
        return request(agent.port, "OPTIONS", path, None, headers)

    def test_a_preflight_is_answered_without_a_key(self):
        """204, no body and no word of one, and the connection goes on."""
        for path, methods in PATHS:
            with self.subTest(path):
                client = RawClient(self.guarded.port)
                self.addCleanup(client.close)
                fields = (
                    f"Host: weir\r\nOrigin: {ORIGIN}\r\nAccess-Control-Request-Method: POST\r\n"
                    "Access-Control-Request-Headers: authorization,x-api-key\r\n\r\n"
                )
                client.send(f"OPTIONS {path} HTTP/1.1\r\n{fields}".encode() * 2)
                client.wait_for(b"\r\n\r\nHTTP/1.1 204 ")
                head = client.data.partition(b"\r\n\r\n")[0].split(b"\r\n")
                self.assertEqual(head[0], b"HTTP/1.1 204 No Content")
                for line in (
                    f"Access-Control-Allow-Origin: {ORIGIN}",
                    f"Access-Control-Allow-Methods: {methods}",
                    "Access-Control-Allow-Headers: authorization,x-api-key",
                    "Access-Control-Max-Age: 7200",
                    "Vary: Origin",
                ):
                    self.assertIn(line.encode(), head)
                names = [line.partition(b":")[0].lower() for line in head]
                for name in ("content-length", "transfer-encoding", "content-type", "connection"):
                    self.assertNotIn(name.encode(), names)

    def test_another_pages_preflight_is_refused(self):
        """No Access-Control field at all, so the browser sends nothing more."""
        others = ("https://evil.example", ORIGIN + ".evil", "null", ORIGIN.upper(), "")
        for origin in others:
            with self.subTest(origin):
                answer = self.preflight(self.guarded, OPENAI.path, origin)
                self.assertIn(answer.status, (401, 405))
                self.assertEqual([name for name in answer.headers if "control" in name.lower()], [])
        without = self.preflight(self.agent, OPENAI.path, ORIGIN)
        self.assertEqual((without.status, without.headers["Allow"]), (405, "POST"))

    def ask_as(self, agent, origin, dialect, stream, model, key="sk-good"):
        headers = {"Authorization": f"Bearer {key}", **({"Origin": origin} if origin else {})}
        return agent.post(dialect.path, dialect.request(model, stream), headers)

    def assert_readable(self, answer, origin=ORIGIN):
        self.assertEqual(answer.headers.get_all("Access-Control-Allow-Origin"), [origin])
        self.assertEqual(answer.headers.get_all("Vary"), ["Origin"])
        exposed = answer.headers["Access-Control-Expose-Headers"].split(", ")
        for name in answer.headers:
            if name.startswith("X-Weir-") or name in ("Retry-After", "x-should-retry"):
                self.assertIn(name, exposed)

    def test_an_allowed_page_can_read_every_answer(self):
        """Streams, documents, providers' refusals, our own errors."""
        for dialect, stream in MODES:
            with self.subTest(protocol=dialect.name, stream=stream):
                model = self.fresh(dialect)
                self.one.play(good(dialect, stream, "fine"))
                answer = self.ask_as(self.guarded, ORIGIN, dialect, stream, model)
                self.assert_served(answer, dialect, "one", "fine")
                self.assert_readable(answer)
                self.one.play(whole(dialect.error("slow down", "rate_limit_error"), 429))
                self.two.play(whole(dialect.error("slow down", "rate_limit_error"), 429))
                answer = self.ask_as(self.guarded, ORIGIN, dialect, stream, model)
                self.assertEqual((answer.status, answer.headers["Retry-After"]), (429, "1"))
                self.assert_readable(answer)
                for refused in (
                    self.ask_as(self.guarded, ORIGIN, dialect, stream, "no-such-model"),
                    self.ask_as(self.guarded, ORIGIN, dialect, stream, model, "sk-wrong"),
                    request(self.guarded.port, "GET", "/v1/models", None, {"Origin": ORIGIN}),
                ):
                    self.assertGreaterEqual(refused.status, 400)
                    self.assert_readable(refused)

    def test_other_pages_and_programs_hear_nothing_of_it(self):
        """They are served: the browser is who keeps the answer from the page."""
        for dialect, stream in MODES:
            model = self.fresh(dialect)
            self.one.play(good(dialect, stream, "fine"))
            for origin in ("https://evil.example", None):
                with self.subTest(protocol=dialect.name, stream=stream, origin=origin):
                    answer = self.ask_as(self.guarded, origin, dialect, stream, model)
                    self.assertEqual(answer.status, 200)
                    self.assertIsNone(answer.headers["Access-Control-Allow-Origin"])
                    self.assertEqual(answer.headers["Vary"], "Origin")
                    answer = self.ask_as(self.agent, ORIGIN, dialect, stream, model)
                    self.assertEqual(answer.status, 200)
                    self.assertIsNone(answer.headers["Access-Control-Allow-Origin"])
                    self.assertIsNone(answer.headers["Vary"])

    def test_a_star_allows_every_page(self):
        """Keys are still asked for."""
        answer = self.preflight(self.public, ANTHROPIC.path, "https://any.example")
        self.assertEqual(answer.status, 204)
        self.assertEqual(answer.headers["Access-Control-Allow-Origin"], "*")
        model = self.fresh(OPENAI)
        self.one.play(good(OPENAI, True, "fine"))
        answer = self.ask_as(self.public, "https://any.example", OPENAI, True, model)
        self.assert_served(answer, OPENAI, "one", "fine")
        self.assert_readable(answer, "*")
        answer = self.ask_as(self.public, ORIGIN, OPENAI, True, model, "sk-wrong")
        self.assertEqual(answer.status, 401)


class Expect(Plain):
    CHAINS = {("one", "two"): 8}
    LIMITS = {"body_bytes": 4 << 20}
    INTERIM = b"HTTP/1.1 100 Continue\r\n\r\n"
    WAITS = {"Expect": "100-continue"}

    def test_a_waiting_client_is_asked_for_its_body(self):
        """100 once and before any byte of the body, for both framings."""
        for dialect in DIALECTS:
            for coded in (False, True):
                with self.subTest(protocol=dialect.name, chunked=coded):
                    self.one.play(good(dialect, False, "fine"))
                    asked = dialect.request(self.fresh(dialect))
                    raw = request_bytes(dialect.path, asked, self.WAITS)
                    head, _, body = raw.partition(b"\r\n\r\n")
                    if coded:
                        length = b"Content-Length: %d" % len(body)
                        head = head.replace(length, b"Transfer-Encoding: chunked")
                        body = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
                    client = self.send(head + b"\r\n\r\n").wait_for(self.INTERIM)
                    self.assertEqual(client.data, self.INTERIM)
                    client.send(body)
                    self.assert_served(client.wait_answer(), dialect, "one", "fine")
                    self.assertEqual(client.data.count(self.INTERIM), 1)

    def test_who_does_not_wait_is_not_asked(self):
        """The body is here already, or the client is too old to know of it."""
        for version, apart in ((b"1.1", False), (b"1.0", True)):
            with self.subTest(version):
                self.one.play(good(OPENAI, False, "fine"))
                raw = request_bytes(OPENAI.path, OPENAI.request(self.fresh(OPENAI)), self.WAITS)
                raw = raw.replace(b"HTTP/1.1", b"HTTP/" + version, 1)
                cut = raw.index(b"\r\n\r\n") + 4 if apart else len(raw)
                client = self.send(raw[:cut]).send(raw[cut:])
                self.assert_served(client.wait_answer(), OPENAI, "one", "fine")
                self.assertFalse(client.data.startswith(self.INTERIM))

    def test_who_is_refused_is_never_asked(self):
        """The refusal alone, and the connection is closed."""
        for line, length, status in (
            (b"POST /v1/chat/completions", 1 << 30, 413),
            (b"POST /v1/nowhere", 10, 404),
            (b"PUT /v1/messages", 10, 405),
        ):
            with self.subTest(status):
                fields = b"Host: weir\r\nExpect: 100-continue\r\nContent-Length: %d" % length
                client = self.send(line + b" HTTP/1.1\r\n" + fields + b"\r\n\r\n")
                answer = client.wait_answer()
                self.assertEqual((answer.status, answer.headers["Connection"]), (status, "close"))
                self.assertNotIn(self.INTERIM, client.data)

    def test_a_refusal_reaches_a_client_that_is_still_sending(self):
        """The unread body must not turn the close into a reset that takes the answer with it."""
        for path, length, status in (("/v1/nowhere", 4 << 20, 404), (OPENAI.path, 8 << 20, 413)):
            with self.subTest(status):
                head = f"POST {path} HTTP/1.1\r\nHost: weir\r\nContent-Length: {length}\r\n\r\n"
                client = RawClient(self.agent.port, reads=False)
                self.addCleanup(client.close)
                with contextlib.suppress(OSError):
                    client.send(head.encode())
                    for _ in range(length >> 16):
                        client.send(b"x" * (1 << 16))
                data = b""
                while piece := client.stream.recv(1 << 16):
                    data += piece
                ((found, _, body),) = split(data)
                self.assertEqual(found, status)
                self.assertIn("message", json.loads(body)["error"])


class Pipelining(Plain):
    CHAINS = {("one", "two"): 8}

    def test_requests_sent_ahead_are_answered_in_order(self):
        """In one piece and torn at every few bytes; the client says at once that it is done."""
        for dialect in DIALECTS:
            model = self.fresh(dialect)
            ask = request_bytes(dialect.path, dialect.request(model))
            body = ask.partition(b"\r\n\r\n")[2]
            head = f"POST {dialect.path} HTTP/1.1\r\nHost: weir\r\nTransfer-Encoding: chunked"
            chunks = b"".join(b"1;a=b\r\n%c\r\n" % byte for byte in body)
            coded = head.encode() + b"\r\n\r\n" + chunks + b"0\r\nX-T: 1\r\n\r\n"
            data = ask + GET_MODELS + coded + GET_MODELS + ask
            for size in (len(data), 61):
                with self.subTest(protocol=dialect.name, piece=size):
                    answers = [good(dialect, False, word) for word in ("first", "second", "third")]
                    self.one.play(*answers)
                    client = RawClient(self.agent.port)
                    self.addCleanup(client.close)
                    for at in range(0, len(data), size):
                        client.send(data[at : at + size])
                    client.stream.shutdown(1)
                    client.wait_end()
                    said = [body for _, _, body in split(client.data)]
                    self.assertEqual(len(said), 5, client.data)
                    for at, word in ((0, b"first"), (2, b"second"), (4, b"third")):
                        self.assertIn(word, said[at])
                    for at in (1, 3):
                        self.assertEqual(json.loads(said[at])["data"], json.loads(said[1])["data"])

    def test_a_stream_ends_before_the_next_answer_begins(self):
        """Two streams asked for at once, then a request that cannot be read: 400 and the end."""
        for dialect in DIALECTS:
            with self.subTest(protocol=dialect.name):
                model = self.fresh(dialect)
                ask = request_bytes(dialect.path, dialect.request(model, True))
                self.one.play(sse(dialect.events("first")), sse(dialect.events("second")))
                client = self.send(ask + ask + b"BROKEN\r\n\r\n" + ask)
                client.stream.shutdown(1)
                client.wait_end()
                first, second, rest = client.data.split(b"0\r\n\r\n")
                self.assertIn(b"first", first)
                self.assertIn(b"second", second)
                self.assertTrue(rest.startswith(CLOSE), rest)
                self.assertEqual(len(self.one.requests), 2)


class OldClients(Plain):
    CHAINS = {("one", "two"): 4}

    def test_http_1_0_gets_no_chunks(self):
        """A stream ends with the connection; a document keeps it where that was asked for."""
        for dialect in DIALECTS:
            with self.subTest(protocol=dialect.name):
                model = self.fresh(dialect)
                raw = request_bytes(dialect.path, dialect.request(model, True))
                self.one.play(sse(dialect.events("fine")))
                client = self.send(raw.replace(b"HTTP/1.1", b"HTTP/1.0", 1))
                client.wait_end()
                head, _, body = client.data.partition(b"\r\n\r\n")
                self.assertNotIn(b"Transfer-Encoding", head)
                self.assertIn(b"Connection: close", head)
                self.assertEqual(body, b"".join(dialect.events("fine")))
                raw = request_bytes(
                    dialect.path, dialect.request(model), {"Connection": "keep-alive"}
                )
                self.one.play(good(dialect, False, "fine"))
                client = self.send(raw.replace(b"HTTP/1.1", b"HTTP/1.0", 1) + GET_MODELS)
                client.stream.shutdown(1)
                client.wait_end()
                answers = split(client.data)
                self.assertEqual([status for status, _, _ in answers], [200, 200])
                self.assertIn(b"Connection: keep-alive", answers[0][1])


if __name__ == "__main__":
    unittest.main()
