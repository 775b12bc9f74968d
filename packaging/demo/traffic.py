# SPDX-License-Identifier: Apache-2.0
"""Traffic as a service would send it: the providers' own SDKs, pointed at the agent.

The SDKs' own retries are off, so whatever the callers do not notice is the agent's doing.
"""

import collections
import itertools
import random
import threading
import time
from dataclasses import dataclass

import anthropic
import openai

from world import ANTHROPIC_MODEL, OPENAI_MODEL

OPENAI_CALLERS = 24
ANTHROPIC_CALLERS = 8
# Between two calls of one caller; slow answers then hardly slow the traffic as a whole.
PAUSE_SECONDS = (0.8, 1.4)
WEATHER = {
    "type": "function",
    "function": {
        "name": "weather",
        "description": "The weather at a place.",
        "parameters": {"type": "object", "properties": {"place": {"type": "string"}}},
    },
}
CITY = {
    "type": "json_schema",
    "json_schema": {
        "name": "city",
        "strict": True,
        "schema": {
            "type": "object",
            "properties": {"city": {"type": "string"}},
            "required": ["city"],
            "additionalProperties": False,
        },
    },
}
SYSTEM = "You are a careful reviewer. " + "Answer in two sentences and name the line. " * 12


@dataclass
class Call:
    """What one caller saw."""

    at: float
    client: str
    kind: str
    provider: str = ""
    reason: str = ""
    attempts: int = 0
    seconds: float = 0.0
    request_id: str = ""
    error: str = ""


def _remember(call, headers):
    call.provider = headers.get("x-weir-provider", "")
    call.reason = headers.get("x-weir-reason", "")
    call.attempts = int(headers.get("x-weir-attempts", "0"))
    call.request_id = headers.get("x-weir-request-id", "")


class Traffic:
    """Callers, each in a thread, until stop()."""

    def __init__(self, base_url, callers=(OPENAI_CALLERS, ANTHROPIC_CALLERS)):
        self._openai = openai.OpenAI(
            base_url=f"{base_url}/v1", api_key="unused-on-loopback", max_retries=0, timeout=30)
        self._anthropic = anthropic.Anthropic(
            base_url=base_url, api_key="unused-on-loopback", max_retries=0, timeout=30)
        self._callers = callers
        self._stopping = threading.Event()
        self._running = threading.Event()
        self._running.set()
        self._in_flight = 0
        self._lock = threading.Lock()
        self._threads = []
        self._numbers = itertools.count(1)
        self.calls = []

    def start(self):
        openai_kinds = (self._openai_stream, self._openai_plain, self._openai_stream, self._openai_tool)
        anthropic_kinds = (self._anthropic_stream, self._anthropic_plain)
        for number in range(sum(self._callers)):
            kinds = openai_kinds if number < self._callers[0] else anthropic_kinds
            thread = threading.Thread(target=self._run, args=(number, kinds), daemon=True)
            thread.start()
            self._threads.append(thread)

    def pause(self):
        """Returns when no call is under way; none begins until resume()."""
        self._running.clear()
        while True:
            with self._lock:
                if self._in_flight == 0:
                    return
            time.sleep(0.01)

    def resume(self):
        self._running.set()

    def stop(self):
        self._stopping.set()
        self._running.set()
        for thread in self._threads:
            thread.join(35)

    def since(self, moment):
        with self._lock:
            return [call for call in self.calls if call.at >= moment]

    def counts(self):
        """Calls served by provider, and failed ones under the key ''."""
        with self._lock:
            return collections.Counter("" if call.error else call.provider for call in self.calls)

    def _run(self, number, kinds):
        draws = random.Random(number)
        pause = draws.uniform(0, PAUSE_SECONDS[1])  # not all at once
        for kind in itertools.islice(itertools.cycle(kinds), number % len(kinds), None):
            if self._stopping.wait(pause):
                return
            self._running.wait()
            with self._lock:
                if not self._running.is_set():
                    continue
                self._in_flight += 1
            self._one(kind)
            pause = draws.uniform(*PAUSE_SECONDS)

    def _one(self, kind):
        client, name = kind.__name__.strip("_").split("_")
        call = Call(at=time.monotonic(), client=client, kind=name)
        try:
            kind(call, f"Please review change {next(self._numbers)}.")
        except (openai.OpenAIError, anthropic.AnthropicError) as error:
            call.error = f"{type(error).__name__}: {error}"
        except Exception as error:  # a caller must never take the demo down with it
            call.error = f"unexpected {type(error).__name__}: {error}"
        call.seconds = time.monotonic() - call.at
        with self._lock:
            self._in_flight -= 1
            self.calls.append(call)

    def extract(self, text):
        """One call of the task `extract`, whose answer must be a JSON document."""
        call = Call(at=time.monotonic(), client="openai", kind="extract")
        raw = self._openai.chat.completions.with_raw_response.create(
            model="auto", messages=[{"role": "user", "content": text}], max_tokens=200,
            response_format=CITY, extra_headers={"X-Weir-Task-Type": "extract"})
        _remember(call, raw.headers)
        raw.parse()
        call.seconds = time.monotonic() - call.at
        with self._lock:
            self.calls.append(call)

    def _messages(self, text):
        return [{"role": "system", "content": SYSTEM}, {"role": "user", "content": text}]

    def _openai_plain(self, call, text):
        raw = self._openai.chat.completions.with_raw_response.create(
            model=OPENAI_MODEL, messages=self._messages(text), max_tokens=200)
        _remember(call, raw.headers)
        if not raw.parse().choices[0].message.content:
            call.error = "an answer without text"

    def _openai_stream(self, call, text):
        raw = self._openai.chat.completions.with_raw_response.create(
            model=OPENAI_MODEL, messages=self._messages(text), max_tokens=200, stream=True)
        _remember(call, raw.headers)
        pieces = [
            chunk.choices[0].delta.content or "" for chunk in raw.parse() if chunk.choices]
        if not "".join(pieces):
            call.error = "a stream without text"

    def _openai_tool(self, call, text):
        raw = self._openai.chat.completions.with_raw_response.create(
            model=OPENAI_MODEL, messages=self._messages(text), tools=[WEATHER],
            tool_choice={"type": "function", "function": {"name": "weather"}}, max_tokens=200)
        _remember(call, raw.headers)
        if not raw.parse().choices[0].message.tool_calls:
            call.error = "an answer without the tool call"

    def _anthropic_plain(self, call, text):
        raw = self._anthropic.messages.with_raw_response.create(
            model=ANTHROPIC_MODEL, max_tokens=200, system=SYSTEM,
            messages=[{"role": "user", "content": text}])
        _remember(call, raw.headers)
        if not raw.parse().content[0].text:
            call.error = "an answer without text"

    def _anthropic_stream(self, call, text):
        with self._anthropic.messages.stream(
            model=ANTHROPIC_MODEL, max_tokens=200, system=SYSTEM,
            messages=[{"role": "user", "content": text}]) as stream:
            _remember(call, stream.response.headers)
            if not stream.get_final_text():
                call.error = "a stream without text"
