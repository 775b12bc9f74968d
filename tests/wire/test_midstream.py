# SPDX-License-Identifier: Apache-2.0
"""An answer that breaks off after the caller has got a part of it: what the task type's `mid_stream`
makes of it. `error` is proved in test_endings.py."""

import json
import unittest

from dialects import ANTHROPIC, DIALECTS, OPENAI
from raw_provider import FIN, RST, Pause, sse, whole
from wire_case import WireCase

AGAIN = {"X-Weir-Task-Type": "again"}
ONWARD = {"X-Weir-Task-Type": "onward"}


def cut(dialect, *texts, end=RST):
    """A stream that breaks off after these texts."""
    return sse([*dialect.preamble(), *map(dialect.text, texts)], complete=False, end=end)


class Midstream(WireCase):
    PROVIDERS = {"one": {}, "two": {}, "three": {}}
    ROUTES = {"two": {"capabilities": ["stream", "tools", "prefill"]}}
    CHAINS = {("one", "two"): 24, ("one", "three"): 4, ("one", "three", "two"): 3}
    TASKS = {"again": {"mid_stream": "restart"}, "onward": {"mid_stream": "continue"}}

    def test_restart_shows_nothing_of_an_answer_that_breaks(self):
        """Held back until it is whole, a broken answer is an ordinary failover."""
        for dialect in DIALECTS:
            for end in (RST, FIN):
                with self.subTest(protocol=dialect.name, end=end):
                    self.one.play(cut(dialect, "half of ", "the", end=end))
                    self.two.play(sse(dialect.events("all ", "of it")))
                    answer = self.ask(dialect, True, headers=AGAIN)
                    self.assert_served(answer, dialect, "two", "all of it")
                    self.assertEqual(answer.body, b"".join(dialect.events("all ", "of it")))
                    expected = [("one", "stream_broken"), ("two", "ok")]
                    self.assertEqual(self.attempts(answer, len(expected)), expected)

    def test_restart_that_fails_everywhere_is_a_plain_error(self):
        """Nothing was shown, so the status can still tell."""
        for dialect in DIALECTS:
            with self.subTest(protocol=dialect.name):
                self.one.play(cut(dialect, "a"))
                self.two.play(cut(dialect, "b"))
                answer = self.ask(dialect, True, headers=AGAIN)
                self.assertEqual(answer.status, 502, answer.body)
                self.assertIn("error", answer.json())

    def test_continue_goes_on_from_the_text(self):
        """The second one gets the text so far as the assistant's turn; the caller sees one answer."""
        for dialect in DIALECTS:
            with self.subTest(protocol=dialect.name):
                self.one.play(cut(dialect, "The r\u00efver ", 'says "'))
                self.two.play(sse(dialect.events('so" and', " flows.")))
                answer = self.ask(dialect, True, headers=ONWARD)
                self.assertEqual(answer.status, 200)
                self.assertEqual(dialect.said(answer), 'The r\u00efver says "so" and flows.')
                self.assertTrue(dialect.ends_well(answer), answer.body)
                expected = [("one", "stream_broken"), ("two", "ok")]
                self.assertEqual(self.attempts(answer, len(expected)), expected)
                messages = self.two.requests[0].json()["messages"]
                said = {"role": "assistant", "content": 'The r\u00efver says "'}
                self.assertEqual(messages, [{"role": "user", "content": "hi"}, said])
                # One beginning, one end.
                begun = b'"role":"assistant"' if dialect is OPENAI else b"message_start\n"
                ended = b"[DONE]" if dialect is OPENAI else b"message_stop\n"
                self.assertEqual(answer.body.count(begun), 1, answer.body)
                self.assertEqual(answer.body.count(ended), 1, answer.body)
                row = self.agent.attempts(answer, 2)[1]
                self.assertEqual((row["output"], row["tokens_estimated"]), self.counted(dialect))

    @staticmethod
    def counted(dialect):
        return (5, 0) if dialect is ANTHROPIC else (4, 1)

    def test_continue_skips_a_route_that_cannot(self):
        """Only a route that declares `prefill` is asked to go on."""
        for dialect in DIALECTS:
            with self.subTest(protocol=dialect.name):
                self.one.play(cut(dialect, "left "))
                self.raw["three"].play(sse(dialect.events("never")))
                self.two.play(sse(dialect.events("right")))
                model = self.fresh(dialect, ("one", "three", "two"))
                answer = self.ask(dialect, True, model, ONWARD)
                self.assertEqual(dialect.said(answer), "left right")
                self.assertEqual(self.raw["three"].requests, [])

    def test_continue_without_anybody_who_can_is_an_error(self):
        """The caller is told in band, as with `error`."""
        for dialect in DIALECTS:
            with self.subTest(protocol=dialect.name):
                self.one.play(cut(dialect, "left "))
                self.raw["three"].play(sse(dialect.events("never")))
                model = self.fresh(dialect, ("one", "three"))
                self.assert_broken(self.ask(dialect, True, model, ONWARD), dialect, "left ")

    def test_continue_never_goes_on_from_a_tool_call(self):
        """Half a call is no text: the answer ends with an error and nobody else is asked."""
        delta = {"index": 0, "id": "c", "type": "function"}
        delta["function"] = {"name": "f", "arguments": '{"a":'}
        block = {"type": "tool_use", "id": "c", "name": "f", "input": {}}
        part = {"type": "input_json_delta", "partial_json": '{"a":'}
        halves = {
            "openai": [*OPENAI.preamble(), OPENAI.chunk({"tool_calls": [delta]})],
            "anthropic": [
                ANTHROPIC.preamble()[0],
                ANTHROPIC.event("content_block_start", index=0, content_block=block),
                ANTHROPIC.event("content_block_delta", index=0, delta=part),
            ],
        }
        for dialect in DIALECTS:
            with self.subTest(protocol=dialect.name):
                self.one.play(sse(halves[dialect.name], complete=False, end=RST))
                self.two.play(sse(dialect.events("never")))
                answer = self.ask(dialect, True, headers=ONWARD)
                self.assertTrue(dialect.is_error_event(answer.events()[-1]), answer.body)
                self.assertEqual(self.two.requests, [])

    def test_continue_that_breaks_again_is_told(self):
        """It is gone on with once; then the caller is told."""
        for dialect in DIALECTS:
            with self.subTest(protocol=dialect.name):
                self.one.play(cut(dialect, "a"))
                self.two.play(cut(dialect, "b"))
                answer = self.ask(dialect, True, headers=ONWARD)
                self.assert_broken(answer, dialect, "ab")

    def test_continue_refused_is_told(self):
        """The second route refuses: one error event, not a second head."""
        for dialect in DIALECTS:
            with self.subTest(protocol=dialect.name):
                self.one.play(cut(dialect, "a"))
                self.two.play(sse([dialect.error_event("no")]))
                answer = self.ask(dialect, True, headers=ONWARD)
                self.assert_broken(answer, dialect, "a")

    def test_continue_with_a_tool_call_instead_is_told(self):
        """What does not begin with text does not go on from one."""
        call = {"index": 0, "id": "c", "function": {"name": "f", "arguments": "{}"}}
        self.one.play(cut(OPENAI, "a"))
        events = [*OPENAI.preamble(), OPENAI.chunk({"tool_calls": [call]})]
        self.two.play(sse([*events, *OPENAI.finish("tool_calls"), OPENAI.done]))
        answer = self.ask(OPENAI, True, headers=ONWARD)
        self.assert_broken(answer, OPENAI, "a")
        self.assertNotIn("tool_calls", json.dumps(answer.events()))


    def test_continue_with_one_document_is_told(self):
        """A whole JSON answer goes on from nothing; the connection is closed, not left open."""
        for dialect in DIALECTS:
            with self.subTest(protocol=dialect.name):
                self.one.play(cut(dialect, "a"))
                self.two.play(whole(dialect.whole("b")))
                answer = self.ask(dialect, True, headers=ONWARD)
                self.assert_broken(answer, dialect, "a")

    def test_continue_with_nothing_more_is_told(self):
        """A second route that adds no text has not gone on; its health does not suffer from it."""
        for dialect in DIALECTS:
            with self.subTest(protocol=dialect.name):
                self.one.play(cut(dialect, "a"))
                self.two.play(sse([*dialect.preamble(), *dialect.finish(), dialect.done]))
                answer = self.ask(dialect, True, headers=ONWARD)
                self.assert_broken(answer, dialect, "a")
                expected = [("one", "stream_broken"), ("two", "bad_request")]
                self.assertEqual(self.attempts(answer, len(expected)), expected)

    def test_continue_refused_says_why(self):
        """The in-band error has a message, and never a provider's key."""
        for dialect in DIALECTS:
            for message in ("not like this", "bad key sk-two_"):
                with self.subTest(protocol=dialect.name, message=message):
                    model = self.fresh(dialect)
                    said = message + model[1:] if message.endswith("_") else message
                    self.one.play(cut(dialect, "a"))
                    self.two.play(whole(dialect.error(said, "invalid_request_error"), 400))
                    answer = self.ask(dialect, True, model, ONWARD)
                    self.assert_broken(answer, dialect, "a")
                    told = json.loads(answer.events()[-1])["error"]["message"]
                    self.assertTrue(told)
                    self.assertNotIn("sk-two", told)

    def test_b064_a_finish_makes_it_whole_however_it_ends(self):
        """After the finish a reset cuts nothing, whatever the policy; nobody else is asked."""
        for dialect in DIALECTS:
            for headers in ({}, AGAIN, ONWARD):
                with self.subTest(protocol=dialect.name, headers=headers):
                    events = [*dialect.preamble(), dialect.text("all"), *dialect.finish()]
                    self.one.play(sse([*events, Pause(0.05)], complete=False, end=RST))
                    self.two.play(sse(dialect.events("never")))
                    answer = self.ask(dialect, True, headers=headers)
                    self.assert_served(answer, dialect, "one", "all")
                    self.assertEqual(self.attempts(answer), [("one", "ok")])

    def test_a_hasty_caller_is_no_fault_of_the_route(self):
        """A deadline that nobody could keep says nothing of who was asked."""
        for dialect in DIALECTS:
            with self.subTest(protocol=dialect.name):
                slow = sse([Pause(0.3), *dialect.events("late")])
                self.one.play(slow)
                self.two.play(slow)
                model = self.fresh(dialect)
                for _ in range(12):
                    answer = self.ask(dialect, True, model, {"X-Weir-Deadline-Ms": "40"})
                    self.assertEqual(answer.status, 504, answer.body)
                outcomes = {outcome for _, outcome in self.attempts(answer)}
                self.assertEqual(outcomes, {"deadline"})
                answer = self.ask(dialect, True, model)
                self.assert_served(answer, dialect, "one", "late")
                self.assertEqual(self.attempts(answer), [("one", "ok")])


if __name__ == "__main__":
    unittest.main()
