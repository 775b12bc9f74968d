# SPDX-License-Identifier: Apache-2.0
"""How streams end, well or badly: what the client sees of it and what the ledger calls it."""

import itertools
import json
import time
import unittest

from dialects import ANTHROPIC, DIALECTS, OPENAI, data_event, good
from raw_provider import FIN, RST, SILENT, Answer, Pause, head, sse, whole
from wire_case import MODES, WireCase

FORTY = [f"word{at} " for at in range(40)]


class Cuts(WireCase):
    """Answers that break off."""

    CHAINS = {("one", "two"): 40}

    def begun(self, dialect, texts):
        return [*dialect.preamble(), *map(dialect.text, texts)]

    def test_b057_an_answer_cut_in_the_middle_is_not_taken_for_whole(self):
        """One error event, no end mark, an incomplete body; the provider's failure, no failover."""
        cuts = {
            "chunked, FIN": {"complete": False, "end": FIN},
            "chunked, RST": {"complete": False, "end": RST},
            "last chunk without an end": {"complete": True},
            "until close, FIN": {"framing": "close"},
            "until close, RST": {"framing": "close", "end": RST},
            "Content-Length short": {"framing": "length", "complete": False},
        }
        for (name, cut), dialect in itertools.product(cuts.items(), DIALECTS):
            with self.subTest(name, protocol=dialect.name):
                # A reset may overtake what was sent before it, so all of that is read first.
                self.one.play(sse(self.begun(dialect, FORTY), apart="RST" in name, **cut))
                self.two.play(good(dialect, True, "from two"))
                model = self.fresh(dialect)
                answer = self.client(dialect, model=model).wait_answer()
                self.assert_broken(answer, dialect, "".join(FORTY))
                self.assertEqual(self.last_row(model)["outcome"], "stream_broken")
                self.assertEqual(len(self.two.requests), 0)

    def test_b057_a_whole_answer_cut_in_the_middle_goes_elsewhere(self):
        """Nothing of a JSON body was relayed, so its cut is a failure before output."""
        for dialect in DIALECTS:
            body = json.dumps(dialect.whole("never whole")).encode()
            for name, cut in {
                "Content-Length short": Answer(head(length=len(body)), body[:-20], end=FIN),
                "RST": Answer(head(length=len(body)), body[:-20], end=RST, apart=True),
                "no last chunk": Answer(head(chunked=True), b"%x\r\n" % len(body), body, end=FIN),
            }.items():
                with self.subTest(name, protocol=dialect.name):
                    self.one.play(cut)
                    self.two.play(good(dialect, False, "from two"))
                    answer = self.ask(dialect)
                    self.assert_served(answer, dialect, "two", "from two")
                    found = self.attempts(answer)
                    self.assertEqual(set(found[:-1]), {("one", "reset")})

    def test_b060_an_error_in_a_chunk_is_an_error(self):
        """Before content it fails over, after content it ends the stream in the protocol's way."""
        envelope = {"code": 502, "message": "Provider returned error"}
        broken = {
            "an error beside no choices": {"id": "x", "choices": [], "error": envelope},
            "an error alone": {"error": envelope},
            "finish_reason error": {
                "id": "x",
                "choices": [{"index": 0, "delta": {"content": ""}, "finish_reason": "error"}],
            },
        }
        for name, value in broken.items():
            event = data_event(value)
            with self.subTest(name, content=False):
                self.one.play(sse([*OPENAI.preamble(), event, OPENAI.done]))
                self.two.play(good(OPENAI, True, "from two"))
                answer = self.ask(OPENAI, True)
                self.assert_served(answer, OPENAI, "two", "from two")
                self.assertEqual(self.attempts(answer), [("one", "server_error"), ("two", "ok")])
            with self.subTest(name, content=True):
                begun = [*OPENAI.preamble(), OPENAI.text("begun")]
                self.one.play(sse([*begun, event, OPENAI.done], apart=True))
                self.two.play(good(OPENAI, True, "from two"))
                model = self.fresh(OPENAI)
                answer = self.client(OPENAI, model=model).wait_answer()
                self.assert_broken(answer, OPENAI, "begun")
                self.last_row(model, "stream_broken")
        overload = ANTHROPIC.error_event("Overloaded", "overloaded_error")
        with self.subTest("Anthropic's error event after content"):
            begun = [*ANTHROPIC.preamble(), ANTHROPIC.text("begun")]
            self.one.play(sse([*begun, overload], apart=True))
            answer = self.client(ANTHROPIC).wait_answer()
            self.assert_broken(answer, ANTHROPIC, "begun")
            self.assertIn("Overloaded", answer.events()[-1])

    def test_b066_a_refusal_inside_a_stream_becomes_a_real_400(self):
        """A prompt too long, as the only event of a 200: status 400, no failover, no penalty."""
        words = "the request exceeds the available context size"
        error = {"code": 400, "type": "exceed_context_size_error", "message": words}
        refusals = {
            "an error line": b"error: " + json.dumps(error).encode() + b"\n\n",
            "an error in data": data_event({"error": error}),
        }
        for (name, event), dialect in itertools.product(refusals.items(), DIALECTS):
            with self.subTest(name, protocol=dialect.name):
                self.one.play(sse([event]))
                self.two.play(good(dialect, True, "from two"))
                model = self.fresh(dialect)
                for _ in range(12):
                    answer = self.ask(dialect, True, model)
                    self.assertEqual(answer.status, 400, answer.body)
                    self.assertIn(words, answer.json()["error"]["message"])
                self.assertEqual(self.attempts(answer), [("one", "context_overflow")])
                self.one.play(good(dialect, True, "fits now"))
                self.assert_served(self.ask(dialect, True, model), dialect, "one", "fits now")

    def test_b066_an_unknown_line_with_an_error_is_no_empty_success(self):
        """Whatever the server meant, an empty 200 it was not."""
        for dialect in DIALECTS:
            with self.subTest(protocol=dialect.name):
                self.one.play(sse([b'failure: {"message":"no idea"}\n\n']))
                self.two.play(good(dialect, True, "from two"))
                answer = self.ask(dialect, True)
                self.assert_served(answer, dialect, "two", "from two")
                self.assertEqual(self.attempts(answer)[0], ("one", "malformed"))


class Silences(WireCase):
    """Streams that fall silent."""

    PROVIDERS = {"one": {"idle_timeout_ms": 700}, "two": {}, "calm": {}}
    CHAINS = {("one", "two"): 4, ("calm", "two"): 10}

    def test_b058_silence_in_the_middle_ends_in_an_error_event(self):
        """The protocol's own error, with no word of the provider's secrets."""
        for dialect in DIALECTS:
            with self.subTest(protocol=dialect.name):
                events = [*dialect.preamble(), *map(dialect.text, FORTY[:10])]
                self.one.play(sse(events, complete=False, end=SILENT))
                self.two.play(good(dialect, True, "from two"))
                model = self.fresh(dialect)
                answer = self.client(dialect, model=model).wait_answer()
                self.assert_broken(answer, dialect, "".join(FORTY[:10]))
                error = json.loads(answer.events()[-1])["error"]
                self.assertEqual(error["type"], "api_error")
                self.assertNotIn("sk-", error["message"])
                self.last_row(model, "idle_timeout")
                self.assertEqual(len(self.two.requests), 0)
                self.one.wait_closed(self.one.requests[0])

    def finished(self, dialect, *more):
        return sse(
            [*dialect.preamble(), dialect.text("all of it"), *dialect.finish(), *more],
            complete=False,
            end=SILENT,
        )

    def test_b062_a_finished_answer_without_an_end_is_ended(self):
        """After the finish reason a short grace, heart-beats or not; then a proper end."""
        ping = (Pause(0.3), b": ping\n\n")
        for dialect, beats in itertools.product(DIALECTS, (0, 40)):
            with self.subTest(protocol=dialect.name, beats=beats):
                self.raw["calm"].play(self.finished(dialect, *(ping * beats)))
                model = self.fresh(dialect, ("calm", "two"))
                client = self.client(dialect, model=model)
                began = time.monotonic()
                answer = client.wait_answer(8)
                self.assertGreater(time.monotonic() - began, 0.9)
                self.assertTrue(answer.complete)
                self.assertEqual(dialect.said(answer), "all of it")
                self.assertFalse(any(map(dialect.is_error_event, answer.events()[:-1])))
                self.assertTrue(dialect.ends_well(answer), answer.body)
                self.last_row(model, "ok")
                self.raw["calm"].wait_closed(self.raw["calm"].requests[0], 2)


class Ends(WireCase):
    """Streams that end, with more or fewer marks of it."""

    CHAINS = {("one", "two"): 24}

    def stream(self, dialect, events, **more):
        self.one.play(sse([*dialect.preamble(), dialect.text("text"), *events], **more))
        self.two.play(good(dialect, True, "from two"))
        model = self.fresh(dialect)
        return self.client(dialect, model=model).wait_answer(), model

    def test_b064_either_mark_makes_an_answer_complete(self):
        """Finish reason or end mark; only neither of them is a cut."""
        unfinished = [OPENAI.chunk(finish=None)]
        delta = ANTHROPIC.finish()[1]
        for name, dialect, events in (
            ("[DONE] only", OPENAI, [OPENAI.done]),
            ("finish null, then [DONE]", OPENAI, [*unfinished, OPENAI.done]),
            ("finish and [DONE]", OPENAI, [*OPENAI.finish(), OPENAI.done]),
            ("finish, then the end", OPENAI, OPENAI.finish()),
            ("message_stop only", ANTHROPIC, [ANTHROPIC.done]),
            ("stop_reason, then the end", ANTHROPIC, [delta]),
            ("both", ANTHROPIC, [delta, ANTHROPIC.done]),
        ):
            with self.subTest(name):
                answer, model = self.stream(dialect, events)
                self.assert_served(answer, dialect, "one", "text")
                ends = answer.body.count(b"data: [DONE]") + answer.body.count(
                    b"event: message_stop"
                )
                self.assertEqual(ends, 1)
                self.last_row(model, "ok")
        for dialect, events in ((OPENAI, unfinished), (ANTHROPIC, []), (OPENAI, [])):
            with self.subTest("the end only", protocol=dialect.name):
                answer, model = self.stream(dialect, events)
                self.assert_broken(answer, dialect, "text")
                self.last_row(model, "stream_broken")

    def test_b063_usage_behind_the_finish_is_not_lost(self):
        """The usage chunk after the finish reason is recorded, and relayed to who asked for it."""
        for asked in (True, False):
            with self.subTest(asked=asked):
                events = [OPENAI.text("text"), *OPENAI.finish(), OPENAI.usage_event(), OPENAI.done]
                self.one.play(sse(events))
                more = {"stream_options": {"include_usage": True}} if asked else {}
                model = self.fresh(OPENAI)
                answer = self.ask(OPENAI, True, model, **more)
                self.assert_served(answer, OPENAI, "one", "text")
                self.assertEqual(OPENAI.usage_event() in answer.body, asked)
                row = self.last_row(model, "ok")
                counts = (row["input_uncached"], row["input_cached"], row["output"])
                self.assertEqual(counts, (20, 10, 5))
                self.assertEqual(row["tokens_estimated"], 0)

    def test_b061_a_chunk_without_choices_passes(self):
        """With empty, null or no choices, beside the finish or on each chunk: counted once."""
        usage = OPENAI.usage()
        early = OPENAI.usage({"input": 30, "cached": 10, "output": 1})
        last = [*OPENAI.finish(), data_event({"choices": [], "usage": usage}), OPENAI.done]
        for name, events in {
            "empty": last,
            "null": [*OPENAI.finish(), data_event({"choices": None, "usage": usage}), OPENAI.done],
            "none": [*OPENAI.finish(), data_event({"usage": usage}), OPENAI.done],
            "beside the finish": [OPENAI.chunk(finish="stop", usage=usage), OPENAI.done],
            "on each chunk": [
                OPENAI.chunk({"content": ""}, usage=early),
                OPENAI.chunk(finish="stop", usage=usage),
                OPENAI.done,
            ],
            "no usage at all": [data_event({"choices": []}), *last],
        }.items():
            with self.subTest(name):
                self.one.play(sse([OPENAI.text("text"), *events]))
                model = self.fresh(OPENAI)
                asked = {"stream_options": {"include_usage": True}}
                answer = self.ask(OPENAI, True, model, **asked)
                self.assertEqual(answer.body, b"".join([OPENAI.text("text"), *events]))
                row = self.last_row(model, "ok")
                counts = (row["input_uncached"], row["input_cached"], row["output"])
                self.assertEqual(counts, (20, 10, 5))

    def test_b059_a_failure_before_the_first_chunk_has_its_real_status(self):
        """No 200 is written before there is an event to relay."""
        for (dialect, stream), status in itertools.product(MODES, (502, 503, 429)):
            with self.subTest(protocol=dialect.name, stream=stream, status=status):
                self.one.play(whole(dialect.error("one is down"), status))
                self.two.play(whole(dialect.error("two is down"), status))
                answer = self.ask(dialect, stream)
                self.assertEqual(answer.status, status, answer.body)
                self.assertTrue(answer.headers["Content-Type"].startswith("application/json"))
                self.assertEqual(answer.json(), dialect.error("two is down"))


if __name__ == "__main__":
    unittest.main()
