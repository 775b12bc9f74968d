# SPDX-License-Identifier: Apache-2.0
"""Callers of a fleet, and what they saw."""

import http.client
import itertools
import json
import threading
import time
from dataclasses import dataclass

from weir_harness import PATIENCE_S, request, wait_until

# A call that was answered so shortly before its agent was killed may not have reached the spool
# (agent/store/spool.h: 20 ms; the rest is for a machine that is busy with something else).
FLUSH_S = 0.020 + 0.130


@dataclass
class Call:
    mark: str  # in the request's text and, as its task, in the ledger
    agent: object
    began: float
    ended: float = 0.0
    status: int = 0  # 0: no whole answer
    trouble: str = ""
    request_id: str = ""
    attempts: int = 0
    provider: str = ""
    mode: str = ""
    reason: str = ""
    usage: tuple = ()

    def read(self, answer, is_stream):
        self.request_id = answer.headers.get("X-Weir-Request-Id", "")
        self.attempts = int(answer.headers.get("X-Weir-Attempts", 0))
        self.provider = answer.headers.get("X-Weir-Provider", "")
        self.mode = answer.headers.get("X-Weir-Mode", "")
        self.reason = answer.headers.get("X-Weir-Reason", "")
        if answer.status != 200:
            self.status = answer.status
            self.trouble = answer.body[:300].decode(errors="replace")
        elif not answer.complete or (is_stream and b"[DONE]" not in answer.body):
            self.trouble = f"cut after {len(answer.body)} bytes"
        else:
            self.status = 200
            self.usage = usage_of(answer.body, is_stream)

    @property
    def is_good(self):
        return self.status == 200

    @property
    def is_excused(self):
        """Its own agent was killed or stopped meanwhile."""
        return self.agent.was_gone(self.began, self.ended)

    @property
    def is_owed(self):
        """It was answered, and its agent lived long enough to write it down."""
        return bool(self.request_id) and not self.agent.was_gone(self.ended, self.ended + FLUSH_S)


def usage_of(body, is_stream):
    """(input_uncached, input_cached, output) that an answer in OpenAI's words names."""
    if is_stream:
        events = [line[6:] for line in body.decode().split("\n") if line.startswith("data: {")]
        found = [event["usage"] for event in map(json.loads, events) if event.get("usage")]
        usage = found[-1] if found else None
    else:
        usage = json.loads(body).get("usage")
    if not usage:
        return ()
    cached = (usage.get("prompt_tokens_details") or {}).get("cached_tokens") or 0
    return (usage["prompt_tokens"] - cached, cached, usage["completion_tokens"])


class Load:
    """`rps` calls a second in all, spread over the agents by `threads` callers; each call is a task of
    its own and every other one a stream. A caller whose agent is away waits for it. `calls` holds all
    that ended, in the order of their ends."""

    def __init__(self, fleet, rps=30, threads=6, agents=None, model="m", timeout_s=PATIENCE_S):
        self.fleet = fleet
        self.agents = agents or fleet.agents
        self.model = model
        self.timeout_s = timeout_s
        self.calls = []
        self._rps = rps
        self._numbers = itertools.count(1)
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._threads = [
            threading.Thread(target=self._run, args=(at, threads), daemon=True)
            for at in range(threads)
        ]

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        self._stop.set()
        for thread in self._threads:
            thread.join(self.timeout_s + 5)

    def set_rps(self, rps):
        self._rps = rps

    def mark(self):
        with self._lock:
            return len(self.calls)

    def since(self, mark=0):
        with self._lock:
            return self.calls[mark:]

    def await_calls(self, count, since=None, patience_s=PATIENCE_S, of=lambda call: call.is_good):
        """The calls that ended from now (or `since`) on, once `count` of them are such."""
        start = self.mark() if since is None else since

        def enough():
            found = self.since(start)
            return found if sum(map(of, found)) >= count else None

        return wait_until(enough, f"{count} calls", patience_s)

    def _run(self, at, threads):
        due = time.monotonic() + at / self._rps
        while not self._stop.wait(max(0.0, due - time.monotonic())):
            # Who was kept waiting goes on from now: no storm after an outage.
            due = max(due + threads / self._rps, time.monotonic() - 0.1)
            number = next(self._numbers)
            agent = self.agents[number % len(self.agents)]
            if agent.is_up():
                self._call(agent, number)

    def _call(self, agent, number):
        call = Call(f"call-{number:06d}", agent, time.monotonic())
        is_stream = number % 2 == 0
        # Of many lengths, so that no two costs are alike.
        text = f"{call.mark} {'word ' * (number * 7919 % 61)}"
        body = {"model": self.model, "messages": [{"role": "user", "content": text}]}
        if is_stream:
            body.update(stream=True, stream_options={"include_usage": True})
        path, headers = "/v1/chat/completions", {"X-Weir-Task-Id": call.mark}
        try:
            call.read(request(agent.port, "POST", path, body, headers, self.timeout_s), is_stream)
        except (OSError, http.client.HTTPException) as trouble:
            call.trouble = f"{type(trouble).__name__}: {trouble}"
        call.ended = time.monotonic()
        with self._lock:
            self.calls.append(call)

    def failures(self, since=0):
        """What callers saw of failures that their own dead agent does not explain."""
        return [call for call in self.since(since) if not call.is_good and not call.is_excused]
