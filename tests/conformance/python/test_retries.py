# SPDX-License-Identifier: Apache-2.0
"""SDKs that try again: how often a provider is called in the end, and when. Every try of the
client's goes over the whole pool, so what the agent says of another try decides."""

import time
import unittest

import anthropic
import openai

from sdk_case import HELLO, SdkCase
from sdk_world import PROTOCOLS

RETRIES = 2


class Retries(SdkCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.openai = cls.openai_client(max_retries=RETRIES)
        cls.anthropic = cls.anthropic_client(max_retries=RETRIES)

    def ask(self, client, model, stream):
        if client == "openai":
            answer = self.openai.chat.completions.create(
                model=model, messages=HELLO, stream=stream
            )
        else:
            answer = self.anthropic.messages.create(
                model=model, max_tokens=100, messages=HELLO, stream=stream
            )
        return list(answer) if stream else answer

    def calls(self):
        return [self.upstreams.fakes[each].stats()["requests"] for each in PROTOCOLS]

    def each_client(self):
        for client in PROTOCOLS:
            for stream in (False, True):
                yield client, stream

    def begin(self, **script):
        """A fresh agent: what it has learned of the providers must not count here."""
        self.upstreams.agent.stop()
        self.upstreams.agent.start()
        url = self.upstreams.url
        self.openai.base_url = f"{url}/v1"
        self.anthropic.base_url = url
        self.upstreams.reset(**script)

    def test_a_rate_limit_that_passes_is_waited_for(self):
        """Three tries over two providers, a second apart as the providers said; no more."""
        for client, stream in self.each_client():
            with self.subTest(client=client, stream=stream):
                self.begin(status=429, retry_after=1)
                start = time.monotonic()
                with self.assertRaises((openai.RateLimitError, anthropic.RateLimitError)):
                    self.ask(client, "openai-first", stream)
                self.assertGreater(time.monotonic() - start, RETRIES)
                self.assertEqual(self.calls(), [1 + RETRIES, 1 + RETRIES])

    def test_the_try_after_the_wait_succeeds(self):
        for client, stream in self.each_client():
            with self.subTest(client=client, stream=stream):
                self.begin(status=429, retry_after=1, times=1)
                self.ask(client, "by-openai", stream)
                self.assertEqual(self.calls(), [2, 0])

    def test_where_waiting_is_too_long_there_is_one_try(self):
        for client, stream in self.each_client():
            with self.subTest(client=client, stream=stream):
                self.begin(status=429, retry_after=120)
                with self.assertRaises((openai.RateLimitError, anthropic.RateLimitError)) as caught:
                    self.ask(client, "openai-first", stream)
                headers = caught.exception.response.headers
                self.assertEqual(headers["x-should-retry"], "false")
                self.assertEqual(headers["retry-after"], "120")
                self.assertEqual(self.calls(), [1, 1])

    def test_what_does_not_pass_is_not_tried_again(self):
        for status, calls in ((400, [1, 0]), (402, [1, 1]), (404, [1, 1])):
            for client, stream in self.each_client():
                with self.subTest(status=status, client=client, stream=stream):
                    self.begin(status=status)
                    with self.assertRaises((openai.APIStatusError, anthropic.APIStatusError)):
                        self.ask(client, "openai-first", stream)
                    self.assertEqual(self.calls(), calls)

    def test_the_providers_own_word_is_passed_on(self):
        for client, stream in self.each_client():
            with self.subTest(client=client, stream=stream):
                self.begin(status=500, headers={"x-should-retry": "false"})
                with self.assertRaises((openai.APIStatusError, anthropic.APIStatusError)):
                    self.ask(client, "openai-first", stream)
                self.assertEqual(self.calls(), [1, 1])

    def test_a_hiccup_is_the_agents_to_hide(self):
        """One 503 of the only provider: the agent tries again, the client never knows."""
        for client, stream in self.each_client():
            with self.subTest(client=client, stream=stream):
                self.begin(status=503, times=1)
                self.ask(client, "by-openai", stream)
                self.assertEqual(self.calls(), [2, 0])


if __name__ == "__main__":
    unittest.main()
