# SPDX-License-Identifier: Apache-2.0
"""Server-sent events as bytes: line ends, cuts, comments, characters."""

import itertools
import unittest

from dialects import DIALECTS, OPENAI, good
from raw_provider import SILENT, Pause, Answer, bytewise, chunk, head, sse
from wire_case import WireCase

LINE_ENDS = {"LF": b"\n", "CRLF": b"\r\n", "CR": b"\r"}
EVENT_STREAM = head(content_type="text/event-stream", chunked=True)


class Framing(WireCase):
    PROVIDERS = {"one": {"idle_timeout_ms": 1500}, "two": {}, "hasty": {"ttft_timeout_ms": 900}}
    CHAINS = {("one", "two"): 24, ("hasty", "two"): 4}

    def test_b047_events_pass_one_by_one_with_every_line_end(self):
        """The next event is sent when the client has the one before; of CR alone, which may be half
        of a CRLF, the one before that."""
        words = [b"first", b"second", b"third", b"fourth"]
        for (name, line_end), dialect in itertools.product(LINE_ENDS.items(), DIALECTS):
            with self.subTest(name, protocol=dialect.name):
                clients = []
                late = 1 if name == "CR" else 0
                events = dialect.preamble()
                for at, word in enumerate(words):
                    events.append(dialect.text(word.decode()))
                    if at >= late:
                        events.append(
                            lambda seen=words[at - late]: clients and clients[0].has(seen)
                        )
                events += [*dialect.finish(), dialect.done]
                self.one.play(sse(events, line_end=line_end))
                clients.append(self.client(dialect))
                answer = clients[0].wait_answer()
                self.assert_served(answer, dialect, "one", b"".join(words).decode())
                whole = b"".join(each for each in events if isinstance(each, bytes))
                self.assertEqual(answer.body, whole.replace(b"\n", line_end))

    def test_b047_mixed_line_ends_make_the_same_events(self):
        """Each line may end in its own way."""
        for dialect in DIALECTS:
            with self.subTest(protocol=dialect.name):
                ends = itertools.cycle((b"\r\n", b"\n", b"\r"))
                events = [
                    b"".join(line + next(ends) for line in event.split(b"\n")[:-1])
                    for event in dialect.events("first", "second")
                ]
                self.one.play(sse(events))
                answer = self.ask(dialect, True)
                self.assert_served(answer, dialect, "one", "firstsecond")
                self.assertEqual(answer.body, b"".join(events))

    def test_b048_a_crlf_cut_between_reads_is_one_line_end(self):
        """Three segments cut the two line ends behind an event: one event, passed once."""
        for dialect in DIALECTS:
            with self.subTest(protocol=dialect.name):
                event = dialect.text("only").replace(b"\n", b"\r\n")
                pieces = [event[:-3], b"\n\r", b"\n"]
                self.assertEqual(b"".join(pieces), event)
                before = b"".join(dialect.preamble()).replace(b"\n", b"\r\n")
                after = b"".join([*dialect.finish(), dialect.done]).replace(b"\n", b"\r\n")
                chunks = [chunk(each) for each in (before, *pieces, after)]
                self.one.play(Answer(EVENT_STREAM, *chunks, b"0\r\n\r\n", apart=True))
                answer = self.ask(dialect, True)
                self.assert_served(answer, dialect, "one", "only")
                self.assertEqual(answer.body, before + event + after)

    def test_b051_comments_are_never_data(self):
        """They pass as comments, and neither commit nor stop the clock of the first output."""
        comment = b": OPENROUTER PROCESSING\n\n"
        for dialect in DIALECTS:
            with self.subTest(protocol=dialect.name):
                events = [comment] * 3 + dialect.events("text")
                self.one.play(sse(events))
                answer = self.ask(dialect, True)
                self.assert_served(answer, dialect, "one", "text")
                self.assertNotIn(b"data: :", answer.body)
                self.assertEqual(
                    answer.body.replace(comment, b""), b"".join(dialect.events("text"))
                )
            with self.subTest("comments alone", protocol=dialect.name):
                beats = [comment, Pause(0.2)] * 30
                self.raw["hasty"].play(sse(beats, complete=False, end=SILENT))
                self.two.play(good(dialect, True, "from two"))
                answer = self.ask(dialect, True, self.fresh(dialect, ("hasty", "two")))
                self.assert_served(answer, dialect, "two", "from two")
                outcomes = [("hasty", "ttft_timeout"), ("two", "ok")]
                self.assertEqual(self.attempts(answer), outcomes)

    def test_b051_comments_keep_a_quiet_stream_alive(self):
        """Between two events they count as a sign of life: twice the idle limit passes."""
        for dialect in DIALECTS:
            with self.subTest(protocol=dialect.name):
                beats = [b": still here\n\n", Pause(0.4)] * 8
                events = [*dialect.preamble(), dialect.text("a"), *beats, dialect.text("b")]
                self.one.play(sse([*events, *dialect.finish(), dialect.done]))
                self.assert_served(self.ask(dialect, True), dialect, "one", "ab")

    def test_b053_nothing_is_added_to_events(self):
        """No id field, no heart-beat, no empty event: the client gets the provider's bytes."""
        for dialect in DIALECTS:
            with self.subTest(protocol=dialect.name):
                events = dialect.events("one", "two")
                self.one.play(sse(events))
                answer = self.ask(dialect, True)
                self.assertEqual(answer.body, b"".join(events))
                self.assertNotIn(b"\nid:", b"\n" + answer.body)

    def test_b054_a_slow_first_token_brings_no_lines_of_our_own(self):
        """While it waits the client gets nothing, not even a head; and no comment afterwards."""
        for dialect in DIALECTS:
            with self.subTest(protocol=dialect.name):
                self.one.play(sse([*dialect.preamble(), Pause(1.5), *dialect.events("late")[1:]]))
                client = self.client(dialect)
                self.one.wait_requests()
                self.assertEqual(client.data, b"")
                answer = client.wait_answer()
                lines = answer.body.split(b"\n")
                self.assertFalse([line for line in lines if line.startswith(b":")])
                self.assertEqual(client.answer().status, 200)

    def test_b056_characters_are_not_torn(self):
        """A byte a segment, each read alone: byte for byte the same."""
        text = "語🌍 é\u0000\u2028"
        for dialect in DIALECTS:
            with self.subTest(protocol=dialect.name):
                events = dialect.events(text)
                self.one.play(bytewise(sse(events)))
                answer = self.ask(dialect, True)
                self.assert_served(answer, dialect, "one", text)
                self.assertEqual(answer.body, b"".join(events))
            with self.subTest("JSON", protocol=dialect.name):
                self.one.play(bytewise(good(dialect, False, text)))
                self.assert_served(self.ask(dialect), dialect, "one", text)

    def test_b056_what_is_no_utf8_passes_too(self):
        """Bytes that are no characters are the provider's business."""
        event = OPENAI.text("MARK").replace(b"MARK", b"a\xff\xfe\xc3")
        events = [*OPENAI.preamble(), event, *OPENAI.finish(), OPENAI.done]
        self.one.play(sse(events))
        self.assertEqual(self.ask(OPENAI, True).body, b"".join(events))


if __name__ == "__main__":
    unittest.main()
