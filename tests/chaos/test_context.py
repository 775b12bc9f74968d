# SPDX-License-Identifier: Apache-2.0
"""Prompts against windows from outside: a real agent learns from the usage that two scripted
providers report how many tokens each makes of a prompt, and sends a prompt where it surely fits.
The small route counts 2.4 tokens where the agent estimates one. A summary each second."""

import json
import struct
import unittest

import weir_harness as weir

WINDOW = 10000
LARGE = 200000
# Of ASCII the agent estimates a token per 4 bytes; the small one's tokenizer makes more of them.
TOKENS_PER_BYTE = 0.6
LEARNED = 50


def text_of(estimate):
    """A prompt that the agent estimates at nearly so many tokens; no two begin alike."""
    text_of.count += 1
    words = f"prompt {text_of.count} " + "word " * estimate
    return words[: estimate * 4]


text_of.count = 0


class Context(unittest.TestCase):
    def setUp(self):
        self.world = weir.World()
        self.addCleanup(self.world.close)
        self.small = self.world.fake({"tokens_per_byte": TOKENS_PER_BYTE, "context_tokens": WINDOW})
        self.large = self.world.fake({"context_tokens": LARGE})
        config = weir.Config()
        config.sections["timing"].update({"summary_interval_s": 1, "summary_max_age_s": 20})
        config.provider("small", self.small.port).provider("large", self.large.port)
        config.model("m", ["small", "large"])
        for route, window in zip(config.models["m"], (WINDOW, LARGE)):
            route["context_tokens"] = window
        self.agent = self.world.agent(config)

    def ask(self, estimate, **body):
        """Provider, attempts and reason of a prompt that is estimated so long."""
        body.setdefault("max_tokens", 100)
        self.answer = self.agent.chat(text=text_of(estimate), **body)
        self.assertEqual(self.answer.status, 200, self.answer.body)
        headers = self.answer.headers
        return headers["X-Weir-Provider"], int(headers["X-Weir-Attempts"]), headers["X-Weir-Reason"]

    def bound(self, provider="small"):
        routes = self.agent.status()["models"][0]["routes"]
        found = next(each["token_bound"] for each in routes if each["provider"] == provider)
        return found or {"samples": 0}

    def learn(self):
        for _ in range(LEARNED):
            self.assertEqual(self.ask(1500)[0], "small")
        return weir.wait_until(
            lambda: self.bound()["samples"] >= LEARNED and self.bound(), "a bound that was learned"
        )

    def test_after_learning_a_prompt_goes_where_it_fits_at_once(self):
        # By its bytes it fits twice over, but not by what the small route counts: it says so
        # itself, and the larger one serves.
        self.assertEqual(self.ask(4600)[:2], ("large", 2))
        self.assertEqual(self.small.stats()["statuses"].get("400"), 1)

        learned = self.learn()
        self.assertGreater(learned["per_estimate"], 2.4)
        self.assertLess(learned["per_estimate"], 2.8)
        self.assertAlmostEqual(learned["median"], 2.4, delta=0.05)
        # They were more than the constant allows for, and the agent says so.
        self.assertEqual(learned["overruns"], LEARNED)

        for estimate in (4600, 3900, 8000):
            self.assertEqual(self.ask(estimate)[:2], ("large", 1))
        self.assertEqual(self.ask(3400)[:2], ("small", 1))
        # The answer needs room too.
        self.assertEqual(self.ask(3400, max_tokens=3000)[:2], ("large", 1))
        self.assertEqual(self.small.stats()["statuses"].get("400"), 1)

        # What was learned outlives the agent: the ledger is read again.
        self.agent.kill()
        self.agent.start()
        weir.wait_until(lambda: self.agent.status()["summary"], "a summary")
        weir.wait_until(lambda: self.bound()["samples"] >= LEARNED, "what was learned")
        self.assertEqual(self.ask(4600)[:2], ("large", 1))

        last = self.agent.attempts(self.answer)[0]
        rows = self.agent.ledger()
        estimates = [row["prompt_estimate"] for row in rows]
        self.assertNotIn(None, estimates)
        self.assertTrue(all(abs(each - 1500) < 20 for each in estimates if 1000 < each < 2000))
        self.assertEqual(self.small.stats()["statuses"].get("400"), 1)
        self.explained(last["request_id"])
        self.measured()

    def explained(self, request_id):
        """People see which rule kept the request from the small route, with its numbers."""
        page = self.agent.admin(f"/admin/v1/decisions/{request_id}").json()
        small = next(each for each in page["candidates"] if each["provider"] == "small")
        self.assertFalse(small["eligible"])
        self.assertIn("the length of the prompt", small["why"])
        shown = json.loads(self.agent.ctl("decisions", "show", request_id, "--json"))
        why = next(
            each["sentence"] for each in shown["explanation"]["routes"] if each["provider"] == "small"
        )
        self.assertRegex(why, r"4\d{3} tokens as estimated may be 1\d{4} there, as \d+ prompts")
        counts = json.loads(self.agent.ctl("decisions", "replay", "--since", "1h", "--json"))
        self.assertGreater(counts["decisions"], LEARNED)
        self.assertEqual(counts["mismatches"], 0, counts)
        self.assertEqual(counts["unreadable"], 0, counts)

    def measured(self):
        metrics = self.agent.admin("/metrics").body.decode()
        for name in ("weir_token_bound_ratio", "weir_token_bound_samples", "weir_token_bound_overruns"):
            self.assertIn(f'{name}{{model="m",provider="small"', metrics)
        shown = self.agent.ctl("status")
        self.assertIn("≤2.6", shown)

    def test_an_estimate_alone_refuses_nobody(self):
        self.learn()
        # Only a route into which it perhaps fits is left: by the caller's choice, …
        only = {"provider": {"only": ["small"]}}
        self.assertEqual(self.ask(3900, **only)[:2], ("small", 1))
        # … because the other has just failed, …
        self.large.script(status=500)
        self.assertEqual(self.ask(3900), ("small", 2, "last-resort"))
        # … or because it has not served for a while.
        def rests():
            routes = self.agent.status()["models"][0]["routes"]
            return any(each["provider"] == "large" and each["breaker"] == "open" for each in routes)
        while not rests():
            self.assertEqual(self.ask(3900)[0], "small")
        # And a prompt that is too long for both is told so by a provider, in its words.
        self.large.script(status=200, context_tokens=3000)
        answer = self.agent.chat(text=text_of(9000), max_tokens=100)
        self.assertEqual(answer.status, 400)
        self.assertEqual(answer.json()["error"]["code"], "context_length_exceeded")


def field(number, wire, payload):
    return bytes([number << 3 | wire]) + payload


def sized(payload):
    size, out = len(payload), b""
    while size > 127:
        out, size = out + bytes([size & 127 | 128]), size >> 7
    return out + bytes([size]) + payload


def model_of(*words):
    """A SentencePiece model that knows these words, whole, and every single letter."""
    kinds = {"<unk>": 2, "<s>": 3, "</s>": 3}
    pieces = [*kinds, *words, "\u2581", *(chr(code) for code in range(33, 127))]
    model = b""
    for piece in pieces:
        score = -1.0 if piece in words else -10.0
        body = field(1, 2, sized(piece.encode())) + field(2, 5, struct.pack("<f", score))
        model += field(1, 2, sized(body + field(3, 0, bytes([kinds.get(piece, 1)]))))
    return model


class Tokenizer(unittest.TestCase):
    """A route that names its tokenizer: what the bound leaves open is counted."""

    def setUp(self):
        self.world = weir.World()
        self.addCleanup(self.world.close)
        self.small = self.world.fake({"tokens_per_byte": 0.2, "context_tokens": WINDOW})
        self.large = self.world.fake()
        self.file = self.world.directory / "small.model"
        self.file.write_bytes(model_of("\u2581word"))
        self.config = weir.Config()
        self.config.provider("small", self.small.port).provider("large", self.large.port)
        self.config.model("m", ["small", "large"])
        self.config.models["m"][0].update(context_tokens=WINDOW, tokenizer=str(self.file))

    def served(self, agent, text):
        answer = agent.chat(text=text, max_tokens=100)
        self.assertEqual(answer.status, 200)
        self.assertEqual(answer.headers["X-Weir-Attempts"], "1")
        return answer.headers["X-Weir-Provider"]

    def test_what_the_bound_leaves_open_is_counted(self):
        agent = self.world.agent(self.config)
        # Estimated at 7500 tokens, and with twice as many it would not fit: it has 6000, or 30000.
        self.assertEqual(self.served(agent, "word " * 6000), "small")
        self.assertEqual(self.served(agent, "wxyz " * 6000), "large")
        # Short ones are counted whole, and need no tokenizer.
        self.assertEqual(self.served(agent, "wxyz " * 60), "small")

    def test_a_bad_file_is_one_clear_error(self):
        agent = self.world.agent(self.config)
        bad = self.world.directory / "tokenizer.json"
        bad.write_text('{"version": "1.0"}')
        self.config.models["m"][0]["tokenizer"] = str(bad)
        agent.write_config()
        done = agent.check()
        self.assertEqual(done.returncode, 2)
        said = done.stderr.decode()
        self.assertIn(f'"{bad}" is no SentencePiece model', said)
        self.assertRegex(said, r"model\.m\.route, provider small: tokenizer")
        agent.signal(weir.SIGHUP)
        agent.process.wait_line("event=reload_refused .*is no SentencePiece model")
        self.assertEqual(self.served(agent, "word " * 6000), "small")
        self.config.models["m"][0]["tokenizer"] = str(self.world.directory / "nowhere")
        agent.write_config()
        done = agent.check()
        self.assertEqual(done.returncode, 2)
        self.assertIn("cannot be read", done.stderr.decode())


if __name__ == "__main__":
    unittest.main()
