# SPDX-License-Identifier: Apache-2.0
"""A test case with both Python SDKs as clients. Their own retries are off: nothing else may hide
what a provider did."""

import functools
import unittest

import anthropic
import openai

from sdk_world import PROTOCOLS, Upstreams
from weir_harness import PATIENCE_S, World

HELLO = [{"role": "user", "content": "hello"}]


def each_way(test):
    """Runs the test once with each upstream protocol, whole and streamed."""

    @functools.wraps(test)
    def run(self):
        for upstream in PROTOCOLS:
            for stream in (False, True):
                with self.subTest(upstream=upstream, stream=stream):
                    self.upstreams.reset()
                    test(self, upstream, stream)

    return run


class SdkCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = World()
        cls.addClassCleanup(cls.world.close)
        cls.upstreams = cls.make_upstreams()
        cls.openai = cls.openai_client()
        cls.anthropic = cls.anthropic_client()

    @classmethod
    def make_upstreams(cls):
        return Upstreams(cls.world)

    @classmethod
    def openai_client(cls, **options):
        options = {"api_key": "none", "max_retries": 0, "timeout": PATIENCE_S, **options}
        client = openai.OpenAI(base_url=f"{cls.upstreams.url}/v1", **options)
        cls.addClassCleanup(client.close)
        return client

    @classmethod
    def anthropic_client(cls, **options):
        options = {"api_key": "none", "max_retries": 0, "timeout": PATIENCE_S, **options}
        client = anthropic.Anthropic(base_url=cls.upstreams.url, **options)
        cls.addClassCleanup(client.close)
        return client

    def setUp(self):
        self.upstreams.reset()

    def script(self, **keys):
        for fake in self.upstreams.fakes.values():
            fake.script(**keys)
