# SPDX-License-Identifier: Apache-2.0
"""What a change while requests run must not do: lose a model, forget a breaker, keep a pin to what is
gone, or send one provider's reasoning to another that took its name."""

import json
import threading
import time
import unittest

from dialects import ANTHROPIC, OPENAI, good
from raw_client import RawClient
from raw_provider import Answer, whole
from weir_harness import SIGHUP, request, wait_until
from wire_case import WireCase

APPLIES_S = 5.0
THINKING = {"type": "thinking", "thinking": "first, look at ", "signature": "EqQBCkYIBBgCKkAxyz+/=="}
SIGNED = [
    {"role": "user", "content": "hi"},
    {"role": "assistant", "content": [THINKING, {"type": "text", "text": "well"}]},
    {"role": "user", "content": "go on"},
]


class Reload(WireCase):
    CHAINS = {("one", "two"): 6}
    PROVIDERS = {"one": {}, "two": {}, "three": {}}
    TIMING = {"ledger_flush_ms": 5, "breaker_open_s": 60}

    def reload(self, event="reloaded", text=None):
        seen = len(self.agent.process.lines)
        self.agent.write_config(text)
        self.agent.signal(SIGHUP)
        self.agent.process.wait_line(f"event={event}", seen)

    def known(self):
        models = request(self.agent.port, "GET", "/v1/models").json()["data"]
        return {model["id"] for model in models}

    def test_b144_a_reload_loses_no_model(self):
        """One unrelated key changes, then the file is broken, then cut off in the middle: each model
        is served before, meanwhile and after."""
        before = self.known()
        model = self.fresh(OPENAI)
        for provider in (self.one, self.two):
            provider.play(good(OPENAI, False, "fine"))
        failures, stop = [], threading.Event()

        def ask():
            while not stop.is_set():
                answer = self.ask(OPENAI, False, model)
                if answer.status != 200:
                    failures.append((answer.status, answer.body))

        asking = threading.Thread(target=ask)
        asking.start()
        try:
            for number in range(5):
                self.config.sections["limits"]["total_s"] = 600 + number
                self.reload()
                self.assertEqual(self.known(), before)
            text = self.config.text()
            for broken in (text.replace("[timing]", "[timign]"), text[: len(text) // 2], ""):
                self.reload("reload_refused", broken)
                self.assertEqual(self.known(), before)
            self.reload()
        finally:
            stop.set()
            asking.join()
        self.assertEqual(failures, [])
        self.assertEqual(self.known(), before)

    def test_b145_a_change_reaches_running_conversations_and_forgets_no_breaker(self):
        """A pinned conversation leaves a route that a person disabled; what runs there goes on as it
        began."""
        self.agent.turn("adaptive")
        self.addCleanup(self.agent.turn, "fixed")
        model = self.fresh(OPENAI)
        for provider in (self.one, self.two):
            provider.play(good(OPENAI, False, "fine"))
        talk = {"X-Weir-Conversation-Id": "a talk"}
        first = self.ask(OPENAI, False, model, talk).headers["X-Weir-Provider"]
        self.assertEqual(self.ask(OPENAI, False, model, talk).headers["X-Weir-Reason"], "pinned")
        go = threading.Event()
        held = self.raw[first.split("_")[0]]
        held.play(Answer(go.is_set, *good(OPENAI, False, "to the end").segments))
        running = RawClient(self.agent.port)
        self.addCleanup(running.close)
        running.ask(OPENAI.path, OPENAI.request(model), talk)
        held.wait_requests()
        held.play(good(OPENAI, False, "not asked"))
        began = time.monotonic()
        change = f"route.{model}.{first}.enabled=false"
        self.agent.ctl("settings", "set", change, "--reason", "a test")

        def has_left():
            return self.ask(OPENAI, False, model, talk).headers["X-Weir-Provider"] != first

        wait_until(has_left, "the conversation to leave")
        self.assertLess(time.monotonic() - began, APPLIES_S)
        go.set()
        self.assert_served(running.wait_answer(), OPENAI, first.split("_")[0], "to the end")

    def test_b145_a_breaker_survives_a_reload(self):
        """Its provider is not asked once more only because the file was read again."""
        model = self.fresh(OPENAI)
        self.one.play(whole(OPENAI.error("broken"), 500))
        self.two.play(good(OPENAI, False, "fine"))

        def breaker():
            self.ask(OPENAI, False, model)
            models = {each["name"]: each for each in self.agent.status()["models"]}
            return models[model]["routes"][0]["breaker"]

        wait_until(lambda: breaker() == "open", "the breaker to open")
        asked = len(self.one.requests)
        self.config.sections["limits"]["total_s"] = 700
        self.reload()
        for _ in range(5):
            self.assertEqual(breaker(), "open")
        self.assertEqual(len(self.one.requests), asked)

    def test_b146_another_provider_under_an_old_name_is_another_provider(self):
        """Its address changes under a conversation with signed reasoning: what the old one signed is
        never sent to the new one; the client is told by us, not by a foreign signature's error."""
        self.agent.turn("adaptive")
        self.addCleanup(self.agent.turn, "fixed")
        model = self.fresh(ANTHROPIC)
        for provider in self.raw.values():
            provider.play(good(ANTHROPIC, False, "fine"))
        talk = {"X-Weir-Conversation-Id": "a signed talk"}
        first = self.ask(ANTHROPIC, False, model, talk).headers["X-Weir-Provider"]
        again = self.ask(ANTHROPIC, False, model, talk, messages=SIGNED)
        self.assertEqual(again.headers["X-Weir-Provider"], first)
        port = self.raw["three"].port
        old = dict(self.config.providers[first])
        self.config.providers[first]["base_url"] = f"http://127.0.0.1:{port}/v1"
        self.addCleanup(self.config.providers[first].update, old)
        self.reload()
        for provider in self.raw.values():
            provider.play(good(ANTHROPIC, False, "foreign"))
        answer = self.ask(ANTHROPIC, False, model, talk, messages=SIGNED)
        self.assertEqual(self.raw["three"].requests, [], "the old one's signature")
        self.assertGreaterEqual(answer.status, 400)
        self.assertIn("reasoning", json.loads(answer.body)["error"]["message"])


if __name__ == "__main__":
    unittest.main()
