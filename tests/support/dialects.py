# SPDX-License-Identifier: Apache-2.0
"""What the two protocols call the same thing, so that one test can speak both."""

import json

from raw_provider import sse, whole

USAGE = {"input": 30, "cached": 10, "output": 5}


def text_of_json(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def data_event(value, name=None):
    """One event; `value` is its data: text as it is, anything else as JSON."""
    text = value if isinstance(value, str) else text_of_json(value)
    return (f"event: {name}\n" if name else "").encode() + f"data: {text}\n\n".encode()


class OpenAi:
    name = "openai"
    path = "/v1/chat/completions"
    done = data_event("[DONE]")

    def request(self, model, stream=False, text="hi", **more):
        messages = [{"role": "user", "content": text}]
        return {"model": model, "messages": messages, "stream": stream, **more}

    def chunk(self, delta=None, finish=None, **more):
        choice = {"index": 0, "delta": delta or {}, "finish_reason": finish}
        return data_event(
            {"id": "c-1", "object": "chat.completion.chunk", "choices": [choice], **more}
        )

    def preamble(self):
        return [self.chunk({"role": "assistant"})]

    def text(self, text):
        return self.chunk({"content": text})

    def finish(self, reason="stop"):
        return [self.chunk(finish=reason)]

    def call_part(self, index, name=None, arguments="", call_id=None):
        """A piece of a tool call; name and id stand in the first one only."""
        part = {"index": index, "function": {"name": name, "arguments": arguments}}
        if call_id is not None:
            part.update(id=call_id, type="function")
        return self.chunk({"tool_calls": [part]})

    def usage(self, usage=None):
        counts = usage or USAGE
        return {
            "prompt_tokens": counts["input"],
            "completion_tokens": counts["output"],
            "prompt_tokens_details": {"cached_tokens": counts["cached"]},
        }

    def usage_event(self, usage=None):
        return data_event({"id": "c-1", "choices": [], "usage": self.usage(usage)})

    def events(self, *texts, reason="stop"):
        """A whole stream, without usage."""
        return [*self.preamble(), *map(self.text, texts), *self.finish(reason), self.done]

    def whole(self, text, reason="stop", usage=None):
        message = {"role": "assistant", "content": text}
        choice = {"index": 0, "message": message, "finish_reason": reason}
        return {"id": "c-1", "choices": [choice], "usage": self.usage(usage)}

    def error(self, message, kind="api_error", code=None):
        return {"error": {"message": message, "type": kind, "param": None, "code": code}}

    def error_event(self, message, kind="api_error", code=None):
        return data_event(self.error(message, kind, code))

    def said(self, answer):
        """The text of an answer, streamed or not."""
        if not answer.headers["Content-Type"].startswith("text/event-stream"):
            return answer.json()["choices"][0]["message"]["content"]
        chunks = [json.loads(each) for each in answer.events() if each != "[DONE]"]
        choices = [choice for chunk in chunks for choice in chunk.get("choices") or []]
        return "".join(choice["delta"].get("content") or "" for choice in choices)

    def ends_well(self, answer):
        return answer.complete and answer.events()[-1] == "[DONE]"

    def is_error_event(self, event):
        """The in-band end of a broken stream."""
        return event.startswith('{"error":') and "message" in json.loads(event)["error"]


class Anthropic:
    name = "anthropic"
    path = "/v1/messages"

    def event(self, kind, **more):
        return data_event({"type": kind, **more}, kind)

    @property
    def done(self):
        return self.event("message_stop")

    def request(self, model, stream=False, text="hi", **more):
        messages = [{"role": "user", "content": text}]
        body = {"model": model, "max_tokens": 100, "messages": messages, "stream": stream}
        return {**body, **more}

    def preamble(self):
        usage = {"input_tokens": USAGE["input"] - USAGE["cached"], "output_tokens": 1}
        message = {
            "id": "m-1",
            "type": "message",
            "role": "assistant",
            "content": [],
            "usage": usage,
        }
        block = {"type": "text", "text": ""}
        return [
            self.event("message_start", message=message),
            self.event("content_block_start", index=0, content_block=block),
        ]

    def text(self, text):
        return self.event(
            "content_block_delta", index=0, delta={"type": "text_delta", "text": text}
        )

    def call(self, index, call_id, name, *pieces):
        """The events of one tool_use block; `pieces` of its input as JSON."""
        block = {"type": "tool_use", "id": call_id, "name": name, "input": {}}
        deltas = [{"type": "input_json_delta", "partial_json": each} for each in pieces]
        return [
            self.event("content_block_start", index=index, content_block=block),
            *[self.event("content_block_delta", index=index, delta=each) for each in deltas],
            self.event("content_block_stop", index=index),
        ]

    def finish(self, reason="end_turn", usage=None):
        reason = {"stop": "end_turn", "length": "max_tokens"}.get(reason, reason)
        return [
            self.event("content_block_stop", index=0),
            self.event("message_delta", delta={"stop_reason": reason}, usage=self.usage(usage)),
        ]

    def usage(self, usage=None):
        counts = usage or USAGE
        return {
            "input_tokens": counts["input"] - counts["cached"],
            "cache_read_input_tokens": counts["cached"],
            "output_tokens": counts["output"],
        }

    def events(self, *texts, reason="end_turn"):
        return [*self.preamble(), *map(self.text, texts), *self.finish(reason), self.done]

    def whole(self, text, reason="end_turn", usage=None):
        reason = {"stop": "end_turn", "length": "max_tokens"}.get(reason, reason)
        content = [{"type": "text", "text": text}]
        message = {"id": "m-1", "type": "message", "role": "assistant", "content": content}
        return {**message, "stop_reason": reason, "usage": self.usage(usage)}

    def error(self, message, kind="api_error", code=None):
        del code
        return {"type": "error", "error": {"type": kind, "message": message}}

    def error_event(self, message, kind="api_error", code=None):
        return data_event(self.error(message, kind, code), "error")

    def said(self, answer):
        if not answer.headers["Content-Type"].startswith("text/event-stream"):
            return "".join(block.get("text", "") for block in answer.json()["content"])
        events = [json.loads(each) for each in answer.events()]
        return "".join(each.get("delta", {}).get("text", "") for each in events)

    def ends_well(self, answer):
        return answer.complete and json.loads(answer.events()[-1])["type"] == "message_stop"

    def is_error_event(self, event):
        value = json.loads(event)
        return value.get("type") == "error" and {"type", "message"} <= value["error"].keys()


OPENAI, ANTHROPIC = OpenAi(), Anthropic()
DIALECTS = (OPENAI, ANTHROPIC)


def other(dialect):
    return ANTHROPIC if dialect is OPENAI else OPENAI


def good(dialect, stream, *texts, **more):
    """A healthy provider's answer."""
    if stream:
        return sse(dialect.events(*texts), **more)
    return whole(dialect.whole("".join(texts)), **more)
