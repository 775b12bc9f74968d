# SPDX-License-Identifier: Apache-2.0
"""An agent that calls tools five times until it is done. Its first provider dies after the second
call; the other one, of the other protocol, takes the conversation over."""

import json
import unittest

import anthropic
from anthropic import beta_tool

from sdk_case import SdkCase
from sdk_world import PROTOCOLS

QUESTION = [{"role": "user", "content": "Which city is the warmest?"}]
CITIES = ("Berlin", "Zürich", "Łódź", "東京", "São Paulo")
# Two calls at once in the third turn.
TURNS = [
    {"text": "I look.", "tool_calls": [{"name": "weather", "arguments": {"city": CITIES[0]}}]},
    {"tool_calls": [{"name": "weather", "arguments": {"city": CITIES[1]}}]},
    {"tool_calls": [{"name": "weather", "arguments": {"city": each}} for each in CITIES[2:4]]},
    {"tool_calls": [{"name": "weather", "arguments": {"city": CITIES[4]}}]},
    {"text": "São Paulo is."},
]
TOOL = {
    "name": "weather",
    "description": "The weather in a city",
    "parameters": {
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
    },
}


class AgentLoops(SdkCase):
    def both_ways(self):
        for first, second in (PROTOCOLS, PROTOCOLS[::-1]):
            for stream in (False, True):
                yield first, second, stream

    def begin(self, first, **script):
        self.upstreams.reset(turns=TURNS, **script)
        self.asked = []
        self.first = first

    def weather(self, city):
        self.asked.append(city)
        if len(self.asked) == 2:
            self.upstreams.fakes[self.first].script(listening=False)
        return f"{20 + len(self.asked)} °C in {city}"

    def check(self, first, second, said):
        self.assertEqual(said, "São Paulo is.")
        self.assertEqual(self.asked, list(CITIES))
        served = [self.upstreams.fakes[each].stats()["statuses"] for each in (first, second)]
        self.assertEqual(served, [{"200": 2}, {"200": 3}])
        # The new provider was told all that had been said.
        history = json.dumps(self.upstreams.seen(second)[0]["messages"], ensure_ascii=False)
        for number, city in enumerate(CITIES, 21):
            self.assertIn(f"{number} °C in {city}", history)

    def run_anthropic(self, first, stream, **more):
        @beta_tool
        def weather(city: str) -> str:
            """The weather in a city"""
            return self.weather(city)

        runner = self.anthropic.beta.messages.tool_runner(
            model=f"{first}-first",
            max_tokens=4000,
            messages=QUESTION,
            tools=[weather],
            stream=stream,
            **more,
        )
        last = runner.until_done()
        return last.content[-1].text

    def run_openai(self, first, stream):
        request = {
            "model": f"{first}-first",
            "tools": [{"type": "function", "function": TOOL}],
        }
        history = list(QUESTION)
        while True:
            if stream:
                with self.openai.chat.completions.stream(messages=history, **request) as answer:
                    message = answer.get_final_completion().choices[0].message
            else:
                answer = self.openai.chat.completions.create(messages=history, **request)
                message = answer.choices[0].message
            if not message.tool_calls:
                return message.content
            history.append(message.model_dump(exclude_none=True))
            for call in message.tool_calls:
                result = self.weather(**json.loads(call.function.arguments))
                history.append({"role": "tool", "tool_call_id": call.id, "content": result})

    def test_anthropic_tool_runner(self):
        for first, second, stream in self.both_ways():
            with self.subTest(first=first, stream=stream):
                self.begin(first)
                self.check(first, second, self.run_anthropic(first, stream))

    def test_openai_loop(self):
        for first, second, stream in self.both_ways():
            with self.subTest(first=first, stream=stream):
                self.begin(first)
                self.check(first, second, self.run_openai(first, stream))

    def test_reasoning_that_nobody_signed_does_not_hold_the_conversation(self):
        for stream in (False, True):
            with self.subTest(stream=stream):
                self.begin("openai", reasoning_tokens=2, strict_also=["reasoning_content"])
                said = self.run_anthropic("openai", stream, thinking={"type": "adaptive"})
                self.check("openai", "anthropic", said)

    def test_reasoning_that_was_signed_stays_with_who_signed_it(self):
        for stream in (False, True):
            with self.subTest(stream=stream):
                self.begin("anthropic", reasoning_tokens=2)
                with self.assertRaises(anthropic.InternalServerError):
                    self.run_anthropic("anthropic", stream, thinking={"type": "adaptive"})
                self.assertEqual(self.asked, list(CITIES[:2]))
                self.assertEqual(self.upstreams.fakes["openai"].stats()["requests"], 0)


if __name__ == "__main__":
    unittest.main()
