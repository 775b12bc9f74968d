# SPDX-License-Identifier: Apache-2.0
"""OpenAI's Responses and Embeddings, which pass through to who declares them."""

import json
import unittest

import openai
import pydantic
from openai.lib.responses_tool_runner import RegisteredFunction, ResponsesToolRunner

from sdk_case import SdkCase
from sdk_world import TEXT
from weir_harness import wait_until

SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
TOOL = {
    "type": "function",
    "name": "weather",
    "description": "d",
    "parameters": SCHEMA,
    "strict": True,
}
CITIES = ("Berlin", "Zürich", "東京", "São Paulo")
CALLS = [{"name": "weather", "arguments": {"city": city}} for city in CITIES]


class Weather(pydantic.BaseModel):
    city: str
    degrees: int


class Responses(SdkCase):
    def ask(self, stream, **request):
        request = {"model": "by-openai", "input": "hello", **request}
        if not stream:
            return self.openai.responses.create(**request)
        with self.openai.responses.stream(**request) as answer:
            return answer.get_final_response()

    def test_text_and_usage(self):
        for stream in (False, True):
            with self.subTest(stream=stream):
                self.script(input_tokens=1200, cached_tokens=1000, reasoning_tokens=3)
                answer = self.ask(stream)
                self.assertEqual(answer.output_text, TEXT)
                self.assertEqual(answer.status, "completed")
                self.assertEqual(answer.usage.input_tokens, 1200)
                self.assertEqual(answer.usage.input_tokens_details.cached_tokens, 1000)
                self.assertEqual(answer.usage.output_tokens, 19)
                self.assertEqual(answer.usage.output_tokens_details.reasoning_tokens, 3)

    def test_the_ledger_knows_what_it_cost(self):
        for stream in (False, True):
            with self.subTest(stream=stream):
                self.upstreams.reset(input_tokens=1200, cached_tokens=1000, reasoning_tokens=3)
                raw = self.openai.responses.with_raw_response
                answer = raw.create(model="by-openai", input="hello", stream=stream)
                request_id = answer.headers["x-weir-request-id"]
                if stream:
                    list(answer.parse())
                row = wait_until(
                    lambda: self.upstreams.agent.ledger("request_id = ?", request_id), "the row"
                )[0]
                self.assertEqual(row["outcome"], "ok")
                self.assertEqual((row["input_uncached"], row["input_cached"]), (200, 1000))
                self.assertEqual((row["output"], row["reasoning"]), (19, 3))

    def test_events(self):
        stream = self.openai.responses.create(model="by-openai", input="hello", stream=True)
        events = list(stream)
        self.assertEqual(events[0].type, "response.created")
        self.assertEqual(events[-1].type, "response.completed")
        numbers = [each.sequence_number for each in events]
        self.assertEqual(numbers, list(range(len(events))))
        deltas = [each.delta for each in events if each.type == "response.output_text.delta"]
        self.assertEqual("".join(deltas), TEXT)

    def test_structured_answers_are_parsed(self):
        request = {"model": "by-openai", "input": "hello", "text_format": Weather}
        answer = self.openai.responses.parse(**request)
        self.assertEqual(answer.output_parsed, Weather(city="Berlin", degrees=1))
        with self.openai.responses.stream(**request) as stream:
            answer = stream.get_final_response()
        self.assertEqual(answer.output_parsed, Weather(city="Berlin", degrees=1))

    def test_a_limit_that_is_met(self):
        for stream in (False, True):
            answer = self.openai.responses.create(
                model="by-openai", input="hello", max_output_tokens=2, stream=stream
            )
            if stream:
                answer = list(answer)[-1].response
            self.assertEqual(answer.status, "incomplete")
            self.assertEqual(answer.incomplete_details.reason, "max_output_tokens")

    def test_tool_runner(self):
        for stream in (False, True):
            with self.subTest(stream=stream):
                turns = [{"tool_calls": CALLS[at : at + 2]} for at in (0, 2)]
                self.upstreams.reset(reasoning_tokens=2, turns=[*turns, {"text": "Done."}])
                asked = []

                def weather(arguments):
                    asked.append(arguments["city"])
                    return f"{20 + len(asked)} °C"

                runner = ResponsesToolRunner(functions=[RegisteredFunction(TOOL, weather)])
                answer = runner.run(
                    self.openai,
                    {
                        "model": "by-openai",
                        "input": "Which city is the warmest?",
                        "store": False,
                        "include": ["reasoning.encrypted_content"],
                    },
                    stream=stream,
                )
                self.assertEqual(answer.output_text, "Done.")
                self.assertEqual(asked, list(CITIES))
                items = self.upstreams.seen("openai")[0]["input"]
                kinds = [each.get("type", "message") for each in items]
                self.assertEqual(kinds.count("function_call_output"), 4)
                reasoning = [each for each in items if each.get("type") == "reasoning"]
                self.assertEqual(len(reasoning), 2)
                self.assertTrue(all(each["encrypted_content"] for each in reasoning))

    def test_errors(self):
        for status, kind in ((400, openai.BadRequestError), (500, openai.InternalServerError)):
            for stream in (False, True):
                with self.subTest(status=status, stream=stream):
                    self.upstreams.reset(status=status)
                    with self.assertRaises(kind):
                        self.ask(stream)

    def test_who_does_not_declare_it_does_not_get_it(self):
        with self.assertRaises(openai.BadRequestError) as caught:
            self.openai.responses.create(model="by-anthropic", input="hello")
        self.assertIn("by-anthropic", str(caught.exception))
        with self.assertRaises(openai.BadRequestError):
            self.openai.embeddings.create(model="by-anthropic", input="hello")

    def test_embeddings(self):
        for more in ({}, {"encoding_format": "float"}):
            answer = self.openai.embeddings.create(model="by-openai", input=["a", "b"], **more)
            vectors = [each.embedding for each in answer.data]
            self.assertEqual(vectors, [[0.25, -0.5, 0.125, 1.0]] * 2)
            self.assertEqual(answer.usage.total_tokens, answer.usage.prompt_tokens)
        body = json.loads(self.upstreams.fakes["openai"].requests()[0]["body"])
        self.assertEqual(body["model"], "up/openai/by-openai")


if __name__ == "__main__":
    unittest.main()
