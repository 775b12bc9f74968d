// SPDX-License-Identifier: Apache-2.0
// The official Node SDKs as clients of an agent. WEIR_URL is its data plane, WEIR_FAULTS the names of
// its faulty pools (tests/support/faults.py). The SDKs' own retries are off: nothing else may hide a
// failed provider.
import assert from "node:assert/strict";
import test from "node:test";

import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";

const url = process.env.WEIR_URL;
const faults = process.env.WEIR_FAULTS.split(",");
const openai = new OpenAI({ baseURL: `${url}/v1`, apiKey: "none", maxRetries: 0 });
const anthropic = new Anthropic({ baseURL: url, apiKey: "none", maxRetries: 0 });

const TEXT = "The river rises over the weir and finds its level, 語🌍 slowly für everyone who waits.";
const hello = [{ role: "user", content: "hello" }];
const askTool = [{ role: "user", content: "please use a tool" }];
const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const openaiTools = [{ type: "function", function: { name: "weather", parameters: schema } }];
const anthropicTools = [{ name: "weather", input_schema: schema }];

function checkHeaders(response, provider) {
    assert.equal(response.headers.get("x-weir-provider"), provider);
    for (const name of ["request-id", "route", "mode", "reason", "level", "attempts"])
        assert.ok(response.headers.get(`x-weir-${name}`), `X-Weir-${name} is missing`);
}

async function openaiText(model, stream) {
    const { data, response } = await openai.chat.completions
        .create({ model, messages: hello, stream })
        .withResponse();
    checkHeaders(response, "ok_openai");
    if (!stream) return data.choices[0].message.content;
    let text = "";
    for await (const chunk of data) text += chunk.choices[0].delta.content ?? "";
    return text;
}

async function anthropicText(model, stream) {
    const request = { model, max_tokens: 100, messages: hello, stream };
    const { data, response } = await anthropic.messages.create(request).withResponse();
    checkHeaders(response, "ok_anthropic");
    if (!stream) return data.content[0].text;
    let text = "";
    for await (const event of data)
        if (event.type === "content_block_delta") text += event.delta.text;
    return text;
}

for (const stream of [false, true]) {
    test(`openai chat, stream ${stream}`, async () => {
        assert.equal(await openaiText("m", stream), TEXT);
    });
    test(`anthropic messages, stream ${stream}`, async () => {
        assert.equal(await anthropicText("claude", stream), TEXT);
    });
    for (const fault of faults) {
        test(`first provider ${fault}, openai, stream ${stream}`, async () => {
            assert.equal(await openaiText(`${fault}-openai`, stream), TEXT);
        });
        test(`first provider ${fault}, anthropic, stream ${stream}`, async () => {
            assert.equal(await anthropicText(`${fault}-anthropic`, stream), TEXT);
        });
    }
}

test("openai usage, asked for and not", async () => {
    const request = { model: "m", messages: hello, stream: true };
    const counts = async (options) => {
        const chunks = [];
        for await (const chunk of await openai.chat.completions.create({ ...request, ...options }))
            chunks.push(chunk);
        return chunks.filter((chunk) => chunk.choices.length === 0);
    };
    assert.equal((await counts({})).length, 0);
    const asked = await counts({ stream_options: { include_usage: true } });
    assert.equal(asked.length, 1);
    assert.equal(asked[0].usage.completion_tokens, 16);
});

test("openai tools, whole", async () => {
    const request = { model: "m", messages: askTool, tools: openaiTools };
    const answer = await openai.chat.completions.create(request);
    assert.equal(answer.choices[0].finish_reason, "tool_calls");
    const call = answer.choices[0].message.tool_calls[0];
    assert.deepEqual(JSON.parse(call.function.arguments), { city: "Berlin" });
    const result = { role: "tool", tool_call_id: call.id, content: "sunny" };
    const messages = [...askTool, answer.choices[0].message, result];
    const next = await openai.chat.completions.create({ ...request, messages });
    assert.equal(next.choices[0].message.content, TEXT);
});

test("openai tools, streamed", async () => {
    const request = { model: "m", messages: askTool, tools: openaiTools };
    const message = await openai.chat.completions.stream(request).finalMessage();
    assert.equal(message.tool_calls[0].function.name, "weather");
    assert.deepEqual(JSON.parse(message.tool_calls[0].function.arguments), { city: "Berlin" });
});

test("anthropic tools, whole and streamed", async () => {
    const request = { model: "claude", max_tokens: 100, messages: askTool, tools: anthropicTools };
    const whole = await anthropic.messages.create(request);
    assert.equal(whole.stop_reason, "tool_use");
    assert.deepEqual(whole.content[0].input, { city: "Berlin" });
    const streamed = await anthropic.messages.stream(request).finalMessage();
    assert.equal(streamed.stop_reason, "tool_use");
    assert.deepEqual(streamed.content[0].input, { city: "Berlin" });
    const result = { type: "tool_result", tool_use_id: whole.content[0].id, content: "sunny" };
    const messages = [
        ...askTool,
        { role: "assistant", content: whole.content },
        { role: "user", content: [result] },
    ];
    const next = await anthropic.messages.create({ ...request, messages });
    assert.equal(next.content[0].text, TEXT);
});

test("anthropic event sequence and usage", async () => {
    const stream = await anthropic.messages.create({
        model: "claude",
        max_tokens: 100,
        messages: hello,
        stream: true,
    });
    const types = [];
    for await (const event of stream) if (event.type !== types.at(-1)) types.push(event.type);
    assert.deepEqual(types, [
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
    ]);
});

test("models", async () => {
    const names = [];
    for await (const model of openai.models.list()) names.push(model.id);
    assert.ok(names.includes("m"));
    assert.ok(names.includes("claude"));
});

test("an unknown model is the SDK's NotFoundError and names the known ones", async () => {
    await assert.rejects(
        openai.chat.completions.create({ model: "nobody", messages: hello }),
        (error) => error instanceof OpenAI.NotFoundError && /claude/.test(error.message),
    );
    await assert.rejects(
        anthropic.messages.create({ model: "nobody", max_tokens: 5, messages: hello }),
        (error) =>
            error instanceof Anthropic.NotFoundError &&
            error.error.error.type === "not_found_error" &&
            /claude/.test(error.message),
    );
});

test("a bad body is the SDK's BadRequestError", async () => {
    await assert.rejects(
        openai.chat.completions.create({ model: "m", messages: "not a list" }),
        OpenAI.BadRequestError,
    );
    await assert.rejects(
        anthropic.messages.create({ model: "claude", max_tokens: 5, messages: "not a list" }),
        Anthropic.BadRequestError,
    );
});

test("a provider's 400 is passed on after exactly one attempt", async () => {
    const isPassedOn = (error) =>
        error.status === 400 &&
        /The request is not valid/.test(error.message) &&
        error.headers.get("x-weir-attempts") === "1";
    for (const stream of [false, true]) {
        const request = { max_tokens: 5, messages: hello, stream };
        await assert.rejects(
            openai.chat.completions.create({ ...request, model: "s400-openai" }),
            isPassedOn,
        );
        await assert.rejects(
            anthropic.messages.create({ ...request, model: "s400-anthropic" }),
            isPassedOn,
        );
    }
});
