# SPDX-License-Identifier: Apache-2.0
"""What an answer says, read as strictly as the protocols' own clients read it."""

import json
from dataclasses import dataclass, field


@dataclass
class Meaning:
    """`calls` are (id, name, input); `reason` is the protocol's own word."""

    text: str = ""
    thinking: list = field(default_factory=list)
    calls: list = field(default_factory=list)
    reason: str = None
    usage: dict = None
    first_usage: dict = None


def is_stream(answer):
    return answer.headers["Content-Type"].startswith("text/event-stream")


def read_chat(answer):
    if not is_stream(answer):
        body = answer.json()
        (choice,) = body["choices"]
        message = choice["message"]
        calls = [
            (call["id"], call["function"]["name"], json.loads(call["function"]["arguments"]))
            for call in message.get("tool_calls") or []
        ]
        return Meaning(
            message.get("content") or "", [], calls, choice["finish_reason"], body.get("usage")
        )
    *events, last = answer.events()
    assert last == "[DONE]", last
    meaning = Meaning()
    calls = {}
    for event in map(json.loads, events):
        assert event["object"] == "chat.completion.chunk", event
        if event.get("usage"):
            meaning.usage = event["usage"]
        for choice in event["choices"]:
            assert meaning.reason is None, f"{choice} behind the finish"
            meaning.reason = choice.get("finish_reason")
            meaning.text += choice["delta"].get("content") or ""
            for part in choice["delta"].get("tool_calls") or []:
                call = calls.setdefault(part["index"], {"arguments": ""})
                call["id"] = part.get("id") or call["id"]
                call["name"] = part["function"].get("name") or call["name"]
                call["arguments"] += part["function"].get("arguments") or ""
    assert list(calls) == list(range(len(calls))), calls
    for call in calls.values():
        meaning.calls.append((call["id"], call["name"], json.loads(call["arguments"])))
    return meaning


def add_block(meaning, block):
    if block["type"] == "text":
        meaning.text += block["text"]
    elif block["type"] == "tool_use":
        assert isinstance(block["input"], dict), block
        meaning.calls.append((block["id"], block["name"], block["input"]))
    else:
        meaning.thinking.append(block)


def read_message(answer):
    if not is_stream(answer):
        body = answer.json()
        meaning = Meaning(reason=body["stop_reason"], usage=body["usage"])
        for block in body["content"]:
            add_block(meaning, block)
        return meaning
    assert b"[DONE]" not in answer.body
    events = [json.loads(each) for each in answer.events()]
    kinds = [event["type"] for event in events if event["type"] != "ping"]
    assert kinds[0] == "message_start" and kinds.count("message_start") == 1, kinds
    assert kinds[-2:] == ["message_delta", "message_stop"], kinds
    assert kinds.count("message_stop") == 1, kinds
    meaning = Meaning(first_usage=events[0]["message"]["usage"])
    block, count, partial = None, 0, ""
    for event in events:
        if event["type"] == "content_block_start":
            assert block is None, f"{event} inside another block"
            assert event["index"] == count, event
            block, partial = dict(event["content_block"]), ""
        elif event["type"] == "content_block_delta":
            assert block is not None and event["index"] == count, event
            delta = event["delta"]
            partial += delta.get("partial_json", "")
            for name in ("text", "thinking", "signature"):
                if name in delta:
                    block[name] = block.get(name, "") + delta[name]
        elif event["type"] == "content_block_stop":
            assert block is not None and event["index"] == count, event
            if partial:
                block["input"] = json.loads(partial)
            add_block(meaning, block)
            block, count = None, count + 1
        elif event["type"] == "message_delta":
            assert block is None, "the last block is open"
            meaning.reason = event["delta"]["stop_reason"]
            meaning.usage = event["usage"]
    return meaning


def meaning_of(dialect, answer):
    return read_chat(answer) if dialect.name == "openai" else read_message(answer)
