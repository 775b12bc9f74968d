// SPDX-License-Identifier: Apache-2.0
// The helpers of Anthropic's Node SDK, whatever protocol the provider speaks.
import assert from "node:assert/strict";

import { jsonSchemaOutputFormat } from "@anthropic-ai/sdk/helpers/json-schema";

import {
    TEXT,
    anthropic,
    anthropicTools,
    calls,
    eachWay,
    hello,
    schema,
    script,
    seen,
} from "./clients.mjs";

/// The whole answer, put together by the SDK where it was streamed.
async function ask(upstream, stream, more = {}) {
    const request = { model: `by-${upstream}`, max_tokens: 4000, messages: hello, ...more };
    if (!stream) return anthropic.messages.create(request);
    return anthropic.messages.stream(request).finalMessage();
}

function resultsOf(message) {
    return message.content
        .filter((block) => block.type === "tool_use")
        .map((block) => ({ type: "tool_result", tool_use_id: block.id, content: "ok" }));
}

eachWay("text and usage", async (upstream, stream) => {
    await script({ input_tokens: 1200, cached_tokens: 1000 });
    const answer = await ask(upstream, stream);
    assert.deepEqual(
        answer.content.map((block) => block.text),
        [TEXT],
    );
    assert.equal(answer.stop_reason, "end_turn");
    assert.equal(answer.usage.input_tokens, 200);
    assert.equal(answer.usage.cache_read_input_tokens, 1000);
    assert.equal(answer.usage.output_tokens, 16);
});

eachWay("events of the stream helper", async (upstream, stream) => {
    if (!stream) return;
    const request = { model: `by-${upstream}`, max_tokens: 100, messages: hello };
    const helper = anthropic.messages.stream(request);
    const heard = { text: "", deltas: 0, blocks: 0 };
    helper.on("text", (delta) => (heard.text += delta));
    helper.on("contentBlock", () => (heard.blocks += 1));
    helper.on("streamEvent", (event) => {
        if (event.type === "content_block_delta") heard.deltas += 1;
    });
    assert.equal(await helper.finalText(), TEXT);
    assert.deepEqual(heard, { text: TEXT, deltas: 16, blocks: 1 });
});

eachWay("several calls at once", async (upstream, stream) => {
    await script({ turns: [{ text: "I look.", tool_calls: calls }, { text: "Sunny." }] });
    const answer = await ask(upstream, stream, { tools: anthropicTools });
    assert.equal(answer.stop_reason, "tool_use");
    assert.equal(answer.content[0].text, "I look.");
    const made = answer.content
        .slice(1)
        .map((block) => ({ name: block.name, arguments: block.input }));
    assert.deepEqual(made, calls);
    const messages = [
        ...hello,
        { role: "assistant", content: answer.content },
        { role: "user", content: resultsOf(answer).reverse() },
    ];
    const next = await ask(upstream, stream, { tools: anthropicTools, messages });
    assert.equal(next.content[0].text, "Sunny.");
});

eachWay("structured answers", async (upstream, stream) => {
    const output_config = { format: jsonSchemaOutputFormat(schema) };
    const request = { model: `by-${upstream}`, max_tokens: 100, messages: hello, output_config };
    const message = stream
        ? await anthropic.messages.stream(request).finalMessage()
        : await anthropic.messages.parse(request);
    assert.deepEqual(message.parsed_output, { city: "Berlin" });
});

eachWay("thinking over several turns", async (upstream, stream) => {
    await script({
        turns: [
            { reasoning_tokens: 2, tool_calls: calls.slice(0, 1) },
            { reasoning_tokens: 3, tool_calls: calls.slice(1, 2) },
            { reasoning_tokens: 1, text: "Sunny." },
        ],
        // Servers that say it in OpenAI's protocol take it back.
        strict_also: ["reasoning_content"],
    });
    const thinking = { type: "enabled", budget_tokens: 1024 };
    const messages = [...hello];
    const blocks = [];
    for (let turn = 0; turn < 3; ++turn) {
        const answer = await ask(upstream, stream, { tools: anthropicTools, messages, thinking });
        blocks.push(answer.content[0]);
        messages.push({ role: "assistant", content: answer.content });
        if (turn < 2) messages.push({ role: "user", content: resultsOf(answer) });
        else assert.equal(answer.content.at(-1).text, "Sunny.");
    }
    assert.deepEqual(
        blocks.map((block) => block.thinking),
        [" hm hm", " hm hm hm", " hm"],
    );
    const sent = (await seen(upstream)).messages;
    if (upstream === "anthropic")
        assert.deepEqual([sent[1].content[0], sent[3].content[0]], blocks.slice(0, 2));
    else assert.equal(sent[1].reasoning_content, " hm hm");
});
