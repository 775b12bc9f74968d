# SPDX-License-Identifier: Apache-2.0
"""What the wire tests share: an agent, raw providers `one`, `two`, … that speak both protocols, and
a fresh model for each question, so that no case sees what another one did to its routes."""

import itertools
import unittest

from dialects import DIALECTS, other
from raw_client import RawClient
from raw_provider import RawProvider
from weir_harness import Config, World, wait_until

MODES = list(itertools.product(DIALECTS, (False, True)))


class WireCase(unittest.TestCase):
    # Each provider's keys in the file, beside the usual ones; a port means that there is no script.
    PROVIDERS = {"one": {}, "two": {}}
    # Each provider's keys in its routes.
    ROUTES = {}
    # How many models there are for each chain of providers.
    CHAINS = {("one", "two"): 40}
    # Task types by name, with their keys in the file.
    TASKS = {}
    # The providers speak the other protocol, so that everything is translated.
    TRANSLATED = False
    AGENT = {}
    LIMITS = {}
    TIMING = {"ledger_flush_ms": 5}

    @classmethod
    def setUpClass(cls):
        cls.world = World()
        cls.addClassCleanup(cls.world.close)
        cls.config = Config(**cls.AGENT)
        cls.config.sections["limits"].update(cls.LIMITS)
        cls.config.sections["timing"].update(cls.TIMING)
        cls.raw = {
            name: RawProvider() for name, keys in cls.PROVIDERS.items() if "port" not in keys
        }
        for provider in cls.raw.values():
            cls.world.callback(provider.stop)
        cls.unused = {}
        for chain, count in cls.CHAINS.items():
            for dialect in DIALECTS:
                models = [cls.add_model(chain, dialect) for _ in range(count)]
                cls.unused[chain, dialect.name] = models
        for task, keys in cls.TASKS.items():
            cls.config.tasks[task] = {"models": list(cls.config.models)[:1], **keys}
        cls.agent = cls.world.agent(cls.config)

    @classmethod
    def add_model(cls, chain, dialect):
        """With providers of its own, because credit and credentials are a whole provider's."""
        number = len(cls.config.models)
        model = f"m{number}"
        providers = [f"{name}_{number}" for name in chain]
        for name, provider in zip(chain, providers):
            keys = dict(cls.PROVIDERS[name])
            port = keys.pop("port", None) or cls.raw[name].port
            spoken = other(dialect) if cls.TRANSLATED else dialect
            cls.config.provider(provider, port, spoken.name, **keys)
        cls.config.model(model, providers)
        for name, route in zip(chain, cls.config.models[model]):
            route.update(cls.ROUTES.get(name, {}))
        return model

    @property
    def one(self):
        return self.raw["one"]

    @property
    def two(self):
        return self.raw["two"]

    def fresh(self, dialect, chain=None):
        """A model that nobody has asked for yet."""
        chain = chain or next(iter(self.CHAINS))
        self.assertTrue(self.unused[chain, dialect.name], f"CHAINS has too few of {chain}")
        return self.unused[chain, dialect.name].pop()

    def ask(self, dialect, stream=False, model=None, headers=None, **more):
        body = dialect.request(model or self.fresh(dialect), stream, **more)
        return self.agent.post(dialect.path, body, headers)

    def client(self, dialect, stream=True, model=None, **more):
        """The same on a connection that can be watched and left."""
        client = RawClient(self.agent.port)
        self.addCleanup(client.close)
        return client.ask(
            dialect.path, dialect.request(model or self.fresh(dialect), stream, **more)
        )

    def attempts(self, answer, count=None):
        """[(provider, outcome)] as the ledger has them; `count` where more of them came after the
        head was sent."""
        rows = self.agent.attempts(answer, count)
        return [(row["provider"].split("_")[0], row["outcome"]) for row in rows]

    def last_row(self, model, outcome=None):
        """The one ledger row of a model that was asked for once."""
        rows = wait_until(lambda: self.agent.ledger("model = ?", model), f"a row of {model}")
        self.assertEqual(len(rows), 1, rows)
        if outcome:
            self.assertEqual(rows[0]["outcome"], outcome)
        return rows[0]

    def assert_served(self, answer, dialect, provider, text):
        self.assertEqual(answer.status, 200, answer.body)
        self.assertTrue(answer.complete, answer.body)
        self.assertEqual(answer.headers["X-Weir-Provider"].split("_")[0], provider)
        self.assertEqual(dialect.said(answer), text)
        if answer.headers["Content-Type"].startswith("text/event-stream"):
            self.assertTrue(dialect.ends_well(answer), answer.body)

    def assert_broken(self, answer, dialect, text):
        """Began with `text` and was cut: one error event, no end mark, no last chunk."""
        self.assertEqual(answer.status, 200, answer.body)
        self.assertFalse(answer.complete, answer.body)
        events = answer.events()
        self.assertTrue(dialect.is_error_event(events[-1]), events[-1])
        self.assertFalse(any(dialect.is_error_event(each) for each in events[:-1]))
        for mark in (b"[DONE]", b"message_stop"):
            self.assertNotIn(mark, answer.body)
        cut = answer.body[: answer.body.rindex(events[-1].encode())]
        shown = type(answer)(
            answer.status, answer.headers, cut.rpartition(b"\n\n")[0] + b"\n\n", False
        )
        self.assertEqual(dialect.said(shown), text)
