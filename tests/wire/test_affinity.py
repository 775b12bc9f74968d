# SPDX-License-Identifier: Apache-2.0
"""Conversations stay where their prefix is cached, but not with a provider that does not answer."""

import itertools
import json
import unittest

from dialects import ANTHROPIC, DIALECTS, good
from raw_provider import RST, Answer, whole
from weir_harness import SIGHUP
from wire_case import MODES, WireCase

SIGNATURE = "EqQBCkYIBBgCKkAxyz+/=="
THINKING = {"type": "thinking", "thinking": "first, look at ", "signature": SIGNATURE}
TOOL_USE = {"type": "tool_use", "id": "t-1", "name": "f", "input": {"b": 1, "a": 2}}
RESULT = {"type": "tool_result", "tool_use_id": "t-1", "content": "done"}


class Affinity(WireCase):
    CHAINS = {("one", "two"): 16}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.agent.turn("adaptive")

    def turn(self, dialect, stream, model, **more):
        headers = {"X-Weir-Conversation-Id": f"talk-{model}"}
        answer = self.ask(dialect, stream, model, headers, **more)
        provider = (answer.headers["X-Weir-Provider"] or "").split("_")[0]
        return answer, (answer.status, provider, answer.headers["X-Weir-Reason"])

    def test_b013_a_pin_gives_way_to_health(self):
        """The pinned provider is out: the turn goes to the other one, and the talk stays there."""
        for (dialect, stream), status in itertools.product(MODES, (429, 402)):
            with self.subTest(protocol=dialect.name, stream=stream, status=status):
                model = self.fresh(dialect)
                for provider in (self.one, self.two):
                    provider.play(good(dialect, stream, "fine"))
                _, (_, first, _) = self.turn(dialect, stream, model)
                self.assertEqual(self.turn(dialect, stream, model)[1], (200, first, "pinned"))
                other = "two" if first == "one" else "one"
                self.raw[first].play(whole(dialect.error("out"), status))
                self.assertEqual(self.turn(dialect, stream, model)[1][:2], (200, other))
                self.raw[first].play(good(dialect, stream, "fine again"))
                for _ in range(4):
                    self.assertEqual(self.turn(dialect, stream, model)[1], (200, other, "pinned"))

    def test_b013_reasoning_state_stays_with_its_issuer(self):
        """Signed thinking goes to nobody else: the error is the caller's to see."""
        for stream in (False, True):
            with self.subTest(stream=stream):
                model = self.fresh(ANTHROPIC)
                for provider in (self.one, self.two):
                    provider.play(good(ANTHROPIC, stream, "fine"))
                _, (_, first, _) = self.turn(ANTHROPIC, stream, model)
                other = "two" if first == "one" else "one"
                self.raw[first].play(whole(ANTHROPIC.error("busy"), 429))
                self.raw[other].play(good(ANTHROPIC, stream, "never asked"))
                answer, seen = self.turn(ANTHROPIC, stream, model, messages=self.signed())
                self.assertEqual(seen[:2], (429, first), answer.body)
                self.assertEqual(self.raw[other].requests, [])

    def signed(self):
        return [
            {"role": "user", "content": "hi"},
            {"role": "assistant", "content": [THINKING, TOOL_USE]},
            {"role": "user", "content": [RESULT]},
        ]

    def test_b078_signed_thinking_is_neither_moved_nor_changed(self):
        """Turn 2 brings back what turn 1 signed: to the same provider, byte for byte, even when it
        fails and another one would answer."""
        for stream, failure in itertools.product((False, True), (None, 500, RST)):
            with self.subTest(stream=stream, failure=failure):
                model = self.fresh(ANTHROPIC)
                for provider in (self.one, self.two):
                    provider.play(good(ANTHROPIC, stream, "fine"))
                _, (_, first, _) = self.turn(ANTHROPIC, stream, model)
                other = "two" if first == "one" else "one"
                self.raw[other].play(good(ANTHROPIC, stream, "never asked"))
                if failure == 500:
                    self.raw[first].play(whole(ANTHROPIC.error("broken"), 500))
                elif failure:
                    self.raw[first].play(Answer(end=RST))
                else:
                    self.raw[first].play(good(ANTHROPIC, stream, "goes on"))
                answer, seen = self.turn(ANTHROPIC, stream, model, messages=self.signed())
                self.assertEqual(seen[0] == 200, failure is None, answer.body)
                self.assertEqual(seen[1:], (first, "single-shot"))
                self.assertEqual(self.raw[other].requests, [])
                request = self.raw[first].requests[-1]
                sent = json.dumps(ANTHROPIC.request(model, stream, messages=self.signed()))
                names = (f'"{model}"', f'"{request.json()["model"]}"')
                self.assertEqual(request.body.decode(), sent.replace(*names, 1))

    def test_b014_a_pin_to_a_provider_that_is_gone_is_replaced(self):
        """Its route is taken out of the file: the talk moves once, and the new pin holds."""
        for dialect in DIALECTS:
            with self.subTest(protocol=dialect.name):
                model = self.fresh(dialect)
                for provider in (self.one, self.two):
                    provider.play(good(dialect, False, "fine"))
                _, (_, first, _) = self.turn(dialect, False, model)
                self.assertEqual(self.turn(dialect, False, model)[1][1:], (first, "pinned"))
                routes = self.config.models[model]
                self.config.models[model] = [
                    route for route in routes if not route["provider"].startswith(first)
                ]
                seen = len(self.agent.process.lines)
                self.agent.write_config()
                self.agent.signal(SIGHUP)
                self.agent.process.wait_line("event=reloaded", seen)
                other = "two" if first == "one" else "one"
                self.assertEqual(self.turn(dialect, False, model)[1][:2], (200, other))
                self.config.models[model] = routes
                seen = len(self.agent.process.lines)
                self.agent.write_config()
                self.agent.signal(SIGHUP)
                self.agent.process.wait_line("event=reloaded", seen)
                for _ in range(3):
                    found = self.turn(dialect, False, model)[1]
                    self.assertEqual(found, (200, other, "pinned"))


if __name__ == "__main__":
    unittest.main()
