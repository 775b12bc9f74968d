# SPDX-License-Identifier: Apache-2.0
"""A provider's refusal is an exception of the client's own SDK, whatever protocol it speaks."""

import unittest

import anthropic
import openai

from sdk_case import HELLO, SdkCase
from sdk_world import PROTOCOLS, Refusals, Upstreams

# The refusal, and the exception of OpenAI's and of Anthropic's SDK. A refused key is the agent's
# own, which the client can do nothing about: to it the provider does not answer.
CLASSES = {
    "s400": (openai.BadRequestError, anthropic.BadRequestError),
    "s401": (openai.InternalServerError, anthropic.InternalServerError),
    "s402": (openai.APIStatusError, anthropic.PaymentRequiredError),
    "s404": (openai.NotFoundError, anthropic.NotFoundError),
    "s429": (openai.RateLimitError, anthropic.RateLimitError),
    "s500": (openai.InternalServerError, anthropic.InternalServerError),
    "s503": (openai.InternalServerError, anthropic.ServiceUnavailableError),
    "s529": (openai.InternalServerError, anthropic.OverloadedError),
    "overflow": (openai.BadRequestError, anthropic.BadRequestError),
}


class Errors(SdkCase):
    @classmethod
    def make_upstreams(cls):
        return Refusals(cls.world)

    def setUp(self):
        """Its providers stay as they are."""

    def ask_openai(self, model, stream):
        answer = self.openai.chat.completions.create(model=model, messages=HELLO, stream=stream)
        return list(answer) if stream else answer

    def ask_anthropic(self, model, stream):
        request = {"model": model, "max_tokens": 100, "messages": HELLO, "stream": stream}
        answer = self.anthropic.messages.create(**request)
        return list(answer) if stream else answer

    def refusals(self, *names):
        """The exceptions of both clients, by name, upstream protocol and stream."""
        for name in names:
            for upstream in PROTOCOLS:
                for stream in (False, True):
                    with self.assertRaises(openai.APIError) as first:
                        self.ask_openai(f"{name}-{upstream}", stream)
                    with self.assertRaises(anthropic.APIError) as second:
                        self.ask_anthropic(f"{name}-{upstream}", stream)
                    yield name, upstream, stream, first.exception, second.exception

    def test_classes(self):
        for name, upstream, stream, first, second in self.refusals(*CLASSES):
            with self.subTest(name, upstream=upstream, stream=stream):
                self.assertIsInstance(first, CLASSES[name][0])
                self.assertIsInstance(second, CLASSES[name][1])
                # What makes a status an error that a program can tell from others.
                self.assertTrue(first.type)
                self.assertTrue(first.message)
                self.assertEqual(second.body["type"], "error")
                self.assertTrue(second.type)
                self.assertTrue(second.api_message)

    def test_a_rate_limit_says_how_long(self):
        for _, upstream, stream, first, second in self.refusals("s429"):
            with self.subTest(upstream=upstream, stream=stream):
                self.assertEqual(first.response.headers["retry-after"], "2")
                self.assertEqual(second.response.headers["retry-after"], "2")
                self.assertEqual(second.type, "rate_limit_error")

    def test_types_of_anthropics_errors(self):
        kinds = {
            "s400": "invalid_request_error",
            "s402": "billing_error",
            "s404": "not_found_error",
            "s500": "api_error",
            "s529": "overloaded_error",
        }
        for name, upstream, stream, _, second in self.refusals(*kinds):
            with self.subTest(name, upstream=upstream, stream=stream):
                self.assertEqual(second.type, kinds[name])

    def test_a_context_overflow_is_known_for_what_it_is(self):
        """By these marks clients know that they have to compact."""
        for _, upstream, stream, first, second in self.refusals("overflow"):
            with self.subTest(upstream=upstream, stream=stream):
                self.assertEqual(first.code, "context_length_exceeded")
                self.assertEqual(first.type, "invalid_request_error")
                self.assertIn("prompt is too long: 9001 tokens > 8192 maximum", second.api_message)
                self.assertEqual(second.type, "invalid_request_error")

    def test_a_stream_that_breaks_raises(self):
        for name in ("error", "cut"):
            for upstream in PROTOCOLS:
                with self.subTest(name, upstream=upstream):
                    with self.assertRaises(openai.APIError):
                        self.ask_openai(f"{name}-{upstream}", True)
                    with self.assertRaises(anthropic.APIError):
                        self.ask_anthropic(f"{name}-{upstream}", True)
                    with self.assertRaises(openai.APIError):
                        request = {"model": f"{name}-{upstream}", "messages": HELLO}
                        with self.openai.chat.completions.stream(**request) as stream:
                            stream.get_final_completion()

    def test_what_the_agent_says_itself(self):
        with self.assertRaises(openai.NotFoundError):
            self.ask_openai("nobody", False)
        with self.assertRaises(anthropic.NotFoundError):
            self.ask_anthropic("nobody", False)


class Keys(SdkCase):
    @classmethod
    def make_upstreams(cls):
        return Upstreams(cls.world, keys={"CLIENT_KEY": "right"}, client_keys_env="CLIENT_KEY")

    def test_a_wrong_key_is_an_authentication_error(self):
        request = {"model": "by-openai", "messages": HELLO}
        self.openai_client(api_key="right").chat.completions.create(**request)
        self.anthropic_client(api_key="right").messages.create(max_tokens=9, **request)
        with self.assertRaises(openai.AuthenticationError):
            self.openai_client(api_key="wrong").chat.completions.create(**request)
        with self.assertRaises(anthropic.AuthenticationError) as caught:
            self.anthropic_client(api_key="wrong").messages.create(max_tokens=9, **request)
        self.assertEqual(caught.exception.type, "authentication_error")
        self.assertNotIn("wrong", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
