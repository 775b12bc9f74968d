// SPDX-License-Identifier: Apache-2.0
// The helpers of OpenAI's Node SDK, whatever protocol the provider speaks.
import assert from "node:assert/strict";
import test from "node:test";

import {
    TEXT,
    calls,
    eachWay,
    hello,
    openai,
    openaiTools,
    protocols,
    reset,
    schema,
    script,
    seen,
    stats,
    until,
} from "./clients.mjs";

/// The whole answer, put together by the SDK where it was streamed.
async function ask(upstream, stream, more = {}) {
    const request = { model: `by-${upstream}`, messages: hello, ...more };
    if (!stream) return openai.chat.completions.create(request);
    const options = { stream_options: { include_usage: true } };
    return openai.chat.completions.stream({ ...request, ...options }).finalChatCompletion();
}

eachWay("text and usage", async (upstream, stream) => {
    await script({ input_tokens: 1200, cached_tokens: 1000, cache_creation_tokens: 50 });
    const answer = await ask(upstream, stream);
    assert.equal(answer.choices[0].message.content, TEXT);
    assert.equal(answer.choices[0].finish_reason, "stop");
    assert.equal(answer.usage.prompt_tokens, 1200);
    assert.equal(answer.usage.prompt_tokens_details.cached_tokens, 1000);
    assert.equal(answer.usage.completion_tokens, 16);
});

eachWay("events of the stream helper", async (upstream, stream) => {
    if (!stream) return;
    const helper = openai.chat.completions.stream({ model: `by-${upstream}`, messages: hello });
    const heard = { content: "", chunks: 0 };
    helper.on("content", (delta) => (heard.content += delta));
    helper.on("chunk", () => (heard.chunks += 1));
    assert.equal(await helper.finalContent(), TEXT);
    assert.equal(heard.content, TEXT);
    assert.ok(heard.chunks > 16);
});

eachWay("several calls at once", async (upstream, stream) => {
    await script({ turns: [{ text: "I look.", tool_calls: calls }, { text: "Sunny." }] });
    const { message, finish_reason } = (await ask(upstream, stream, { tools: openaiTools }))
        .choices[0];
    assert.equal(finish_reason, "tool_calls");
    assert.equal(message.content, "I look.");
    const made = message.tool_calls.map((call) => ({
        name: call.function.name,
        arguments: JSON.parse(call.function.arguments),
    }));
    assert.deepEqual(made, calls);
    const results = message.tool_calls
        .map((call) => ({ role: "tool", tool_call_id: call.id, content: "ok" }))
        .reverse();
    const said = { role: "assistant", content: message.content, tool_calls: message.tool_calls };
    for (const call of said.tool_calls) delete call.function.parsed_arguments;
    const messages = [...hello, said, ...results];
    const next = await ask(upstream, stream, { tools: openaiTools, messages });
    assert.equal(next.choices[0].message.content, "Sunny.");
});

eachWay("structured answers", async (upstream, stream) => {
    const response_format = {
        type: "json_schema",
        json_schema: { name: "city", schema, strict: true },
    };
    const request = { model: `by-${upstream}`, messages: hello, response_format };
    const message = stream
        ? await openai.chat.completions.stream(request).finalMessage()
        : (await openai.chat.completions.parse(request)).choices[0].message;
    assert.deepEqual(message.parsed, { city: "Berlin" });
});

eachWay("reasoning goes round trip", async (upstream, stream) => {
    await script({ reasoning_tokens: 2 });
    const { message } = (await ask(upstream, stream)).choices[0];
    // Streamed, the SDK keeps the last piece of what it does not know.
    assert.equal(message.reasoning_content, stream ? " hm" : " hm hm");
    if (upstream === "openai") return;
    const { content, reasoning_details } = message;
    const messages = [...hello, { role: "assistant", content, reasoning_details }, ...hello];
    await ask(upstream, stream, { messages });
    const block = (await seen(upstream)).messages[1].content[0];
    assert.equal(block.type, "thinking");
    assert.equal(block.thinking, " hm hm");
});

for (const upstream of protocols) {
    test(`who leaves is cancelled at the provider, upstream ${upstream}`, async () => {
        await reset({ output_tokens: 100000, tokens_per_s: 100 });
        const answer = await openai.chat.completions.create({
            model: `by-${upstream}`,
            messages: hello,
            stream: true,
        });
        for await (const chunk of answer) {
            if (chunk.choices[0].delta.content) break;
        }
        await until(async () => (await stats(upstream)).cancelled === 1);
    });
}
