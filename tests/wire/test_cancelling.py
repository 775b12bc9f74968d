# SPDX-License-Identifier: Apache-2.0
"""Clients that leave: the upstream call ends with them, and the ledger has one row of it."""

import socket
import time
import unittest

from dialects import DIALECTS, good
from raw_provider import SILENT, Answer, Pause, head, sse
from weir_harness import wait_until
from wire_case import MODES, WireCase

# "Within a second or so", on a machine that has other things to do.
SOON_S = 3


class Cancelling(WireCase):
    CHAINS = {("one", "two"): 12}

    def leave(self, dialect, stream, model, ready=None):
        """Asks, waits until the provider has the request and `ready` holds, and goes."""
        self.two.play(good(dialect, stream, "from two"))
        client = self.client(dialect, stream, model)
        request = self.one.wait_requests()[0]
        if ready:
            wait_until(lambda: ready(client), "the part before the client leaves")
        client.close()
        left = time.monotonic()
        closed = self.one.wait_closed(request)
        self.assertLess(closed - left, SOON_S)
        self.assertEqual(len(self.two.requests), 0)
        return self.last_row(model, "client_cancelled")

    def test_b122_a_client_that_leaves_before_the_first_token_cancels_the_call(self):
        """Noticed while nothing is written: no failover, no retry, no mark against the provider."""
        waits = {
            "no head": Answer(end=SILENT),
            "a head": Answer(head(content_type="text/event-stream", chunked=True), end=SILENT),
        }
        for dialect in DIALECTS:
            for name, silence in waits.items():
                with self.subTest(name, protocol=dialect.name):
                    self.one.play(silence)
                    model = self.fresh(dialect)
                    row = self.leave(dialect, True, model)
                    self.assertIsNone(row["ttft_ms"])
                    self.one.play(good(dialect, True, "still in service"))
                    answer = self.ask(dialect, True, model)
                    self.assert_served(answer, dialect, "one", "still in service")

    def test_b123_a_call_without_streaming_is_cancelled_as_well(self):
        """The same for a whole answer that takes its time, before and in the middle of its body."""
        for dialect in DIALECTS:
            for name, slow in {
                "no head": Answer(end=SILENT),
                "half a body": Answer(head(length=1000), b'{"id":', end=SILENT),
            }.items():
                with self.subTest(name, protocol=dialect.name):
                    self.one.play(slow)
                    self.leave(dialect, False, self.fresh(dialect))

    def test_b124_a_cancelled_stream_keeps_its_row(self):
        """The client leaves after 10 of 100 chunks: one row, marked as an estimate."""
        for dialect in DIALECTS:
            with self.subTest(protocol=dialect.name):
                texts = [each for _ in range(90) for each in (dialect.text("tok "), Pause(0.1))]
                first = [dialect.text("tok ")] * 10
                events = [*dialect.preamble(), *first, *texts, *dialect.finish(), dialect.done]
                self.one.play(sse(events))
                ten = lambda client: client.data.count(b"tok ") >= 10
                row = self.leave(dialect, True, self.fresh(dialect), ten)
                self.assertGreaterEqual(row["output"], 10)
                self.assertLess(row["output"], 60)
                self.assertEqual(row["tokens_estimated"], 1)

    def test_b124_a_client_that_leaves_in_a_silence_is_noticed(self):
        """Between two events as well, where nothing is written that would tell."""
        for dialect in DIALECTS:
            with self.subTest(protocol=dialect.name):
                events = [*dialect.preamble(), dialect.text("tok ")]
                self.one.play(sse(events, complete=False, end=SILENT))
                row = self.leave(dialect, True, self.fresh(dialect), lambda each: each.has(b"tok "))
                self.assertEqual((row["output"], row["tokens_estimated"]), (1, 1))

    def test_b122_a_client_that_only_half_closes_is_served_to_the_end(self):
        """A FIN alone is no leaving: the client may still read."""
        for dialect, stream in MODES:
            with self.subTest(protocol=dialect.name, stream=stream):
                answer = good(dialect, stream, "late, ", "but whole")
                parts = answer.segments
                self.one.play(Answer(parts[0], Pause(0.6), *parts[1:3], Pause(0.6), *parts[3:]))
                client = self.client(dialect, stream)
                client.stream.shutdown(socket.SHUT_WR)
                self.assert_served(client.wait_answer(), dialect, "one", "late, but whole")


if __name__ == "__main__":
    unittest.main()
