# SPDX-License-Identifier: Apache-2.0
"""Connections and time: pooled connections that went stale, limits that must not cut what is
healthy, clients that do not read, and a shutdown under load."""

import contextlib
import itertools
import json
import re
import threading
import time
import unittest
from pathlib import Path

from dialects import ANTHROPIC, DIALECTS, OPENAI, good
from raw_client import RawClient
from raw_provider import FIN, RST, SILENT, Answer, Pause, chunk, head, sse
from weir_harness import SIGTERM
from wire_case import MODES, WireCase

STREAM_HEAD = head(content_type="text/event-stream", chunked=True)


class Reuse(WireCase):
    """One model for each mode: the pool of connections is what is looked at."""

    CHAINS = {("one", "two"): 16}

    def test_b128_an_idle_connection_that_was_closed_is_not_used(self):
        """The provider closed it meanwhile: the next request takes a fresh one, and that is all."""
        for dialect, stream in MODES:
            with self.subTest(protocol=dialect.name, stream=stream):
                model = self.fresh(dialect)
                gone = threading.Event()
                self.one.play(
                    Answer(*good(dialect, stream, "first").segments, gone.is_set, end=FIN)
                )
                self.assert_served(self.ask(dialect, stream, model), dialect, "one", "first")
                gone.set()
                self.one.play(good(dialect, stream, "second"))
                answer = self.ask(dialect, stream, model)
                self.assert_served(answer, dialect, "one", "second")
                self.assertEqual(self.attempts(answer), [("one", "ok")])

    def test_b128_a_stale_connection_is_replaced_once(self):
        """It fails before any byte of an answer: one replay on a fresh connection, no attempt, no
        penalty; a fresh one that fails as well is an attempt."""
        for (dialect, stream), end in itertools.product(MODES, (RST, FIN)):
            with self.subTest(protocol=dialect.name, stream=stream, end=end):
                model = self.fresh(dialect)
                # At once, so that the connection is back in the pool when the client has it all.
                fine = Answer(b"".join(good(dialect, stream, "fine").segments))
                self.one.play(fine, Answer(end=end), fine)
                self.ask(dialect, stream, model)
                answer = self.ask(dialect, stream, model)
                self.assert_served(answer, dialect, "one", "fine")
                self.assertEqual(self.attempts(answer), [("one", "ok")])
                self.assertEqual(len(self.one.requests), 3)
                self.one.play(Answer(end=end), Answer(end=end), fine)
                self.two.play(good(dialect, stream, "from two"))
                answer = self.ask(dialect, stream, model)
                self.assertEqual(answer.status, 200)
                self.assertEqual(self.attempts(answer)[0], ("one", "reset"))

    def test_b130_a_clients_connection_outlives_its_pool(self):
        """Idle connections of clients stay for 100 s or more, and can be used again."""
        effective = self.agent.check().stdout.decode()
        idle = int(re.search(r"client_idle_s\W+(\d+)", effective).group(1))
        self.assertGreaterEqual(idle, 100)
        self.one.play(good(OPENAI, False, "fine"))
        client = self.client(OPENAI, False)
        self.assertEqual(client.wait_answer().headers.get("Connection", "keep-alive"), "keep-alive")
        with self.assertRaises(AssertionError):
            client.wait_end(1.2)
        client.data = b""
        client.ask(OPENAI.path, OPENAI.request(self.fresh(OPENAI)))
        self.assertEqual(client.wait_answer().status, 200)


class Time(WireCase):
    SHORT = {"ttft_timeout_ms": 1500, "idle_timeout_ms": 1500}
    PROVIDERS = {"one": SHORT, "two": {}}
    CHAINS = {("one", "two"): 12}

    def test_b131_a_healthy_stream_is_not_cut(self):
        """Each silence is below the idle limit, the sum far above every limit but the total."""
        for dialect in DIALECTS:
            with self.subTest(protocol=dialect.name):
                texts = [each for _ in range(12) for each in (dialect.text("x"), Pause(0.3))]
                self.one.play(sse([*dialect.preamble(), *texts, *dialect.finish(), dialect.done]))
                self.assert_served(self.ask(dialect, True), dialect, "one", "x" * 12)

    def test_b131_the_first_output_ends_the_wait_not_the_head(self):
        """Head and preamble come at once and then nothing: that is a timeout before output."""
        for dialect in DIALECTS:
            for name, events in (("head", []), ("preamble", dialect.preamble())):
                with self.subTest(name, protocol=dialect.name):
                    self.one.play(sse(events, complete=False, end=SILENT))
                    self.two.play(good(dialect, True, "from two"))
                    answer = self.ask(dialect, True)
                    self.assert_served(answer, dialect, "two", "from two")
                    self.assertEqual(
                        self.attempts(answer), [("one", "ttft_timeout"), ("two", "ok")]
                    )

    def test_b133_nothing_is_sent_before_the_first_output(self):
        """So that a late failure can still be a failover, or a real status."""
        for dialect in DIALECTS:
            with self.subTest(protocol=dialect.name):
                refusal = dialect.error_event("gave up", "overloaded_error")
                self.one.play(sse([*dialect.preamble(), Pause(0.6), refusal]))
                self.two.play(good(dialect, True, "from two"))
                client = self.client(dialect)
                self.one.wait_requests()
                self.assertEqual(client.data, b"")
                self.assert_served(client.wait_answer(), dialect, "two", "from two")


class SlowClients(WireCase):
    LIMITS = {"client_write_stall_s": 1, "body_bytes": 1 << 20}
    CHAINS = {("one", "two"): 4}

    def test_b136_a_client_that_takes_nothing_is_let_go(self):
        """After the write-stall limit; that is the client's doing, not the provider's."""
        for dialect in DIALECTS:
            with self.subTest(protocol=dialect.name):
                big = chunk(dialect.text("x" * (1 << 18)))
                first = [chunk(each) for each in dialect.preamble()]
                self.one.play(Answer(STREAM_HEAD, *first, *[big] * 2000))
                model = self.fresh(dialect)
                client = RawClient(self.agent.port, reads=False)
                self.addCleanup(client.close)
                client.ask(dialect.path, dialect.request(model, True))
                row = self.last_row(model, "client_cancelled")
                self.assertLess(row["ttft_ms"], 1000)
                self.assertGreater(row["duration_ms"], 900)
                self.one.wait_closed(self.one.requests[0])
                self.one.play(good(dialect, True, "still in service"))
                answer = self.ask(dialect, True, model)
                self.assert_served(answer, dialect, "one", "still in service")

    def test_b137_a_body_that_is_too_long_is_refused_before_it_is_here(self):
        """413 in the client's protocol, after the head or once the chunks exceed the limit."""
        self.one.play(good(OPENAI, False, "never asked"))
        for dialect in DIALECTS:
            start = f"POST {dialect.path} HTTP/1.1\r\nHost: weir\r\n".encode()
            length = start + b"Content-Length: 68719476736\r\n\r\n" + b'{"model":'
            piece = chunk(b"x" * (1 << 16))
            chunks = start + b"Transfer-Encoding: chunked\r\n\r\n" + piece * 17
            for name, data in (("length", length), ("chunks", chunks)):
                with self.subTest(name, protocol=dialect.name):
                    client = RawClient(self.agent.port)
                    self.addCleanup(client.close)
                    answer = client.send(data).wait_answer()
                    self.assertEqual(answer.status, 413)
                    self.assertIn("message", answer.json()["error"])
                    self.assertEqual("type" in answer.json(), dialect is ANTHROPIC)
        self.assertEqual(self.one.requests, [])


class LargeBodies(WireCase):
    CHAINS = {("one", "two"): 1}
    COUNT = 8
    SIZE = 12_000_000

    def peak_bytes(self):
        text = Path(f"/proc/{self.agent.process.popen.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+) kB", text).group(1)) * 1024

    def test_b137_a_body_is_held_about_once(self):
        """Eight large bodies at the same time: the peak is below twice their size."""
        model = self.fresh(OPENAI)
        picture = {
            "type": "image_url",
            "image_url": {"url": "data:image/png;base64," + "A" * self.SIZE},
        }
        body = OPENAI.request(model)
        body["messages"][0]["content"] = [picture]
        raw = json.dumps(body).encode()
        self.one.play(good(OPENAI, False, "small"))
        self.ask(OPENAI, False, model)
        before = self.peak_bytes()

        def all_here():
            return len(self.one.requests) == self.COUNT

        self.one.play(Answer(all_here, *good(OPENAI, False, "seen").segments))
        clients = []
        for _ in range(self.COUNT):
            client = RawClient(self.agent.port)
            self.addCleanup(client.close)
            clients.append(client.ask(OPENAI.path, raw))
        for client in clients:
            self.assert_served(client.wait_answer(), OPENAI, "one", "seen")
        self.assertEqual(
            {len(each.body) for each in self.one.requests}, {len(self.one.requests[0].body)}
        )
        self.assertLess(self.peak_bytes() - before, 2 * self.COUNT * len(raw))


class Shutdown(WireCase):
    TIMING = {"drain_s": 4, "ledger_flush_ms": 5}
    CHAINS = {("one", "two"): 8}
    STREAMS = 20

    def setUp(self):
        if self.agent.process is None:
            self.agent.start()
            self.agent.process.wait_line("event=ready")

    def streams(self, dialect, model, *rest, **more):
        begun = [*dialect.preamble(), dialect.text("begun, ")]
        stream = sse([*begun, *rest], **more)
        short = good(dialect, False, "in the last moment")
        self.one.play(lambda request: stream if request.json()["stream"] else short)
        clients = [self.client(dialect, model=model) for _ in range(self.STREAMS)]
        for client in clients:
            client.wait_for(b"begun")
        return clients

    def knock(self, dialect, answers):
        """Asks on new connections until they are refused."""
        model = self.fresh(dialect)
        with contextlib.suppress(OSError):
            while True:
                began = time.monotonic()
                answers.append((began, self.ask(dialect, False, model)))

    def stopped(self):
        process = self.agent.process
        self.assertEqual(process.popen.wait(20), 0)
        self.agent.stop()

    def test_b141_streams_that_end_in_time_are_served_to_the_end(self):
        """Readiness goes first, new connections are still taken for a moment, streams finish."""
        for dialect in DIALECTS:
            with self.subTest(protocol=dialect.name):
                self.setUp()
                model = self.fresh(dialect)
                release = threading.Event()
                rest = [release.is_set, dialect.text("ended"), *dialect.finish(), dialect.done]
                clients = self.streams(dialect, model, *rest)
                answers = []
                knocker = threading.Thread(target=self.knock, args=(dialect, answers))
                knocker.start()
                signalled = time.monotonic()
                self.agent.signal(SIGTERM)
                self.agent.process.wait_line("event=draining")
                self.assertEqual(self.agent.admin("/readyz").status, 503)
                knocker.join()
                late = [answer for began, answer in answers if began > signalled]
                self.assert_served(late[-1], dialect, "one", "in the last moment")
                self.assertEqual(late[-1].headers["Connection"], "close")
                release.set()
                for client in clients:
                    self.assert_served(client.wait_answer(), dialect, "one", "begun, ended")
                self.stopped()
                rows = self.agent.ledger("model = ?", model)
                self.assertEqual([row["outcome"] for row in rows], ["ok"] * self.STREAMS)

    def test_b141_streams_that_do_not_end_are_told(self):
        """After the drain, or at once with a second signal: an error event, and every row kept."""
        for dialect, second in itertools.product(DIALECTS, (False, True)):
            with self.subTest(protocol=dialect.name, second=second):
                self.setUp()
                model = self.fresh(dialect)
                clients = self.streams(dialect, model, complete=False, end=SILENT)
                began = time.monotonic()
                self.agent.signal(SIGTERM)
                self.agent.process.wait_line("event=draining")
                if second:
                    self.agent.signal(SIGTERM)
                for client in clients:
                    self.assert_broken(client.wait_answer(), dialect, "begun, ")
                took = time.monotonic() - began
                self.assertLess(took, 3 if second else 10)
                if not second:
                    self.assertGreater(took, 4)
                self.stopped()
                rows = self.agent.ledger("model = ?", model)
                self.assertEqual(len(rows), self.STREAMS)
                self.assertEqual({row["outcome"] for row in rows}, {"client_cancelled"})
                self.assertEqual({row["output"] for row in rows}, {2})


if __name__ == "__main__":
    unittest.main()
